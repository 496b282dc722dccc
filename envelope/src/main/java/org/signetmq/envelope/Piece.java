/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one envelope is made of.
 *
 * @param message says all of its header but identifier and place
 * @param payload the payload, which need not be that of the message
 * @param messageId 16 bytes, or null for new ones
 * @param segment the place in a large message, or null
 * @param memory where the envelope is made, or null for an array of its own
 */
record Piece(
        ClearMessage message,
        Slice payload,
        byte @Nullable [] messageId,
        @Nullable Segment segment,
        @Nullable Memory memory) {

    /** A whole message. */
    static Piece of(ClearMessage message) {
        return new Piece(message, Slice.of(message.payload()), null, null, null);
    }

    byte[] messageIdOr(Supplier<byte[]> another) {
        return messageId == null ? another.get() : messageId;
    }
}
