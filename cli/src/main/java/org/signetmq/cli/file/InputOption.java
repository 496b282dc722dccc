/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import picocli.CommandLine.Option;

/** The bytes that a command works on. */
public final class InputOption {
    /** The length of standard input. */
    public static final long UNKNOWN = -1;

    /** The name that stands for a standard stream. A file of that name is {@code ./-}. */
    static final Path STANDARD = Path.of("-");

    private @Nullable Path file;

    @Option(names = "--in", paramLabel = "FILE", description = "What to read; default -, standard input.")
    void in(Path named) {
        file = named.equals(STANDARD) ? null : named;
    }

    /** An open file, or standard input, which stays open. */
    public static final class Input extends FilterInputStream {
        private final long length;

        private Input(InputStream in, long length) {
            super(in);
            this.length = length;
        }

        /** Returns the length in bytes, or {@link #UNKNOWN}. */
        public long length() {
            return length;
        }

        @Override
        public void close() throws IOException {
            if (length != UNKNOWN) {
                super.close();
            }
        }
    }

    /** Opens the input, which the caller closes. */
    public Input open(CommandContext context) throws IOException {
        if (file == null) {
            return new Input(context.shell().streams().in(), UNKNOWN);
        }
        Path input = context.resolve(file);
        if (Files.isDirectory(input)) {
            throw CliException.failure(input + ": a folder, not a file");
        }
        return new Input(Uncached.input(input), Files.size(input));
    }
}
