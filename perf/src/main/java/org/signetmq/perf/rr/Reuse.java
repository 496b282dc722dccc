/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import org.signetmq.policy.KeyLimits;

/**
 * How many messages share a data key.
 *
 * @param label a number, 0 for a fresh key per message, or {@code unlimited}
 */
record Reuse(String label) {
    static final Reuse NONE = new Reuse("0");
    static final Reuse UNLIMITED = new Reuse("unlimited");

    Reuse {
        if (!label.equals("unlimited") && !label.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("reuse: must be a number or 'unlimited', found '" + label + "'");
        }
    }

    private boolean unlimited() {
        return label.equals("unlimited");
    }

    KeyLimits limits() {
        long messages = unlimited() ? KeyLimits.MOST_MESSAGES : Math.max(1, Long.parseLong(label));
        return new KeyLimits(messages, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
    }

    /** A number where it is one. */
    Object json() {
        return unlimited() ? label : Long.valueOf(label);
    }
}
