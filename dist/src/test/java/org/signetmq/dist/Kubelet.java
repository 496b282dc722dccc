/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.signetmq.testkit.Run;

/**
 * Runs the pods of manifests on this machine, with the volumes, owners and modes that the kubelet gives: Secrets and
 * ConfigMaps on a tmpfs behind a link {@code ..data} that is exchanged as a whole, claims and empty folders for the
 * pod's group. What a manifest says and this class does not know is an error.
 */
final class Kubelet implements AutoCloseable {
    private final Path folder;
    private final Map<String, Image> images;

    /** The content of Secrets and ConfigMaps, by kind and name. */
    private final Map<String, Map<String, byte[]>> objects = new HashMap<>();

    private final Deque<Path> mounted = new ArrayDeque<>();

    Kubelet(Path folder, Map<String, Image> images) {
        this.folder = folder;
        this.images = images;
    }

    /** Takes a Secret or a ConfigMap, or another version of it. */
    void put(String kind, String name, Map<String, byte[]> content) {
        objects.put(kind + "/" + name, new TreeMap<>(content));
    }

    /** Takes the Secrets and ConfigMaps among these objects. */
    void apply(List<Map<String, Object>> manifests) {
        for (Map<String, Object> manifest : manifests) {
            String kind = text(manifest, "kind");
            if (kind.equals("Secret") || kind.equals("ConfigMap")) {
                Map<String, byte[]> content = new TreeMap<>();
                map(manifest, kind.equals("Secret") ? "stringData" : "data")
                        .forEach((key, value) ->
                                content.put(key, value.toString().getBytes(StandardCharsets.UTF_8)));
                put(kind, text(map(manifest, "metadata"), "name"), content);
            }
        }
    }

    /**
     * Makes the volumes of a pod. Claims stay those of the former pod of this name.
     *
     * @param name of the pod
     * @param spec of the pod
     * @param claims the names of volumes that are claims
     */
    Pod pod(String name, Map<String, Object> spec, List<String> claims, Rights rights) throws IOException {
        return new Pod(name, spec, claims, rights);
    }

    /** The rights of a pod: its user and the group of its volumes. Its own group is that of root. */
    record Rights(String user, String volumes) {}

    /** A pod whose volumes are there. */
    final class Pod {
        private final Map<String, Object> container;
        private final Rights rights;
        private final Path volumes;
        private final Map<String, Map<String, Object>> described = new LinkedHashMap<>();

        private Pod(String name, Map<String, Object> spec, List<String> claims, Rights rights) throws IOException {
            this.container = list(spec, "containers").get(0);
            this.rights = rights;
            this.volumes = Files.createDirectories(folder.resolve(name));
            for (Map<String, Object> volume : list(spec, "volumes")) {
                described.put(text(volume, "name"), volume);
                if (volume.containsKey("emptyDir")) {
                    empty(text(volume, "name"), "2777");
                }
            }
            for (String claim : claims) {
                if (!Files.exists(volumes.resolve(claim))) {
                    empty(claim, "2775");
                }
            }
            publish();
        }

        private void empty(String name, String mode) throws IOException {
            Path path = volumes.resolve(name);
            Run.of("rm", "-rf", path.toString()).ok();
            Files.createDirectories(path);
            Run.of("chgrp", rights.volumes(), path.toString()).ok();
            Run.of("chmod", mode, path.toString()).ok();
        }

        /** Returns the folder of a volume. */
        Path volume(String name) {
            return volumes.resolve(name);
        }

        /** Brings all Secrets and ConfigMaps in the volumes to their newest version. */
        void publish() throws IOException {
            for (Map<String, Object> volume : described.values()) {
                Map<String, byte[]> files = new TreeMap<>();
                int mode;
                if (volume.containsKey("projected")) {
                    Map<String, Object> projected = map(volume, "projected");
                    mode = number(projected, "defaultMode");
                    for (Map<String, Object> source : list(projected, "sources")) {
                        files.putAll(
                                source.containsKey("secret")
                                        ? files("Secret", map(source, "secret"), "name")
                                        : files("ConfigMap", map(source, "configMap"), "name"));
                    }
                } else if (volume.containsKey("secret")) {
                    mode = number(map(volume, "secret"), "defaultMode");
                    files.putAll(files("Secret", map(volume, "secret"), "secretName"));
                } else if (volume.containsKey("emptyDir")) {
                    continue;
                } else {
                    throw new IllegalArgumentException("a volume that this test does not know: " + volume);
                }
                write(volumes.resolve(text(volume, "name")), files, mode);
            }
        }

        private Map<String, byte[]> files(String kind, Map<String, Object> source, String nameKey) {
            String name = kind + "/" + text(source, nameKey);
            Map<String, byte[]> content = objects.get(name);
            if (content == null) {
                throw new IllegalArgumentException("no " + name);
            }
            if (!source.containsKey("items")) {
                return content;
            }
            Map<String, byte[]> files = new TreeMap<>();
            for (Map<String, Object> item : list(source, "items")) {
                byte[] value = content.get(text(item, "key"));
                if (value == null) {
                    throw new IllegalArgumentException(name + " has no key " + text(item, "key"));
                }
                files.put(text(item, "path"), value);
            }
            return files;
        }

