/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that was run to its end.
 *
 * @param command the command
 * @param exitCode how it ended
 * @param out its output
 * @param err its error output
 */
public record Run(List<String> command, int exitCode, String out, String err) {
    private static final int PATIENCE_SECONDS = 300;

    /** Runs a command in the current folder. */
    public static Run of(String... command) throws IOException {
        return of(Path.of("").toAbsolutePath(), List.of(command));
    }

    /** Runs a command in a folder. */
    public static Run of(Path folder, List<String> command) throws IOException {
        return of(folder, command, Map.of());
    }

    /**
     * Runs a command in a folder, with further variables. The command reads nothing.
     *
     * @throws IOException if it cannot start or does not end within 5 minutes
     */
    public static Run of(Path folder, List<String> command, Map<String, String> environment) throws IOException {
        Path out = Files.createTempFile("signet-run-", ".out");
        Path err = Files.createTempFile("signet-run-", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            try {
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("did not end: " + command);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                process.destroyForcibly();
            }
            return new Run(command, process.exitValue(), text(out), text(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Tells whether a program is installed. */
    public static boolean isInstalled(String name) {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .anyMatch(folder -> Files.exists(Path.of(folder, name)));
    }

    /**
     * Returns this run.
     *
     * @throws AssertionError if the program did not succeed
     */
    public Run ok() {
        if (exitCode != 0) {
            throw new AssertionError(command + ": exit code " + exitCode + "\n" + out + err);
        }
        return this;
    }

    /** Returns the output, and then the error output. */
    public String text() {
        return out + err;
    }
}
