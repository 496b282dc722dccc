/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import org.signetmq.envelope.message.OpenedMessage;

/** The payload of a message that is opened part by part. For one thread at a time. */
public final class PayloadStream extends InputStream {
    /** The parts of a message, in their order. */
    @FunctionalInterface
    public interface Parts {
        /** The next part; empty behind the last one. */
        Optional<OpenedMessage> next() throws IOException;
    }

    private final Parts parts;
    private byte[] piece = {};
    private int position;

    public PayloadStream(Parts parts) {
        this.parts = parts;
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? piece[position++] & 0xFF : -1;
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
        int count = Math.min(length, piece.length - position);
        System.arraycopy(piece, position, into, offset, count);
        position += count;
        return count;
    }

    /** Parts may be empty. */
    private boolean hasMore() throws IOException {
        while (position == piece.length) {
            Optional<OpenedMessage> next = parts.next();
            if (next.isEmpty()) {
                return false;
            }
            piece = next.get().payload();
            position = 0;
        }
        return true;
    }

    /** What was verified and not yet read. */
    @Override
    public int available() {
        return piece.length - position;
    }
}
