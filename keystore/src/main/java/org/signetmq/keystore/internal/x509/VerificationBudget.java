/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.util.concurrent.atomic.LongAdder;

/** Limits the signature verifications that one certificate may cost. For one thread. */
public final class VerificationBudget {
    /** With the three signatures on content that a message may cost these are eight. */
    public static final int LIMIT = 5;

    private final LongAdder total;
    private int left;

    /**
     * A full budget.
     *
     * @param total counts the spending of all budgets
     */
    public VerificationBudget(LongAdder total) {
        this(LIMIT, total);
    }

    private VerificationBudget(int left, LongAdder total) {
        this.left = left;
        this.total = total;
    }

    /** Spends this many verifications. Spends none and returns false if fewer are left. */
    boolean spend(int count) {
        if (count > left) {
            return false;
        }
        left -= count;
        total.add(count);
        return true;
    }

    /** Whether anything was spent. */
    public boolean isTouched() {
        return left < LIMIT;
    }

    /** Whether this many would be left after one more. */
    boolean leavesAfterOne(int count) {
        return left - 1 >= count;
    }
}
