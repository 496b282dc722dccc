/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the users of a secret, and wipes it after retirement and the last release. Thread-safe. */
public final class KeyUsage {
    private static final int RETIRED = 1 << 30;

    /** The number of users, plus RETIRED after retirement. */
    private final AtomicInteger state = new AtomicInteger();

    private final Runnable wipe;

    /**
     * Creates a count without users.
     *
     * @param wipe runs once, after retirement and the last release
     */
    public KeyUsage(Runnable wipe) {
        this.wipe = wipe;
    }

    /** Adds a user, which must call {@link #release()}. Returns false after retirement. */
    public boolean acquire() {
        return state.getAndUpdate(seen -> seen >= RETIRED ? seen : seen + 1) < RETIRED;
    }

    /** Removes a user. Throws IllegalStateException if there is none. */
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

    /** Admits no new user. A second call has no effect. */
    public void retire() {
        if (state.getAndUpdate(seen -> seen | RETIRED) == 0) {
            wipe.run();
        }
    }

    /** Tells whether the secret is retired and has no user. */
    boolean isOver() {
        return state.get() == RETIRED;
    }
}
