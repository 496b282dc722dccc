/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The bytes that a command works on. */
public final class InputOption {
    /** The length of standard input, or of a pipe. */
    static final long UNKNOWN = -1;

    /** The name that stands for a standard stream. A file of that name is {@code ./-}. */
    static final Path STANDARD = Path.of("-");

    @Option(names = "--in", paramLabel = "FILE", description = "What to read; default -, standard input.")
    private Path file = STANDARD;

    /** Opens the input, which the caller closes. Standard input stays open. */
    public InputStream open(CommandContext context) throws IOException {
        if (file.equals(STANDARD)) {
            return new FilterInputStream(context.shell().streams().in()) {
                @Override
                public void close() {
                    // it belongs to the process
                }
            };
        }
        Path input = context.resolve(file);
        if (Files.isDirectory(input)) {
            throw CliException.failure(input + ": a folder, not a file");
        }
        if (isPipe(input)) {
            return new BufferedInputStream(new FileInputStream(input.toFile())); // a channel would seek
        }
        return Files.newInputStream(input);
    }

    /** Returns the length in bytes; -1 for standard input or a pipe. */
    public long length(CommandContext context) throws IOException {
        return file.equals(STANDARD) || isPipe(context.resolve(file)) ? UNKNOWN : Files.size(context.resolve(file));
    }

    /** Tells whether a name stands for a pipe or device, such as {@code <(...)} of a shell. It can be read once. */
    static boolean isPipe(Path input) {
        return Files.exists(input) && !Files.isRegularFile(input) && !Files.isDirectory(input);
    }
}
