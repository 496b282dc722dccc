/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.Duration;

/**
 * The limits of one data key. The first limit that is reached ends its use.
 *
 * @param messages the most messages, from 1 to {@link #MOST_MESSAGES}
 * @param bytes the most payload bytes, from 1; a single larger message still gets its own key
 * @param age the longest time after the first use, above zero
 */
public record KeyLimits(long messages, long bytes, Duration age) {
    /** The most messages under one key for any policy: 2^32 (NIST SP 800-38D section 8.3). */
    public static final long MOST_MESSAGES = 1L << 32;

    /** The most bytes under one key for any policy: 2^46, far below the bound for AES-GCM. */
    public static final long MOST_BYTES = 1L << 46;

    /** The reuse of a confidentiality policy that does not name one. */
    public static final long DEFAULT_MESSAGES = 32;

    /** The age limit of a policy that does not name one. */
    public static final Duration DEFAULT_AGE = Duration.ofHours(1);

    /** A fresh key for each message. */
    public static final KeyLimits FRESH_KEY = new KeyLimits(1, MOST_BYTES, DEFAULT_AGE);

    /** The limits of a confidentiality policy that names none. */
    public static final KeyLimits DEFAULT = new KeyLimits(DEFAULT_MESSAGES, MOST_BYTES, DEFAULT_AGE);

    /** @throws IllegalArgumentException if a limit is outside its bounds */
    public KeyLimits {
        if (messages < 1 || messages > MOST_MESSAGES) {
            throw new IllegalArgumentException("messages: not between 1 and " + MOST_MESSAGES + ": " + messages);
        }
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("bytes: not between 1 and " + MOST_BYTES + ": " + bytes);
        }
        if (age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException("age: not above zero: " + age);
        }
    }
}
