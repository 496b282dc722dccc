/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.testkit.Run;

/**
 * An unpacked release, and the user who runs it: with few programs in the path, and no Maven.
 *
 * @param root the folder that the archive contains
 * @param folder the user's own, where commands run
 * @param environment all variables of the commands
 */
record Release(Path root, Path folder, Map<String, String> environment) {
    static final String VERSION = System.getProperty("signet.version", "0.1.0");

    static final Path TARGET = Path.of("target").toAbsolutePath();

    static final Path TAR = TARGET.resolve("signet-" + VERSION + ".tar.gz");

    static final String PASSWORD = "correct horse";

    /** What the launcher may use: programs of POSIX, and those that Linux, macOS and BusyBox have beside them. */
    private static final List<String> PROGRAMS = List.of(
            "sh",
            "cat",
            "cksum",
            "cp",
            "dirname",
            "find",
            "id",
            "mkdir",
            "mktemp",
            "mv",
            "readlink",
            "rm",
            "sed",
            "tr",
            "uname");

    /** Unpacks the archive below a folder. The user has a home and Java in the path. */
    static Release unpackedIn(Path place) throws IOException {
        Files.createDirectories(place);
        Run.of(place, List.of("tar", "xzf", TAR.toString())).ok();
        Path folder = Files.createDirectories(place.resolve("user"));
        Path programs = Files.createDirectories(place.resolve("programs"));
        for (String program : PROGRAMS) {
            Files.createSymbolicLink(
                    programs.resolve(program),
                    Path.of(Run.of("sh", "-c", "command -v " + program)
                                    .ok()
                                    .out()
                                    .strip())
                            .toRealPath());
        }
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", programs + ":" + Path.of(System.getProperty("java.home"), "bin"));
        environment.put("HOME", Files.createDirectories(folder.resolve("home")).toString());
        environment.put("SIGNET_PASSWORD", PASSWORD);
        return new Release(place.resolve("signet-" + VERSION), folder, environment);
    }

    /** Returns the same release with another value of a variable, or without the variable if the value is empty. */
    Release with(String variable, String value) {
        Map<String, String> changed = new HashMap<>(environment);
        if (value.isEmpty()) {
            changed.remove(variable);
        } else {
            changed.put(variable, value);
        }
        return new Release(root, folder, changed);
    }

    /** Returns the folder with the programs of the path that are not Java. */
    Path programs() {
        return root.resolveSibling("programs");
    }

    Path launcher() {
        return root.resolve("bin/signet");
    }

    /** Runs the command signet. */
    Run signet(String... arguments) throws IOException {
        return run(List.of(), arguments);
    }

    /** Runs the command signet as an argument of other commands. */
    Run run(List<String> before, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "-i"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(before);
        command.add(launcher().toString());
        command.addAll(List.of(arguments));
        return Run.of(folder, command);
    }
}
