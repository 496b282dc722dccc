/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.codec.Workspace;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;

/** A large message that is held in memory as a whole. */
public final class SegmentsInMemory {
    /** The parts of a message, in their order. */
    @FunctionalInterface
    public interface Parts {
        /** The next part, which lies in the workspace; null behind the last one. */
        @Nullable
        OpenedPart next(Workspace workspace) throws IOException;
    }

    private SegmentsInMemory() {}

    /**
     * All parts as one message.
     *
     * @param length of what the segments are read from: longer than their payload
     */
    public static OpenedMessage open(int length, Parts parts, Workspace workspace) {
        try {
            OpenedMessage facts = null;
            byte[] joined = new byte[length];
            int end = 0;
            for (OpenedPart part = parts.next(workspace); part != null; part = parts.next(workspace)) {
                Slice piece = part.payload();
                System.arraycopy(piece.array(), piece.offset(), joined, end, piece.length());
                end += piece.length();
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

    /** The entity of the first part, with the payloads of all. */
    public static byte[] entity(Parts parts, Workspace workspace) throws IOException {
        ByteArrayOutputStream entity = new ByteArrayOutputStream();
        for (OpenedPart part = parts.next(workspace); part != null; part = parts.next(workspace)) {
            Slice piece = part.entityPiece();
            entity.write(piece.array(), piece.offset(), piece.length());
        }
        return entity.toByteArray();
    }
}
