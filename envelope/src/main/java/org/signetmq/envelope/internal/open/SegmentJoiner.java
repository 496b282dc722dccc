/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.codec.CodecBuffers;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;

/** Joins the segments of a large message in memory. */
public final class SegmentJoiner {
    @FunctionalInterface
    public interface Parts {
        /** Returns the next part, which lies in the buffers; null after the last one. */
        @Nullable
        OpenedPart next(CodecBuffers buffers) throws IOException;
    }

    private SegmentJoiner() {}

    /**
     * Joins all parts to one message.
     *
     * @param length the length of all envelopes, which is more than that of the payload
     */
    public static OpenedMessage open(int length, Parts parts, CodecBuffers buffers) {
        try {
            OpenedMessage facts = null;
            byte[] joined = new byte[length];
            int end = 0;
            for (OpenedPart part = parts.next(buffers); part != null; part = parts.next(buffers)) {
                Slice chunk = part.payload();
                System.arraycopy(chunk.array(), chunk.offset(), joined, end, chunk.length());
                end += chunk.length();
                facts = facts == null ? part.facts() : facts;
            }
            OpenedMessage first = Objects.requireNonNull(facts, "segments: none");
            byte[] payload = Arrays.copyOf(joined, end);
            Entity entity = first.entityIfProtected().orElseThrow().whole(payload);
            return new OpenedMessage(first.quality(), entity, payload, first.verifiedSigner(), first.provedSender());
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes: cannot be read", impossible);
        }
    }

    /** Returns the entity of the first part, with the payloads of all parts. */
    public static byte[] entity(Parts parts, CodecBuffers buffers) throws IOException {
        ByteArrayOutputStream entity = new ByteArrayOutputStream();
        for (OpenedPart part = parts.next(buffers); part != null; part = parts.next(buffers)) {
            Slice chunk = part.entityBytes();
            entity.write(chunk.array(), chunk.offset(), chunk.length());
        }
        return entity.toByteArray();
    }
}