        private void write(Path volume, Map<String, byte[]> files, int mode) throws IOException {
            if (!Files.exists(volume)) {
                Files.createDirectory(volume);
                Run.of("mount", "-t", "tmpfs", "tmpfs", volume.toString()).ok();
                mounted.push(volume);
                Run.of("chgrp", rights.volumes(), volume.toString()).ok();
                Run.of("chmod", "3777", volume.toString()).ok();
            }
            Path version = Files.createTempDirectory(volume, "..version");
            Run.of("chmod", "2755", version.toString()).ok();
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = version.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, file.getValue());
                Run.of("chmod", Integer.toOctalString(mode), path.toString()).ok();
            }
            Run.of("chgrp", "-R", rights.volumes(), version.toString()).ok();
            Path data = volume.resolve("..data");
            Path former = Files.exists(data) ? data.toRealPath() : null;
            Files.createSymbolicLink(volume.resolve("..data_tmp"), version.getFileName());
            Files.move(volume.resolve("..data_tmp"), data, StandardCopyOption.ATOMIC_MOVE);
            try (Stream<Path> entries = Files.list(version)) {
                for (Path entry : (Iterable<Path>) entries::iterator) {
                    Path link = volume.resolve(entry.getFileName());
                    if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                        Files.createSymbolicLink(link, Path.of("..data").resolve(entry.getFileName()));
                    }
                }
            }
            if (former != null) {
                Run.of("rm", "-r", former.toString()).ok();
            }
        }

        /** Returns the pod's container, with what its manifest asks for. */
        Container container() throws IOException {
            return container(true);
        }

        /** Returns the container, with or without the mount of /tmp. */
        Container container(boolean withTemporaryFolder) throws IOException {
            Map<String, Object> security = map(container, "securityContext");
            if (!Boolean.FALSE.equals(security.get("allowPrivilegeEscalation"))
                    || !map(security, "capabilities").equals(Map.of("drop", List.of("ALL")))) {
                throw new IllegalArgumentException(
                        "the container has rights that this test does not give: " + security);
            }
            Image image = Objects.requireNonNull(images.get(text(container, "image")), () -> text(container, "image"));
            List<String> mounts = new ArrayList<>();
            for (Map<String, Object> mount : list(container, "volumeMounts")) {
                String target = text(mount, "mountPath");
                if (!target.equals("/tmp") || withTemporaryFolder) {
                    String mode = Boolean.TRUE.equals(mount.get("readOnly")) ? "ro" : "rw";
                    mounts.add(volume(text(mount, "name")) + ":" + target + ":" + mode);
                }
            }
            Path hosts = volumes.resolve("hosts");
            Files.writeString(hosts, "127.0.0.1 localhost pod signet-broker\n");
            mounts.add(hosts + ":/etc/hosts:rw");
            Map<String, String> environment = new LinkedHashMap<>(image.environment());
            environment.put("HOME", "/");
            for (Map<String, Object> variable : list(container, "env")) {
                environment.put(text(variable, "name"), text(variable, "value"));
            }
            return new Container(
                    image,
                    Boolean.TRUE.equals(security.get("readOnlyRootFilesystem")),
                    rights.user(),
                    "0",
                    rights.volumes(),
                    mounts,
                    environment);
        }

        /** Returns the command of the container. */
        List<String> command() {
            Image image = Objects.requireNonNull(images.get(text(container, "image")));
            List<String> all = new ArrayList<>(words(container, "command", image.entrypoint()));
            all.addAll(words(container, "args", container.containsKey("command") ? List.of() : image.command()));
            return all;
        }

        /** Returns the command of a probe. */
        List<String> probe(String name) {
            return words(map(map(container, name), "exec"), "command", List.of());
        }
    }

    @SuppressWarnings("unchecked") // of YAML
    static List<String> words(Map<String, Object> map, String key, List<String> otherwise) {
        return map.containsKey(key) ? (List<String>) map.get(key) : otherwise;
    }

    @SuppressWarnings("unchecked") // of YAML
    static Map<String, Object> map(Map<String, Object> map, String key) {
        return (Map<String, Object>) Objects.requireNonNull(map.get(key), key);
    }

    @SuppressWarnings("unchecked") // of YAML
    static List<Map<String, Object>> list(Map<String, Object> map, String key) {
        return (List<Map<String, Object>>) map.getOrDefault(key, List.of());
    }

    private static int number(Map<String, Object> map, String key) {
        return (int) Objects.requireNonNull(map.get(key), key);
    }

    static String text(Map<String, Object> map, String key) {
        return Objects.requireNonNull(map.get(key), key).toString();
    }

    @Override
    public void close() {
        for (Path point : mounted) {
            try {
                Run.of("umount", "--lazy", point.toString()).ok();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
