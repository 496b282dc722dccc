/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ClosedPipeException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.StandardStream;
import org.signetmq.keystore.file.OwnedFolder;
import picocli.CommandLine.Option;

/** The destination of the bytes of a result. A file gets all of them, or none. */
public final class OutputOptions {
    private static final Set<String> OWN_STREAMS = Set.of("/dev/stdout", "/dev/stderr");
    private static final Set<String> OWN_FOLDERS = Set.of("/dev/fd", "/proc/self/fd");

    @Option(names = "--force", description = "Replace the file of --out if it is there.")
    private boolean force;

    private @Nullable Path file;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "What to write, with mode 0600; default -, standard output.")
    void out(Path named) {
        file = named.equals(InputOption.STANDARD) ? null : named;
    }

    /** Rejects a destination that cannot be written, before any work is done. */
    public void check(CommandContext context) {
        if (file == null) {
            return;
        }
        Path output = context.resolve(file);
        if (isOwnStream(output)) {
            return;
        }
        if (Files.isSymbolicLink(output)) {
            throw CliException.failure(output + ": a link, which is not followed; name the file that it leads to");
        }
        if (Files.isDirectory(output)) {
            throw CliException.failure(output + ": a folder, not a file");
        }
        if (isPipeOrDevice(output)) {
            return;
        }
        if (!force && Files.exists(output, LinkOption.NOFOLLOW_LINKS)) {
            throw CliException.failure(output + ": exists already").hint("--force replaces it");
        }
    }

    /** Whether a reader may see a part of the result before it is whole. */
    public boolean isStream(CommandContext context) {
        return file == null || isOwnStream(context.resolve(file)) || isPipeOrDevice(context.resolve(file));
    }

    /** Whether the path names a stream that the process has open already, as /dev/stdout does. */
    private static boolean isOwnStream(Path output) {
        Path parent = output.getParent();
        return OWN_STREAMS.contains(output.toString()) || (parent != null && OWN_FOLDERS.contains(parent.toString()));
    }

    /** Whether the path is a pipe or a device: no content is lost there, and a file in its place would be useless. */
    private static boolean isPipeOrDevice(Path output) {
        return Files.exists(output, LinkOption.NOFOLLOW_LINKS)
                && !Files.isSymbolicLink(output)
                && !Files.isRegularFile(output)
                && !Files.isDirectory(output);
    }

    public void write(CommandContext context, byte[] bytes) throws IOException {
        write(context, bytes.length, out -> out.write(bytes));
    }

    /**
     * A file is written whole or not at all. Pipes and devices receive the bytes as they come.
     *
     * @param expected about how many bytes will come, or {@link InputOption#UNKNOWN}
     */
    public void write(CommandContext context, long expected, AtomicFile.Content content) throws IOException {
        if (file == null) {
            StandardOutput out = new StandardOutput(context.out());
            content.writeTo(out);
            out.flush();
        } else {
            check(context);
            writeTo(context.resolve(file), expected, content);
        }
    }

    private static void writeTo(Path output, long expected, AtomicFile.Content content) throws IOException {
        if (isOwnStream(output)) {
            try (OutputStream out = new NamedOutput(Files.newOutputStream(output, StandardOpenOption.WRITE), output)) {
                content.writeTo(out);
            }
        } else if (isPipeOrDevice(output)) {
            Path absolute = output.toAbsolutePath();
            try (OwnedFolder in =
                            OwnedFolder.open(Objects.requireNonNull(absolute.getParent(), "no folder is a pipe"));
                    OutputStream out = new NamedOutput(in.openPipe(String.valueOf(absolute.getFileName())), output)) {
                content.writeTo(out);
            }
        } else {
            AtomicFile.replace(output, expected, content);
        }
    }

    /** A stream that throws the errors which a PrintStream keeps to itself. */
    private static final class StandardOutput extends OutputStream {
        private final PrintStream out;

        private StandardOutput(PrintStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            flush();
        }

        @Override
        public void flush() throws IOException {
            if (out.checkError()) { // which flushes too
                throw StandardStream.isClosedPipe(out)
                        ? new ClosedPipeException()
                        : new IOException("standard output: cannot be written");
            }
        }
    }
}
