/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.signetmq.cli.console.ClosedPipeException;
import org.signetmq.cli.console.StandardStream;

/** A stream with the name of its file in its errors, which errors of the system lack. */
final class NamedOutput extends FilterOutputStream {
    private final Path file;

    NamedOutput(OutputStream out, Path file) {
        super(out);
        this.file = file;
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
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
            if (StandardStream.tellsOfAPipe(e)) {
                throw new ClosedPipeException();
            }
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
