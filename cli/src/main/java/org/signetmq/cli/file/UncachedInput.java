/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads whole blocks past the page cache. */
final class UncachedInput extends InputStream {
    private final Uncached file;
    private final ByteBuffer buffer;

    /** The offset in the file behind the buffer. */
    private long position;

    UncachedInput(Uncached file) {
        this.file = file;
        this.buffer = file.buffer().limit(0);
    }

    @Override
    public int read() throws IOException {
        return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int taken = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, taken);
        return taken;
    }

    @Override
    public int available() {
        return buffer.remaining();
    }

    /**
     * Fills the buffer; false at the end. A block that was incomplete, as the last one, is read again from its start.
     */
    private boolean fill() throws IOException {
        if (buffer.hasRemaining()) {
            return true;
        }
        int known = (int) (position % file.block());
        buffer.clear();
        try {
            file.channel().read(buffer, position - known);
        } finally {
            buffer.flip(); // nothing may be taken for read that was not
        }
        buffer.position(Math.min(known, buffer.limit()));
        position += buffer.remaining();
        return buffer.hasRemaining();
    }

    @Override
    public void close() throws IOException {
        file.channel().close();
    }
}
