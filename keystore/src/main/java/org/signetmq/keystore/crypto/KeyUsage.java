/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the users of something secret, and says when the last one of a retired thing is out. Thread-safe. */
public final class KeyUsage {
    private static final int RETIRED = 1 << 30;

    /** Users, plus RETIRED. */
    private final AtomicInteger state = new AtomicInteger();

    private final Runnable wipe;

    /**
     * A count without users.
     *
     * @param wipe runs once, after retirement, after the last user
     */
    public KeyUsage(Runnable wipe) {
        this.wipe = wipe;
    }

    /** Counts in a user. The user must call {@link #release()}. False if retired. */
    public boolean acquire() {
        return state.getAndUpdate(seen -> seen >= RETIRED ? seen : seen + 1) < RETIRED;
    }

    public void release() {
        if (state.updateAndGet(KeyUsage::oneLess) == RETIRED) {
            wipe.run();
        }
    }

    private static int oneLess(int seen) {
        if (seen == 0 || seen == RETIRED) {
            throw new IllegalStateException("use count: released more often than acquired");
        }
        return seen - 1;
    }

    /** Admits no new user. Harmless when repeated. */
    public void retire() {
        if (state.getAndUpdate(seen -> seen | RETIRED) == 0) {
            wipe.run();
        }
    }

    /** Tells whether it is retired and has no user. */
    boolean isOver() {
        return state.get() == RETIRED;
    }
}
