/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import org.signetmq.envelope.message.OpenedMessage;

/** An input stream of the payload of a message that is opened part by part. For one thread at a time. */
public final class PayloadStream extends InputStream {
    @FunctionalInterface
    public interface Parts {
        /** Returns the next part; empty after the last one. */
        Optional<OpenedMessage> next() throws IOException;
    }

    private final Parts parts;
    private byte[] chunk = {};
    private int position;

    public PayloadStream(Parts parts) {
        this.parts = parts;
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? chunk[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int count = Math.min(length, chunk.length - position);
        System.arraycopy(chunk, position, into, offset, count);
        position += count;
        return count;
    }

    /** Tells whether bytes remain. Skips empty parts. */
    private boolean hasMore() throws IOException {
        while (position == chunk.length) {
            Optional<OpenedMessage> next = parts.next();
            if (next.isEmpty()) {
                return false;
            }
            chunk = next.get().payload();
            position = 0;
        }
        return true;
    }

    /** The bytes that are verified and not yet read. */
    @Override
    public int available() {
        return chunk.length - position;
    }
}
