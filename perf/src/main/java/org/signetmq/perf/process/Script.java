/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The script {@code machine.sh} of the resources: mounts, caches and limits on processor time. Needs root. */
public final class Script {
    private static final int PATIENCE_MINUTES = 3;

    private Script() {}

    /**
     * Runs a command of the script.
     *
     * @return what the command prints
     * @throws IOException if it fails; the message has its last words
     */
    public static String run(String... arguments) throws IOException {
        Path script = Files.createTempFile("signet-perf", ".sh");
        Path output = Files.createTempFile("signet-perf", ".log");
        try (InputStream in =
                Objects.requireNonNull(Script.class.getResourceAsStream("/org/signetmq/perf/machine.sh"))) {
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
            List<String> command = new ArrayList<>(List.of("sh", script.toString()));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException(arguments[0] + ": not done within " + PATIENCE_MINUTES + " minutes");
            }
            String printed = Files.readString(output, StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException(arguments[0] + ": " + printed.substring(printed.lastIndexOf('\n') + 1));
            }
            return printed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(arguments[0] + ": interrupted", e);
        } finally {
            Files.deleteIfExists(script);
            Files.deleteIfExists(output);
        }
    }
}
