/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Counts the users of a secret, and wipes it after retirement and the last release. Thread-safe. */
public final class KeyUsage {
    private static final int RETIRED = 1 << 30;

    /** An updater, because each key in a cache has two counts: each would otherwise be another object to load. */
    private static final AtomicIntegerFieldUpdater<KeyUsage> STATE =
            AtomicIntegerFieldUpdater.newUpdater(KeyUsage.class, "state");

    /** The number of users, plus RETIRED after retirement. */
    private volatile int state;

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
        return STATE.getAndUpdate(this, seen -> seen >= RETIRED ? seen : seen + 1) < RETIRED;
    }

    /** Removes a user. Throws IllegalStateException if there is none. */
    public void release() {
        if (STATE.updateAndGet(this, KeyUsage::oneLess) == RETIRED) {
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
        if (STATE.getAndUpdate(this, seen -> seen | RETIRED) == 0) {
            wipe.run();
        }
    }

    /** Tells whether the secret is retired and has no user. */
    boolean isOver() {
        return state == RETIRED;
    }
}
