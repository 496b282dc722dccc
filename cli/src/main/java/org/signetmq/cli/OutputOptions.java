/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the bytes of a result go: all of them, or none. */
final class OutputOptions {
    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "What to write, with mode 0600; default standard output.")
    private @Nullable Path file;

    @Option(names = "--force", description = "Replace the file of --out if it is there.")
    private boolean force;

    /** Refuses what cannot end well, before any work is done. */
    void check(Session session) {
        if (file == null) {
            return;
        }
        Path output = session.resolve(file);
        if (Files.isDirectory(output)) {
            throw CliException.failure(output + ": a folder, not a file");
        }
        if (!force && Files.exists(output, LinkOption.NOFOLLOW_LINKS)) {
            throw CliException.failure(output + ": exists already").hint("--force replaces it");
        }
    }

    /** Whether it is standard output. */
    boolean isStream() {
        return file == null;
    }

    void write(Session session, byte[] bytes) throws IOException {
        write(session, out -> out.write(bytes));
    }

    /** A file is written whole or not at all; standard output gets what comes as long as it comes. */
    void write(Session session, AtomicFile.Content content) throws IOException {
        if (file == null) {
            StandardOutput out = new StandardOutput(session.out());
            content.writeTo(out);
            out.flush();
        } else {
            check(session);
            AtomicFile.replace(session.resolve(file), content);
        }
    }

    /** Tells what a PrintStream keeps to itself: otherwise all of a large message would go where nobody reads it. */
    private static final class StandardOutput extends OutputStream {
        private final PrintStream out;

        private StandardOutput(PrintStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            check();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            check();
        }

        @Override
        public void flush() throws IOException {
            check();
        }

        private void check() throws IOException {
            if (out.checkError()) { // which flushes too
                throw new IOException("standard output: cannot be written");
            }
        }
    }
}
