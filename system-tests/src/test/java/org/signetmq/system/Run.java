/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that was run to its end.
 *
 * @param command the command
 * @param exitCode how it ended
 * @param out its output
 * @param err its error output
 */
record Run(List<String> command, int exitCode, String out, String err) {
    private static final int PATIENCE_SECONDS = 300;

    static Run of(Path folder, List<String> command) throws IOException {
        return of(folder, command, Map.of());
    }

    static Run of(Path folder, List<String> command, Map<String, String> environment) throws IOException {
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

    /** The same, which must have succeeded. */
    Run ok() {
        if (exitCode != 0) {
            throw new AssertionError(command + ": exit code " + exitCode + "\n" + out + err);
        }
        return this;
    }
}
