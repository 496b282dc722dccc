/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.envelope.EnvelopeChain;

/** Reads the first envelope of a stored large message, and no more of its file. */
public final class FirstEnvelope {
    /** The longest envelope that is read, in bytes: a full segment and its certificates fit. */
    static final int LONGEST = 2 << 20;

    private FirstEnvelope() {}

    /** Returns the first envelope; empty if the body begins otherwise. */
    public static Optional<byte[]> of(LargeServerMessage message) throws Exception {
        try (LargeBodyReader reader = message.getLargeBodyReader()) {
            reader.open();
            return LargeMessages.goToBytes(message.toMessage(), reader) ? read(reader) : Optional.empty();
        }
    }

    private static Optional<byte[]> read(LargeBodyReader reader) throws Exception {
        byte[] head = new byte[EnvelopeChain.HEAD_LENGTH];
        int length = EnvelopeChain.lengthOf(head, fill(head, 0, reader));
        if (length < head.length || length > LONGEST) {
            return Optional.empty();
        }
        byte[] envelope = Arrays.copyOf(head, length);
        return fill(envelope, head.length, reader) == length ? Optional.of(envelope) : Optional.empty();
    }

    /** Fills an array from an offset, and returns the end of the bytes. */
    private static int fill(byte[] bytes, int offset, LargeBodyReader reader) throws Exception {
        int end = offset;
        while (end < bytes.length) {
            int read = reader.readInto(
                    ByteBuffer.wrap(bytes, end, bytes.length - end).slice());
            if (read <= 0) {
                break;
            }
            end += read;
        }
        return end;
    }
}
