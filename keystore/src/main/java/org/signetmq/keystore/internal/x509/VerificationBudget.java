/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.util.concurrent.atomic.LongAdder;

/** The signature verifications that remain for one certificate. For one thread. */
public final class VerificationBudget {
    /** The most verifications for one certificate. With the three signatures of a message's content these are eight. */
    public static final int LIMIT = 5;

    private final LongAdder total;
    private int left;

    /**
     * Creates a full budget.
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

    /** Takes this number of verifications. Takes none and returns false if fewer remain. */
    public boolean spend(int count) {
        if (count > left) {
            return false;
        }
        left -= count;
        total.add(count);
        return true;
    }

    /** Tells whether a verification was taken. */
    public boolean isTouched() {
        return left < LIMIT;
    }

    /** Tells whether this number would remain after one more. */
    boolean leavesAfterOne(int count) {
        return left - 1 >= count;
    }
}
