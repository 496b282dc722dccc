/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

/**
 * How many keys a pool should hold. Fixed, or learnt: it begins with two when the first key is asked for; when it was
 * found dry it grows to four times what was taken since it was last full, and to twice the number of its makers; after
 * a burst it grows to four times the burst, also where the makers kept up with it; it halves for each minute in which
 * less than a quarter of it was taken. Guarded by its pool.
 */
final class PoolSize {
    static final int FIRST = 2;
    static final int MOST_KEYS = 2048;
    private static final int MOST_BYTES = 4 << 20;
    private static final long SHRINK_NANOS = 60_000_000_000L;
    private static final long PAUSE_NANOS = 5_000_000; // ends a burst

    private final int fixed;
    private int learnt;
    private int most = FIRST; // until the size of one is known
    private int sinceFull;
    private int burst; // taken without a pause
    private long last; // when one was taken
    private long lately; // taken since the time below
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

    /**
     * The makers are called when no more than so many are left. A learnt size is four bursts: they come when the burst
     * is over, not while it needs the cores, and have the pause after it for the keys of one burst alone.
     */
    int refillAt() {
        return isFixed() ? fixed / 2 : target() * 3 / 4;
    }

    /** What a key takes bounds how many are held. */
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

    /** Not from what no pool can hold four times: a stream has no end that makers could wait for. */
    private void learnBurst() {
        if (4 * burst <= MOST_KEYS) {
            learnt = Math.max(learnt, 4 * burst);
        }
        burst = 0;
    }

    void ranDry(int makers) {
        int wanted = Math.max(Math.max(4 * sinceFull, 2 * makers), FIRST);
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
