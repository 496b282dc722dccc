/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Memory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.Deflation;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.envelope.message.Segment;

/**
 * What one envelope is made of.
 *
 * @param message says all of its header but identifier and place
 * @param payload the payload, which need not be that of the message
 * @param messageId 16 bytes, or null for new ones
 * @param segment the place in a large message, or null
 * @param memory where the envelope is made, or null for an array of its own
 */
public record Piece(
        ClearMessage message,
        Slice payload,
        byte @Nullable [] messageId,
        @Nullable Segment segment,
        @Nullable Memory memory) {

    /** A whole message. */
    public static Piece of(ClearMessage message) {
        byte[] payload = message.body().encoding() == PayloadEncoding.DEFLATE
                ? Deflation.deflate(message.payload())
                : message.payload();
        return new Piece(message, Slice.of(payload), null, null, null);
    }

    byte[] messageIdOr(Supplier<byte[]> another) {
        return messageId == null ? another.get() : messageId;
    }
}
