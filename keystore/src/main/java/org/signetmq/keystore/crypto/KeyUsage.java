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
        while (true) {
            int seen = state.get();
            if (seen >= RETIRED) {
                return false;
            }
            if (state.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    public void release() {
        while (true) {
            int seen = state.get();
            if (seen == 0 || seen == RETIRED) {
                throw new IllegalStateException("use count: released more often than acquired");
            }
            if (state.compareAndSet(seen, seen - 1)) {
                if (seen - 1 == RETIRED) {
                    wipe.run();
                }
                return;
            }
        }
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
