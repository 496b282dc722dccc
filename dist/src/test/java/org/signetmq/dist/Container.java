/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.signetmq.testkit.Run;

/**
 * A process with namespaces, mounts and rights of its own, as the runtime of Kubernetes starts one.
 *
 * @param image its files and defaults
 * @param readOnly whether its root is read-only
 * @param user its user, a number
 * @param group its group
 * @param groups its further groups, separated by commas
 * @param mounts {@code SOURCE:TARGET:ro} or {@code rw}
 * @param environment its variables
 */
record Container(
        Image image,
        boolean readOnly,
        String user,
        String group,
        String groups,
        List<String> mounts,
        Map<String, String> environment) {
    private static final int STOP_SECONDS = 60;

    /** Creates a container that may change the files of its image, as one does in which an instruction runs. */
    static Container building(Path root, Map<String, String> environment) {
        Image image = new Image(root, environment, "0:0", List.of(), List.of(), List.of());
        return new Container(image, false, "0", "0", "0", List.of(), environment);
    }

    /** Returns the same container with another variable. */
    Container with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new Container(image, readOnly, user, group, groups, mounts, more);
    }

    /** Runs a command to its end, in a network of its own. */
    Run run(List<String> command) throws IOException {
        return Run.of(Path.of("").toAbsolutePath(), words(List.of("unshare", "--net"), command));
    }

    /** Runs a command to its end, in the network of a running container. */
    Run run(Running pod, List<String> command) throws IOException {
        return Run.of(Path.of("").toAbsolutePath(), words(List.of("nsenter", "--target", pod.pid(), "--net"), command));
    }

    /** Starts a command in a network of its own. It writes to a file. */
    Running start(Path console, List<String> command) throws IOException {
        return new Running(
                this,
                console,
                new ProcessBuilder(words(List.of("unshare", "--net"), command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(console.toFile()))
                        .start());
    }

    private List<String> words(List<String> network, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(network);
        all.addAll(List.of("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"));
        all.addAll(List.of("sh", script(), image.root().toAbsolutePath().toString(), readOnly ? "ro" : "rw"));
        all.addAll(List.of(user, group, groups));
        all.addAll(mounts);
        all.add("--");
        all.addAll(inside(command));
        return all;
    }

    private List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("/usr/bin/env", "-i"));
        environment.forEach((name, value) -> all.add(name + "=" + value));
        all.addAll(command);
        return all;
    }

    private static String script() throws IOException {
        try (InputStream in = Objects.requireNonNull(Container.class.getResourceAsStream("container.sh"))) {
            Path script = Release.TARGET.resolve("container.sh");
            Files.write(script, in.readAllBytes());
            return script.toString();
        }
    }

    /**
     * The first process of a container, while it runs.
     *
     * @param container what was started
     * @param console what it wrote
     * @param process its parent outside of the container
     */
    record Running(Container container, Path console, Process process) implements AutoCloseable {
        /** Returns the number of its first process outside of the container. */
        String pid() {
            return process.children()
                    .findFirst()
                    .map(child -> Long.toString(child.pid()))
                    .orElseThrow(() -> new AssertionError("the container ended\n" + text()));
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /** Returns what it wrote so far. */
        String text() {
            try {
                return Files.readString(console);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Runs a command in the container, as {@code kubectl exec} and a probe do. */
        Run exec(List<String> command) throws IOException {
            List<String> all = new ArrayList<>(List.of("nsenter", "--target", pid()));
            all.addAll(List.of("--mount", "--net", "--ipc", "--uts", "--pid"));
            all.addAll(
                    List.of("chroot", container.image().root().toAbsolutePath().toString()));
            all.addAll(List.of("setpriv", "--reuid", container.user(), "--regid", container.group()));
            all.addAll(List.of("--groups", container.groups(), "--no-new-privs", "--bounding-set=-all"));
            all.addAll(List.of("--inh-caps=-all", "--ambient-caps=-all", "--"));
            all.addAll(container.inside(command));
            return Run.of(Path.of("").toAbsolutePath(), all);
        }

        /** Returns the words before a program of this machine that shall be in the container's network. */
        List<String> inNetwork() {
            return List.of("nsenter", "--target", pid(), "--net");
        }

        /** Ends it as Kubernetes does: with a signal to its first process, and after a while by force. */
        void stop() throws IOException, InterruptedException {
            Run.of("kill", "-TERM", pid()).ok();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                close();
                throw new AssertionError("did not end on SIGTERM\n" + text());
            }
        }

        @Override
        public void close() {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
            process.onExit().join();
        }
    }
}
