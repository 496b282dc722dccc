/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.crypto.PreparedKey;
import org.signetmq.keystore.epoch.ClockJumpDetector.Moment;

/**
 * A data key that many messages use up to exact limits. Each use has a number. It takes no lock: a use costs one
 * addition, and so does its return. The key is wiped after its retirement and the return of all uses. Thread-safe.
 */
final class SharedDataKey implements KeyLease.Owner {
    private static final long RETIRED = 1L << 62;
    private static final long NOT_RETIRED = -1;
    private static final long NOTHING = -1;

    /** The distance between counters of different threads: two cache lines, which come in pairs. */
    private static final int APART = 16;

    /** The index of the counter of requested uses, also those beyond the limit; plus RETIRED. */
    private static final int ASKED = APART;

    /** The index of the counter of bytes. It shares a cache line with the counter before it. */
    private static final int BYTES = ASKED + 1;

    /** The index of the first counter of returned uses. The other counters follow at the distance. */
    private static final int RETURNED = ASKED + APART;

    /** The number of counters of returned uses, a power of two. */
    private static final int RETURNING =
            Integer.highestOneBit(Math.min(8, Runtime.getRuntime().availableProcessors()));

    private final PreparedKey prepared;
    private final EpochLimits limits;
    private final long ageNanos;
    private final long openedAt;
    private final long jumps;
    private final int noncePrefix;
    private final AtomicLongArray counters = new AtomicLongArray(RETURNED + RETURNING * APART);

    /** The number of all issued uses, known after retirement. */
    private volatile long issued = NOT_RETIRED;

    /**
     * Creates a key that is used from now on.
     *
     * @param noncePrefix the first 32 bits of all nonces of this key
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

    /** Returns the right to encrypt a message of this length; null if a limit of the key is reached. */
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

    /** Reserves bytes of the limit. The first message may exceed it, and is then the only one. */
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

    /** Issues no more uses. The caller calls it once. */
    void retire() {
        issued = Math.min(counters.getAndAdd(ASKED, RETIRED), limits.messages());
        wipeIfAllCameBack();
    }

    /** Wipes the key if all uses were returned. The last return or the retirement finds all others counted. */
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
