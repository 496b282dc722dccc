/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Programs of the system, run to their end without a terminal.
 *
 * @param log what a program prints goes there
 */
record Program(Path log) {
    private static final int PATIENCE_SECONDS = 60;
    /** Programs of the administrator, which are not always in the search path. */
    private static final List<String> MORE_FOLDERS = List.of("/usr/sbin", "/sbin");

    /** Returns the file of a program; empty if it is not installed. */
    static Optional<Path> find(String name) {
        String folders = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        return Stream.concat(Stream.of(folders.split(":")), MORE_FOLDERS.stream())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Runs a program.
     *
     * @throws IOException if it fails; the message has its last words
     */
    void run(String... command) throws IOException {
        run(Map.of(), command);
    }

    /** Runs a program with more variables in its environment. */
    void run(Map<String, String> environment, String... command) throws IOException {
        Process process = start(environment, command);
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command[0] + ": not done within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(command[0] + ": interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(command[0] + ": exit code " + process.exitValue() + ": " + lastWords());
        }
    }

    /** Starts a program that goes on. */
    Process start(Map<String, String> environment, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(command));
        words.set(0, find(command[0]).map(Path::toString).orElse(command[0]));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Returns the last line that a program has printed. */
    String lastWords() throws IOException {
        List<String> lines = new String(Files.readAllBytes(log), Charset.defaultCharset())
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.isEmpty() ? "no message" : lines.get(lines.size() - 1).strip();
    }
}
