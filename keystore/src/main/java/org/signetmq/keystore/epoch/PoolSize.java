/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

/**
 * The number of keys that a pool should hold. It is fixed or learnt. The learnt size begins with two keys. If a thread
 * finds the pool empty, it grows to the larger of four times the keys since it was last full and twice the generators.
 * After a burst it grows to four times the burst. After a minute with less than a quarter in use, it halves. The pool
 * guards it.
 */
final class PoolSize {
    static final int FIRST = 2;
    static final int MOST_KEYS = 2048;
    private static final int MOST_BYTES = 4 << 20;
    private static final long SHRINK_NANOS = 60_000_000_000L;
    static final long PAUSE_NANOS = 5_000_000; // the pause that ends a burst

    private final int fixed;
    private int learnt;
    private int most = FIRST; // until the size of a key is known
    private int sinceFull;
    private int burst; // keys taken without a pause
    private long last; // the time of the last key
    private long lately; // keys taken since the time below
    private long since;

    private PoolSize(int fixed, long now) {
        this.fixed = fixed;
        this.since = now;
        this.last = now;
    }

    static PoolSize fixed(int keys) {
        return new PoolSize(keys, 0);
    }

    static PoolSize learning(long now) {
        return new PoolSize(-1, now);
    }

    private boolean isFixed() {
        return fixed >= 0;
    }

    int target() {
        return isFixed() ? fixed : Math.min(learnt, most);
    }

    /** Returns the number of keys at which the generators start, so that they work in the pause after a burst. */
    int refillAt() {
        return isFixed() ? fixed / 2 : target() * 3 / 4;
    }

    /** Limits the number of keys by the size of a key in bytes. */
    void measured(int bytes) {
        most = Math.max(FIRST, Math.min(MOST_KEYS, MOST_BYTES / Math.max(1, bytes)));
    }

    void taken(long now) {
        if (now - last >= PAUSE_NANOS) {
            learnBurst();
        }
        last = now;
        burst = Math.min(burst + 1, MOST_KEYS);
        sinceFull = Math.min(sinceFull + 1, MOST_KEYS);
        lately++;
    }

    /** Learns the size of a burst. A longer burst is a stream, and does not count. */
    private void learnBurst() {
        if (4 * burst <= MOST_KEYS) {
            learnt = Math.max(learnt, 4 * burst);
        }
        burst = 0;
    }

    void ranDry(int generators) {
        int wanted = Math.max(Math.max(4 * sinceFull, 2 * generators), FIRST);
        learnt = Math.max(learnt, Math.min(wanted, MOST_KEYS));
    }

    void full() {
        sinceFull = 0;
    }

    void shrinkIfIdle(long now) {
        if (now - since >= SHRINK_NANOS) {
            if (learnt > FIRST && 4 * lately < learnt) {
                learnt = Math.max(FIRST, learnt / 2);
            }
            lately = 0;
            since = now;
        }
    }
}
