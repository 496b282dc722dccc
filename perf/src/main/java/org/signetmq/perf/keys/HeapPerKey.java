/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.signetmq.keystore.EpochLimits;
import org.signetmq.keystore.KeyEpochs;
import org.signetmq.keystore.KeyPregenerator;
import org.signetmq.keystore.KeyUse;
import org.signetmq.keystore.PregenerationSettings;

/** What a key that lies ready takes of the heap. */
final class HeapPerKey {
    private static final int CAPACITY = 2000;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private static final int MOST_COLLECTIONS = 30;
    private static final long SETTLING_NANOS = 20_000_000;

    /** Eight bytes per key. */
    private static final long CLOSE_BYTES = 8 * CAPACITY;

    private HeapPerKey() {}

    /**
     * In bytes, from a pool of {@value #CAPACITY}; a message takes the first key, which starts the pool. What counts is
     * how much less there is once the pool is closed: what was garbage before it is gone by then.
     */
    static double of(KeyKind kind) {
        EpochLimits limits = new EpochLimits(1, Long.MAX_VALUE, Duration.ofHours(1));
        int threads = Runtime.getRuntime().availableProcessors();
        int keys;
        long full;
        try (KeyPregenerator pregenerator =
                        new KeyPregenerator(PregenerationSettings.of(threads, CAPACITY), System::nanoTime);
                KeyEpochs epochs = new KeyEpochs(kind.wrapping(), limits, System::nanoTime, pregenerator)) {
            KeyUse first = Objects.requireNonNull(epochs.next(0));
            first.close();
            await(pregenerator);
            keys = pregenerator.pooledKeys();
            full = used();
        }
        long taken = full - used();
        if (taken <= 0) {
            throw new IllegalStateException("heap: no larger with " + keys + " keys than without");
        }
        return (double) taken / keys;
    }

    private static void await(KeyPregenerator pregenerator) {
        long start = System.nanoTime();
        while (pregenerator.pooledKeys() < CAPACITY) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("pool: not full after a minute, but " + pregenerator.pooledKeys());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** What is kept: as much as another collection leaves too. */
    private static long used() {
        long before = usedAfterCollection();
        for (int i = 0; i < MOST_COLLECTIONS; i++) {
            LockSupport.parkNanos(SETTLING_NANOS); // what the last one found unused is being cleaned up
            long now = usedAfterCollection();
            if (Math.abs(now - before) <= CLOSE_BYTES) {
                return now;
            }
            before = now;
        }
        throw new IllegalStateException("heap: still changes after " + MOST_COLLECTIONS + " collections");
    }

    private static long usedAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
