/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.util.concurrent.TimeUnit;

/** Bounds the messages that one request looks at, and its time. For one thread. */
final class LookBudget {
    /** The greatest number of messages of a request. */
    static final int MOST = 100_000;

    /** The greatest number of messages of one queue, so that a long queue leaves some for the others. */
    static final int MOST_OF_QUEUE = 10_000;

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

    private final long begun = System.nanoTime();
    private int taken;

    /** Takes one message of a queue, and returns whether it may be looked at. */
    boolean take(int takenOfQueue) {
        if (takenOfQueue >= MOST_OF_QUEUE || isSpent()) {
            return false;
        }
        taken++;
        return true;
    }

    /** Returns whether no further message may be looked at. */
    boolean isSpent() {
        return taken >= MOST || System.nanoTime() - begun >= LONGEST;
    }
}
