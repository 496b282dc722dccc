/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.message.Segment;

/**
 * Counts the successive segments of a large message that are not full. A sealer fills all but the last one, and short
 * segments cost more than their length. For one thread.
 */
public final class ShortSegmentLimit {
    private int count;

    /** Counts a segment by the length of its payload, or of its envelope if the payload is encrypted. */
    public void count(int length) {
        count = length < Segment.FULL_LENGTH ? count + 1 : 0;
        Malformed.when(
                count > Limits.SHORT_SEGMENTS,
                "segment: more than " + Limits.SHORT_SEGMENTS + " that are not full, one after the other");
    }
}
