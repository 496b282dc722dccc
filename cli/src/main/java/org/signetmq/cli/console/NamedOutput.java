/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/** An output stream whose errors name its destination. It knows whether a write failed. */
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

    /**
     * Returns whether a write failed for another reason than a closed pipe. Writers of text keep such errors to
     * themselves.
     */
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw named(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            throw named(e);
        }
    }

    private IOException named(IOException e) {
        // only the system's text tells of a pipe
        boolean closedPipe =
                String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
        failed |= !closedPipe;
        return closedPipe ? new ClosedPipeException(name) : new IOException(name + ": " + e.getMessage(), e);
    }
}
