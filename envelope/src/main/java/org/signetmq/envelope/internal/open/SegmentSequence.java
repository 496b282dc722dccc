/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Segment;

/** Checks that the parts of one message are complete and in order. For one thread. */
public final class SegmentSequence {
    private @Nullable OpenedPart first;
    private final ShortSegmentLimit shortOnes = new ShortSegmentLimit();
    private int count;
    private boolean complete;

    /** Checks the next part. */
    public void accept(OpenedPart part) {
        count++;
        if (complete) {
            throw new MalformedEnvelopeException("segment: another one follows the end of the message");
        }
        Segment segment = part.segment();
        if (first == null) {
            first = part;
        } else if (!part.isOfTheSameMessageAs(first)) {
            throw new MalformedEnvelopeException(
                    "segment: from another message, or with other header lines than the first segment");
        }
        if (segment == null) {
            requireAlone();
            complete = true;
            return;
        }
        if (segment.number() != count) {
            throw new MalformedEnvelopeException("segment: number " + segment.number() + " in place of " + count);
        }
        rejectTooLong(part.payload().length());
        shortOnes.count(part.payload().length());
        complete = segment.last();
    }

    private void requireAlone() {
        if (count > 1) {
            throw new MalformedEnvelopeException("segment: without a number");
        }
    }

    /** Checks that the message is complete. */
    public void end() {
        if (!complete) {
            throw new MalformedEnvelopeException(
                    "segment: the message ends after number " + count + ", before its last");
        }
    }

    /**
     * Rejects a single envelope that is only a part of a message. its position, or null
     *
     * @throws MalformedEnvelopeException if it is not the only segment
     */
    static void rejectIncomplete(@Nullable Segment segment, int payloadLength) {
        if (segment == null) {
            return;
        }
        if (segment.number() != 1 || !segment.last()) {
            throw new MalformedEnvelopeException("segment: only a part of a large message");
        }
        rejectTooLong(payloadLength);
    }

    private static void rejectTooLong(int payloadLength) {
        if (payloadLength > Segment.FULL_LENGTH) {
            throw new MalformedEnvelopeException("segment: more than " + Segment.FULL_LENGTH + " bytes of payload");
        }
    }
}
