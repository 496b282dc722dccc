/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the users of something secret, and says when the last one of a retired thing is out. Thread-safe. */
public final class UseCount {
    private static final int RETIRED = 1 << 30;

    /** Users, plus RETIRED. */
    private final AtomicInteger state = new AtomicInteger();

    private final Runnable wipe;

    /**
     * A count of nobody.
     *
     * @param wipe run once, after retirement, when nobody is in
     */
    public UseCount(Runnable wipe) {
        this.wipe = wipe;
    }

    /** Counts in a user, who must {@link #release()}. False if retired. */
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

    /** Lets nobody new in. Harmless when repeated. */
    public void retire() {
        while (true) {
            int seen = state.get();
            if (seen >= RETIRED) {
                return;
            }
            if (state.compareAndSet(seen, seen + RETIRED)) {
                if (seen == 0) {
                    wipe.run();
                }
                return;
            }
        }
    }

    /** Whether retired, with nobody left in. */
    boolean isOver() {
        return state.get() == RETIRED;
    }
}
