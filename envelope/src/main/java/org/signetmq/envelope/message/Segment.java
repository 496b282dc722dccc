/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Malformed;

/**
 * The position of an envelope in a large message. Its text is {@code number [" last"]} without leading zeros.
 *
 * @param number from 1
 * @param last whether no other segment follows
 */
public record Segment(int number, boolean last) {
    /** Bytes of payload in a full segment. All segments of a message but the last are full. */
    public static final int FULL_LENGTH = 1 << 20;

    private static final String LAST = " last";
    private static final int MOST_DIGITS = 9; // so that the number cannot overflow

    public Segment {
        if (number < 1) {
            throw new IllegalArgumentException("segment: number below 1: " + number);
        }
    }

    /**
     * Reads the value of Signet-Segment.
     *
     * @throws MalformedEnvelopeException if it has another form
     */
    public static Segment parse(String value) {
        boolean last = value.endsWith(LAST);
        String digits = last ? value.substring(0, value.length() - LAST.length()) : value;
        boolean sound = !digits.isEmpty()
                && digits.length() <= MOST_DIGITS
                && digits.charAt(0) != '0'
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        Malformed.when(!sound, "segment: not a number from 1, optionally with ' last'");
        return new Segment(Integer.parseInt(digits), last);
    }

    @Override
    public String toString() {
        return last ? number + LAST : Integer.toString(number);
    }
}
