/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import org.signetmq.policy.KeyLimits;

/** The messages that share a data key: a number, 0 for a fresh key per message, or {@code unlimited}. */
public record Reuse(String label) {
    /** A fresh key for each message. */
    public static final Reuse NONE = new Reuse("0");
    /** As many messages as a policy allows. */
    public static final Reuse UNLIMITED = new Reuse("unlimited");

    public Reuse {
        if (!label.equals("unlimited") && !label.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("reuse: must be a number or 'unlimited', found '" + label + "'");
        }
    }

    /** Returns the number in JSON, or {@code unlimited}. */
    public Object json() {
        return label.equals("unlimited") ? label : Long.valueOf(label);
    }

    /** Returns the number of messages that a key serves, at least 1. */
    public long messagesPerKey() {
        return json() instanceof Long number ? Math.max(1, number) : KeyLimits.MOST_MESSAGES;
    }

    KeyLimits limits() {
        return new KeyLimits(messagesPerKey(), KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
    }
}
