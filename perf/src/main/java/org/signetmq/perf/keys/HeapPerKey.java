/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.keystore.epoch.KeyPregenerator;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.perf.result.Result;

/** Measures the heap that a key takes while it lies ready. */
final class HeapPerKey {
    private static final int CAPACITY = 2000;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private static final int MOST_COLLECTIONS = 30;
    private static final long SETTLING_NANOS = 20_000_000;

    /** Eight bytes per key. */
    private static final long CLOSE_BYTES = 8 * CAPACITY;

    /** Now and then the collector counts a whole region more or less, which is as much as all the keys. */
    private static final int MEASUREMENTS = 5;

    private HeapPerKey() {}

    static Result row(MeasuredWrapping keys) {
        System.err.println("[heap] " + keys.name());
        return row(keys.name(), of(keys));
    }

    static Result row(String keys, double bytesPerKey) {
        return Result.EMPTY.with("experiment", "E1c heap").with("keys", keys).with("bytes_per_key", bytesPerKey);
    }

    /** Returns bytes: the middle one of several measurements. */
    static double of(MeasuredWrapping keys) {
        double bytes = DoubleStream.generate(() -> measure(keys))
                .limit(MEASUREMENTS)
                .sorted()
                .skip(MEASUREMENTS / 2)
                .findFirst()
                .orElseThrow();
        if (bytes <= 0) {
            throw new IllegalStateException("heap: no larger with " + CAPACITY + " keys than without");
        }
        return bytes;
    }

    /**
     * Compares the heap before and after a pool is closed: other garbage is gone by then. A message takes the first
     * key, which starts the pool.
     */
    private static double measure(MeasuredWrapping keys) {
        PregenerationSettings settings =
                PregenerationSettings.of(Runtime.getRuntime().availableProcessors(), CAPACITY);
        int pooled;
        long full;
        try (KeyPregenerator pregenerator =
                        new KeyPregenerator(settings, System::nanoTime, MeasuredWrapping.PROVIDERS);
                KeyEpochs epochs = new KeyEpochs(keys.wrapping(), MeasuredWrapping.ONE_MESSAGE, pregenerator)) {
            Objects.requireNonNull(epochs.next(0)).close();
            long start = System.nanoTime();
            while (pregenerator.pooledKeys() < CAPACITY) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw new IllegalStateException("pool: not full after a minute, but " + pregenerator.pooledKeys());
                }
                LockSupport.parkNanos(1_000_000);
            }
            pooled = pregenerator.pooledKeys();
            full = used();
        }
        return (double) (full - used()) / pooled;
    }

    /** Returns the bytes in use once another collection frees no more. */
    private static long used() {
        long before = 0;
        for (int i = 0; i < MOST_COLLECTIONS; i++) {
            System.gc();
            long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            if (Math.abs(now - before) <= CLOSE_BYTES) {
                return now;
            }
            before = now;
            LockSupport.parkNanos(SETTLING_NANOS); // cleaners still free objects that the last collection found
        }
        throw new IllegalStateException("heap: still changes after " + MOST_COLLECTIONS + " collections");
    }
}
