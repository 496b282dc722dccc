/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The bytes that a command works on. */
final class InputOption {
    /** One envelope or payload is held in memory whole. */
    static final int MOST_BYTES = 64 << 20;

    @Option(names = "--in", paramLabel = "FILE", description = "What to read; default standard input.")
    private @Nullable Path file;

    byte[] read(Session session) throws IOException {
        if (file == null) {
            return bounded(session.shell().streams().in(), "standard input");
        }
        Path input = session.resolve(file);
        if (Files.isDirectory(input)) {
            throw CliException.failure(input + ": a folder, not a file");
        }
        try (InputStream in = Files.newInputStream(input)) {
            return bounded(in, input.toString());
        }
    }

    private static byte[] bounded(InputStream in, String name) throws IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw CliException.failure(name + ": longer than " + (MOST_BYTES >> 20) + " MiB");
        }
        return bytes;
    }
}
