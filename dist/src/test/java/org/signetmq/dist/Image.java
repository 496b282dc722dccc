/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.testkit.Run;
import org.yaml.snakeyaml.Yaml;

/**
 * The image of a stage of a Dockerfile, unpacked.
 *
 * @param root its files
 * @param environment its variables
 * @param user its user and group, as {@code 10001:0}
 * @param entrypoint its program
 * @param command the program's arguments, if none are given
 * @param healthcheck its probe; empty without one
 */
record Image(
        Path root,
        Map<String, String> environment,
        String user,
        List<String> entrypoint,
        List<String> command,
        List<String> healthcheck) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_]+)}?");

    /** Builds stages as an engine does, from base images that the caller has. Each instruction must be known. */
    static final class Builder {
        private final Path folder;
        private final Path context;
        private final Map<String, Image> bases;
        private final Map<String, Image> stages = new HashMap<>();
        private final Map<String, String> arguments = new HashMap<>();

        private @Nullable String stage;
        private Map<String, String> environment = Map.of();
        private Path root = Path.of("");
        private String user = "";
        private List<String> entrypoint = List.of();
        private List<String> command = List.of();
        private List<String> healthcheck = List.of();

        /**
         * Creates a builder.
         *
         * @param folder of the images
         * @param context of {@code COPY}
         * @param bases images by their names
         */
        Builder(Path folder, Path context, Map<String, Image> bases) {
            this.folder = folder;
            this.context = context;
            this.bases = bases;
        }

        /** Builds all stages, and returns them by their names. */
        Map<String, Image> build(String dockerfile) throws IOException {
            String joined = dockerfile
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .reduce("", (all, line) -> all + line + "\n")
                    .replace("\\\n", " ");
            for (String line : joined.lines().filter(line -> !line.isBlank()).toList()) {
                String[] parts = line.strip().split("\\s+", 2);
                run(parts[0], parts[1].strip());
            }
            end();
            return stages;
        }

        private void run(String instruction, String rest) throws IOException {
            switch (instruction) {
                case "ARG" -> arguments.putIfAbsent(rest.split("=", 2)[0], rest.split("=", 2)[1]);
                case "FROM" -> begin(filled(rest).split("\\s+"));
                case "COPY" -> copy(filled(rest).split("\\s+"));
                case "ENV" -> {
                    for (String pair : filled(rest).split("\\s+", -1)) {
                        environment.put(pair.split("=", 2)[0], pair.split("=", 2)[1]);
                    }
                }
                case "RUN" ->
                    Container.building(root, environment)
                            .run(List.of("/bin/sh", "-c", rest))
                            .ok();
                case "USER" -> user = rest;
                case "ENTRYPOINT" -> entrypoint = words(rest);
                case "CMD" -> command = words(rest);
                case "HEALTHCHECK" -> healthcheck = words(rest.substring(rest.indexOf("CMD") + 3));
                case "VOLUME" -> Files.createDirectories(inRoot(rest));
                case "EXPOSE" -> {}
                default ->
                    throw new IllegalArgumentException("an instruction that this test does not know: " + instruction);
            }
        }

        private void begin(String... words) throws IOException {
            end();
            Image base = base(words[0]);
            stage = words[2];
            root = folder.resolve(words[2]);
            Run.of("cp", "-a", base.root().toString(), root.toString()).ok();
            environment = new LinkedHashMap<>(base.environment());
            user = base.user();
            entrypoint = List.of();
            command = List.of();
            healthcheck = List.of();
        }

        private void end() {
            if (stage != null) {
                stages.put(stage, new Image(root, environment, user, entrypoint, command, healthcheck));
            }
        }

        private Image base(String name) {
            Image known = stages.getOrDefault(name, bases.get(name));
            if (known == null) {
                throw new IllegalArgumentException("a base image that is not there: " + name);
            }
            return known;
        }

        private void copy(String... words) throws IOException {
            List<String> paths = new ArrayList<>(Arrays.asList(words));
            Path from = context;
            if (paths.get(0).startsWith("--from=")) {
                from = base(paths.remove(0).substring("--from=".length())).root();
            }
            String target = paths.remove(paths.size() - 1);
            for (String path : paths) {
                Path source = from.resolve(path.replaceFirst("^/", ""));
                boolean isFolder = Files.isDirectory(source);
                Path goal = inRoot(target);
                Files.createDirectories(isFolder || target.endsWith("/") ? goal : goal.getParent());
                Run.of("cp", "-a", isFolder ? source + "/." : source.toString(), goal.toString())
                        .ok();
            }
        }

        private Path inRoot(String path) {
            return root.resolve(path.replaceFirst("^/", ""));
        }

        private String filled(String text) {
            return VARIABLE.matcher(text).replaceAll(match -> {
                String value = environment.getOrDefault(match.group(1), arguments.get(match.group(1)));
                if (value == null) {
                    throw new IllegalArgumentException("no value of " + match.group());
                }
                return Matcher.quoteReplacement(value);
            });
        }

        private static List<String> words(String array) {
            return new Yaml().<List<String>>load(array); // an array of JSON is one of YAML
        }
    }

    /**
     * Makes the image of a Java runtime from this machine: the files of Debian's essential packages and of those that
     * Java needs, and a runtime without the compiler.
     */
    static Image ofThisMachine(Path root) throws IOException {
        if (!Run.isInstalled("dpkg-query")) {
            throw new AssertionError("the base image is made from Debian's packages, and there is no dpkg-query here");
        }
        Files.createDirectories(root);
        for (String folder :
                List.of("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "proc", "dev", "run", "tmp", "var/lib")) {
            Files.createDirectories(root.resolve(folder));
        }
        for (String link : List.of("bin", "sbin", "lib", "lib64")) {
            Files.createSymbolicLink(root.resolve(link), Path.of("usr", link));
        }
        Run.of("chmod", "1777", root.resolve("tmp").toString()).ok();
        Path list = root.resolveSibling("files");
        Files.write(list, files(packages()));
        Run.of(
                        "tar",
                        "-C",
                        "/",
                        "-cf",
                        root.resolveSibling("files.tar").toString(),
                        "--no-recursion",
                        "-T",
                        list.toString())
                .ok();
        Run.of(
                        "tar",
                        "-C",
                        root.toString(),
                        "-xf",
                        root.resolveSibling("files.tar").toString(),
                        "--keep-directory-symlink")
                .ok();
        Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
        Files.writeString(root.resolve("etc/group"), "root:x:0:\n");
        Path java = root.resolve("opt/java/openjdk");
        Files.createDirectories(java.getParent());
        Path home = Path.of(System.getProperty("java.home"));
        Run.of(
                        home.resolve("bin/jlink").toString(),
                        "--add-modules",
                        "java.se,jdk.unsupported,jdk.crypto.ec,jdk.management,jdk.naming.dns,jdk.security.auth,jdk.zipfs",
                        "--output",
                        java.toString())
                .ok();
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("JAVA_HOME", "/opt/java/openjdk");
        environment.put("PATH", "/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        Image image = new Image(root, environment, "0:0", List.of(), List.of(), List.of());
        // the archive of Java's own classes, which every runtime has
        Container.building(root, environment)
                .run(List.of("/opt/java/openjdk/bin/java", "-Xshare:dump"))
                .ok();
        return image;
    }

    private static Set<String> packages() throws IOException {
        Map<String, String> needs = new HashMap<>();
        List<String> open = new ArrayList<>(List.of("libstdc++6", "zlib1g"));
        Run.of("dpkg-query", "-W", "-f=${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\n")
                .ok()
                .out()
                .lines()
                .map(line -> line.split("\t", -1))
                .forEach(parts -> {
                    needs.put(parts[0], parts[2]);
                    if (parts[1].equals("yes")) {
                        open.add(parts[0]);
                    }
                });
        Set<String> all = new TreeSet<>();
        while (!open.isEmpty()) {
            String name = open.remove(0);
            if (needs.containsKey(name) && all.add(name)) {
                Stream.of(needs.get(name).split("[,|]"))
                        .map(need -> need.strip().split("[ :]", 2)[0])
                        .forEach(open::add);
            }
        }
        return all;
    }

    private static List<String> files(Set<String> packages) throws IOException {
        List<String> command = new ArrayList<>(List.of("dpkg", "-L"));
        command.addAll(packages);
        List<String> files = new ArrayList<>(Run.of(Path.of("").toAbsolutePath(), command)
                .ok()
                .out()
                .lines()
                .filter(file -> file.startsWith("/") && !file.matches("/usr/share/(doc|man|info|locale|lintian)(/.*)?"))
                .filter(file -> !Files.isDirectory(Path.of(file)) && Files.exists(Path.of(file)))
                .distinct()
                .toList());
        // what the dynamic linker finds its libraries by, and the only locale
        for (String made : List.of("/etc/ld.so.cache", "/etc/nsswitch.conf")) {
            if (Files.exists(Path.of(made))) {
                files.add(made);
            }
        }
        Collections.sort(files);
        return files;
    }
}
