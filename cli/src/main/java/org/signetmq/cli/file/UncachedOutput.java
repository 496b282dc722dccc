/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/** Writes whole blocks past the page cache. The file has its length once this is closed. */
final class UncachedOutput extends OutputStream {
    private final Uncached file;
    private final ByteBuffer buffer;
    private long written;

    UncachedOutput(Uncached file) {
        this.file = file;
        this.buffer = file.buffer();
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int end = offset + length;
        for (int position = offset; position < end; ) {
            int taken = Math.min(end - position, buffer.remaining());
            buffer.put(bytes, position, taken);
            position += taken;
            if (!buffer.hasRemaining()) {
                writeBuffer();
            }
        }
    }

    private void writeBuffer() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            written += file.channel().write(buffer, written);
        }
        buffer.clear();
    }

    /** Fills the last block with zeros, and cuts them off again. */
    @Override
    public void close() throws IOException {
        if (!file.channel().isOpen()) {
            return;
        }
        try (FileChannel channel = file.channel()) {
            long length = written + buffer.position();
            while (buffer.position() % file.block() != 0) {
                buffer.put((byte) 0);
            }
            writeBuffer();
            channel.truncate(length);
        }
    }
}
