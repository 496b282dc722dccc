/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The limits of one data key. The first limit that is reached ends its use.
 *
 * @param messages the most messages, from 1 to 2^32
 * @param bytes the most bytes, at least 1; a larger message gets its own key
 * @param age the longest time after the first use, above zero
 */
public record EpochLimits(long messages, long bytes, Duration age) {
    private static final long MOST_MESSAGES = 1L << 32; // NIST SP 800-38D section 8.3

    /** @throws IllegalArgumentException if a limit is outside its bounds */
    public EpochLimits {
        if (messages < 1) {
            throw new IllegalArgumentException("messages: fewer than 1: " + messages);
        }
        if (messages > MOST_MESSAGES) {
            throw new IllegalArgumentException("messages: more than one key may serve: " + messages);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes: fewer than 1: " + bytes);
        }
        if (age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException("age: not above zero: " + age);
        }
    }

    /** Returns the age in nanoseconds, or {@link Long#MAX_VALUE} for ages of centuries. */
    long ageNanos() {
        return TimeUnit.NANOSECONDS.convert(age); // saturates
    }
}
