/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A stream that prints UTF-8, and knows whether its reader has gone, which a PrintStream does not tell. */
public final class StandardStream extends PrintStream {
    private final Watched watched;

    private StandardStream(Watched watched) {
        super(watched, true, StandardCharsets.UTF_8);
        this.watched = watched;
    }

    public static StandardStream to(OutputStream out) {
        return new StandardStream(new Watched(out));
    }

    /** Tells whether this stream is a pipe without a reader. */
    public static boolean isClosedPipe(PrintStream stream) {
        return stream instanceof StandardStream standard && standard.watched.closedPipe;
    }

    /** Whether a write failed because the reader has gone. Only the system's text shows that. */
    public static boolean tellsOfAPipe(IOException failure) {
        return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }

    private static final class Watched extends FilterOutputStream {
        private volatile boolean closedPipe;

        Watched(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                closedPipe |= tellsOfAPipe(e);
                throw e;
            }
        }
    }
}
