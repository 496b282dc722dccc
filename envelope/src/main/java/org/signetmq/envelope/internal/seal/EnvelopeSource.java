/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.EncodingMemory;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.Deflation;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.PayloadEncoding;
import org.signetmq.envelope.message.Segment;

/**
 * The input of one envelope.
 *
 * @param message the values of the header, except the segment
 * @param payload the payload of this envelope: all of the message or one segment
 * @param messageId 16 bytes; null for the identifier of the message
 * @param segment the position in a large message, or null
 * @param memory takes the envelope; null for a new array
 */
public record EnvelopeSource(
        ClearMessage message,
        Slice payload,
        byte @Nullable [] messageId,
        @Nullable Segment segment,
        @Nullable EncodingMemory memory) {
    /** Returns the identifier that a message has already; null if it has none. */
    public static byte @Nullable [] givenId(ClearMessage message) {
        String hex = message.messageId();
        return hex == null ? null : HexFormat.of().parseHex(hex);
    }

    /** Returns the source for a whole message. */
    public static EnvelopeSource of(ClearMessage message) {
        byte[] payload = message.body().encoding() == PayloadEncoding.DEFLATE
                ? Deflation.deflate(message.payload())
                : message.payload();
        return new EnvelopeSource(message, Slice.of(payload), null, null, null);
    }
}
