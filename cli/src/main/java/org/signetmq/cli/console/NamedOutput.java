/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/** A stream with the name of its destination in its errors, which errors of the system lack. It knows if one failed. */
public final class NamedOutput extends FilterOutputStream {
    private final String name;
    private volatile boolean failed;

    public NamedOutput(OutputStream out, String name) {
        super(out);
        this.name = name;
    }

    /** The reader of a pipe has gone, as {@code head} does when it has read enough. The command ends silently. */
    public static final class ClosedPipeException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedPipeException(String name) {
            super(name + ": closed by its reader");
        }
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
    }

    /** Whether a write failed although the reader was there. A stream of text keeps such errors to itself. */
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public void write(int value) throws IOException {
        naming(() -> out.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        naming(() -> out.write(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
        naming(out::close);
    }

    private void naming(Writing writing) throws IOException {
        try {
            writing.run();
        } catch (IOException e) {
            // only the system's text tells of a pipe
            if (String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe")) {
                throw new ClosedPipeException(name);
            }
            failed = true;
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }
}
