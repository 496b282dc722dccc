/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
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
        Malformed.when(complete, "segment: another one follows the end of the message");
        Segment segment = part.segment();
        if (first == null) {
            first = part;
        } else {
            Malformed.when(
                    !part.isOfTheSameMessageAs(first),
                    "segment: from another message, or with other header lines than the first segment");
        }
        if (segment == null) {
            Malformed.when(count > 1, "segment: without a number");
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

    /** Checks that the message is complete. */
    public void end() {
        if (!complete) {
            throw new MalformedEnvelopeException(
                    "segment: the message ends after number " + count + ", before its last");
        }
    }

    /** Rejects a single envelope if its position shows that it is only a part of a message. */
    static void rejectIncomplete(@Nullable Segment segment, int payloadLength) {
        if (segment != null) {
            Malformed.when(segment.number() != 1 || !segment.last(), "segment: only a part of a large message");
            rejectTooLong(payloadLength);
        }
    }

    private static void rejectTooLong(int payloadLength) {
        Malformed.when(
                payloadLength > Segment.FULL_LENGTH, "segment: more than " + Segment.FULL_LENGTH + " bytes of payload");
    }

    /**
     * Counts the successive segments of a large message that are not full. A sealer fills all but the last one, and
     * short segments cost more than their length. For one thread.
     */
    public static final class ShortSegmentLimit {
        private int count;

        /** Counts a segment by the length of its payload, or of its envelope if the payload is encrypted. */
        public void count(int length) {
            count = length < Segment.FULL_LENGTH ? count + 1 : 0;
            Malformed.when(
                    count > Limits.SHORT_SEGMENTS,
                    "segment: more than " + Limits.SHORT_SEGMENTS + " that are not full, one after the other");
        }
    }
}
