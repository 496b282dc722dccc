/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** A large message that is held in memory as a whole. */
final class SegmentsInMemory {
    private SegmentsInMemory() {}

    /**
     * All parts as one message.
     *
     * @param bytes what the segments are read from: longer than their payload
     */
    static OpenedMessage open(byte[] bytes, SegmentOpener segments) {
        try {
            OpenedMessage first = segments.next().orElseThrow();
            byte[] joined = new byte[bytes.length];
            int length = 0;
            for (Optional<OpenedMessage> part = Optional.of(first); part.isPresent(); part = segments.next()) {
                byte[] piece = part.get().payload();
                System.arraycopy(piece, 0, joined, length, piece.length);
                length += piece.length;
            }
            byte[] payload = Arrays.copyOf(joined, length);
            Entity entity = first.entityIfProtected().orElseThrow().whole(payload);
            return new OpenedMessage(first.quality(), entity, payload, first.verifiedSigner());
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes: cannot be read", impossible);
        }
    }

    /** The entity of the first part, with the payloads of all. */
    static byte[] entity(SegmentOpener segments, Workspace workspace) throws IOException {
        ByteArrayOutputStream entity = new ByteArrayOutputStream();
        for (OpenedPart part = segments.nextPart(workspace); part != null; part = segments.nextPart(workspace)) {
            Slice piece = part.entityPiece();
            entity.write(piece.array(), piece.offset(), piece.length());
        }
        return entity.toByteArray();
    }
}
