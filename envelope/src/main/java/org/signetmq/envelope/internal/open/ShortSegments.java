/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.message.Segment;

/**
 * Counts the segments of a large message that are not full. A writer fills all but the last; a row of short ones costs
 * more than its length. For one thread.
 */
public final class ShortSegments {
    private int count;

    /**
     * Counts a segment.
     *
     * @param length of its payload, or of as much as is seen of it
     * @throws MalformedEnvelopeException if it is one short segment too many
     */
    public void count(int length) {
        count = length < Segment.FULL_LENGTH ? count + 1 : 0;
        if (count > Limits.SHORT_SEGMENTS) {
            throw new MalformedEnvelopeException(
                    "segment: more than " + Limits.SHORT_SEGMENTS + " that are not full, one after the other");
        }
    }
}
