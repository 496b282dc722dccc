/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Segment;

/** Whether the parts of a message are all there, in their order, and of one message. For one thread. */
public final class SegmentSequence {
    private @Nullable OpenedPart first;
    private final ShortSegments shortOnes = new ShortSegments();
    private int count;
    private boolean complete;

    /**
     * Takes the next part.
     *
     * @throws MalformedEnvelopeException if it is not the one that must follow
     */
    public void accept(OpenedPart part) {
        count++;
        if (complete) {
            throw new MalformedEnvelopeException("segment: more follows the end of the message");
        }
        Segment segment = part.segment();
        if (first == null) {
            first = part;
        } else if (!part.isOfTheSameMessageAs(first)) {
            throw new MalformedEnvelopeException("segment: not of the message that it follows, or not like the others");
        }
        if (segment == null) {
            requireAlone();
            complete = true;
            return;
        }
        if (segment.number() != count) {
            throw new MalformedEnvelopeException(
                    "segment: number " + segment.number() + " where " + count + " must be");
        }
        refuseTooLong(part.payload().length());
        shortOnes.count(part.payload().length());
        complete = segment.last();
    }

    private void requireAlone() {
        if (count > 1) {
            throw new MalformedEnvelopeException("segment: without a number");
        }
    }

    /**
     * To be called where nothing follows.
     *
     * @throws MalformedEnvelopeException if more should
     */
    public void end() {
        if (!complete) {
            throw new MalformedEnvelopeException(
                    "segment: the message ends after number " + count + ", before its last");
        }
    }

    /**
     * Refuses an envelope by itself that is but a part.
     *
     * @param segment its place, or null
     * @throws MalformedEnvelopeException if it is not the only one
     */
    static void refuseIncomplete(@Nullable Segment segment, int payloadLength) {
        if (segment == null) {
            return;
        }
        if (segment.number() != 1 || !segment.last()) {
            throw new MalformedEnvelopeException("segment: a part of a large message without the others");
        }
        refuseTooLong(payloadLength);
    }

    private static void refuseTooLong(int payloadLength) {
        if (payloadLength > Segment.FULL_LENGTH) {
            throw new MalformedEnvelopeException("segment: more than " + Segment.FULL_LENGTH + " bytes of payload");
        }
    }
}
