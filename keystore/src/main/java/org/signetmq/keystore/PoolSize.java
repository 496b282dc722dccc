/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/**
 * How many keys a pool should hold. Fixed, or learnt: it begins with two when the first key is asked for, doubles
 * whenever the pool was found dry, and halves down to two for each minute in which nobody asked. Guarded by its pool.
 */
final class PoolSize {
    private static final int FIRST = 2;
    private static final int MOST_KEYS = 256;
    private static final int MOST_WRAPPED_BYTES = 1 << 20;
    private static final long IDLE_NANOS = 60_000_000_000L;

    private final int fixed;
    private int learnt;
    private int most = FIRST; // until the size of one is known
    private long since;

    private PoolSize(int fixed) {
        this.fixed = fixed;
    }

    static PoolSize fixed(int keys) {
        return new PoolSize(keys);
    }

    static PoolSize learning() {
        return new PoolSize(-1);
    }

    int target() {
        return fixed >= 0 ? fixed : Math.min(learnt, most);
    }

    /** What the wrapped form of a key takes bounds how many are held. */
    void measured(int wrappedBytes) {
        most = Math.max(FIRST, Math.min(MOST_KEYS, MOST_WRAPPED_BYTES / Math.max(1, wrappedBytes)));
    }

    void used(long now) {
        since = now;
    }

    void ranDry() {
        learnt = Math.min(Math.max(FIRST, 2 * learnt), MOST_KEYS);
    }

    void shrinkIfIdle(long now) {
        if (learnt > FIRST && now - since >= IDLE_NANOS) {
            learnt /= 2;
            since = now;
        }
    }
}
