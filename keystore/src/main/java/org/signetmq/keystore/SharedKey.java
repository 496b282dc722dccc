/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A data key that many messages use, each use numbered, up to exact limits. Without a lock: issuing a use is one
 * addition, and so is its return. The key is wiped when it was retired and as many uses came back as were issued.
 * Thread-safe.
 */
final class SharedKey {
    private static final long RETIRED = 1L << 62;
    private static final long NOT_RETIRED = -1;
    private static final long NOTHING = -1;

    private final PreparedKey prepared;
    private final EpochLimits limits;
    private final long ageNanos;
    private final long openedAt;

    /** Uses asked for, those beyond the limit as well; plus RETIRED. */
    private final AtomicLong asked = new AtomicLong();

    private final AtomicLong bytes = new AtomicLong(NOTHING);
    private final AtomicLong returned = new AtomicLong();

    /** How many uses were issued in all, once that is known. */
    private volatile long issued = NOT_RETIRED;

    SharedKey(PreparedKey prepared, EpochLimits limits, long now) {
        this.prepared = prepared;
        this.limits = limits;
        this.ageNanos = limits.ageNanos();
        this.openedAt = now;
    }

    /** The right to encrypt a message of so many bytes; null if the key has served its time. */
    @Nullable
    KeyUse next(long messageBytes, long now) {
        if (now - openedAt >= ageNanos) {
            return null;
        }
        if (!reserve(messageBytes)) {
            return null;
        }
        long number = asked.getAndIncrement();
        return number < limits.messages() ? new KeyUse(prepared, number, this) : null;
    }

    /** The first message may be of any size; it then is the only one. */
    private boolean reserve(long messageBytes) {
        while (true) {
            long before = bytes.get();
            if (before != NOTHING && messageBytes > limits.bytes() - before) {
                return false;
            }
            if (bytes.compareAndSet(before, before == NOTHING ? messageBytes : before + messageBytes)) {
                return true;
            }
        }
    }

    /** A use is over. */
    void giveBack() {
        if (returned.incrementAndGet() == issued) {
            wipe();
        }
    }

    /** Issues no more uses. Once only. */
    void retire() {
        issued = Math.min(asked.getAndAdd(RETIRED), limits.messages());
        if (returned.get() == issued) {
            wipe();
        }
    }

    /** Harmless when repeated: the last return and the retirement may both come here. */
    private void wipe() {
        prepared.key().close();
    }
}
