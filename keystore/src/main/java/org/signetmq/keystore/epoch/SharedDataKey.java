/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.crypto.PreparedKey;

/**
 * A data key that many messages use, each use numbered, up to exact limits. Without a lock: issuing a use is one
 * addition, and so is its return. The key is wiped when it was retired and as many uses came back as were issued.
 * Thread-safe.
 */
final class SharedDataKey implements KeyLease.Owner {
    private static final long RETIRED = 1L << 62;
    private static final long NOT_RETIRED = -1;
    private static final long NOTHING = -1;

    /** Places between counters of different threads: two lines of the processor's cache, which come in pairs. */
    private static final int APART = 16;

    /** Where uses asked for are counted, those beyond the limit as well; plus RETIRED. Nothing is written before it. */
    private static final int ASKED = APART;

    /** Where bytes are counted: written together with the one before. */
    private static final int BYTES = ASKED + 1;

    /** Where the first threads count the uses that they return; the next ones follow apart from it. */
    private static final int RETURNED = ASKED + APART;

    /** How many threads that return uses do not disturb each other. A power of two. */
    private static final int RETURNING =
            Integer.highestOneBit(Math.min(8, Runtime.getRuntime().availableProcessors()));

    private final PreparedKey prepared;
    private final EpochLimits limits;
    private final long ageNanos;
    private final long openedAt;
    private final long jumps;
    private final int noncePrefix;
    private final AtomicLongArray counters = new AtomicLongArray(RETURNED + RETURNING * APART);

    /** How many uses were issued in all, once that is known. */
    private volatile long issued = NOT_RETIRED;

    /**
     * A key that is used from now on.
     *
     * @param noncePrefix drawn now
     */
    SharedDataKey(PreparedKey prepared, EpochLimits limits, Moment now, int noncePrefix) {
        this.prepared = prepared;
        this.limits = limits;
        this.ageNanos = limits.ageNanos();
        this.openedAt = now.nanos();
        this.jumps = now.jumps();
        this.noncePrefix = noncePrefix;
        counters.setPlain(BYTES, NOTHING);
    }

    /** The right to encrypt a message of this length; null if the key has served its time. */
    @Nullable
    KeyLease next(long messageBytes, long now, long jumpsNow) {
        if (now - openedAt >= ageNanos || jumpsNow != jumps) {
            return null;
        }
        if (!reserve(messageBytes)) {
            return null;
        }
        long number = counters.getAndIncrement(ASKED);
        return number < limits.messages() ? new KeyLease(prepared, noncePrefix, number, this) : null;
    }

    /** The first message may be of any size; it then is the only one. */
    private boolean reserve(long messageBytes) {
        while (true) {
            long before = counters.get(BYTES);
            if (before != NOTHING && messageBytes > limits.bytes() - before) {
                return false;
            }
            if (counters.compareAndSet(BYTES, before, before == NOTHING ? messageBytes : before + messageBytes)) {
                return true;
            }
        }
    }

    @Override
    public void giveBack() {
        int thread = (int) Thread.currentThread().getId() & (RETURNING - 1);
        counters.getAndIncrement(RETURNED + thread * APART);
        wipeIfAllCameBack();
    }

    /** Issues no more uses. Once only. */
    void retire() {
        issued = Math.min(counters.getAndAdd(ASKED, RETIRED), limits.messages());
        wipeIfAllCameBack();
    }

    /** The last event, the return of a use or the retirement, finds all others counted. Several may: no harm. */
    private void wipeIfAllCameBack() {
        long all = issued;
        if (all != NOT_RETIRED && all == returned()) {
            prepared.key().close();
        }
    }

    private long returned() {
        long sum = 0;
        for (int thread = 0; thread < RETURNING; thread++) {
            sum += counters.get(RETURNED + thread * APART);
        }
        return sum;
    }
}
