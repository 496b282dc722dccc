/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A limit on a rate: a bucket that fills with time until it is full. A thread that takes more than it holds waits until
 * the rest has come in. For one thread.
 */
final class Throttle implements LongConsumer {
    private final double nanosPerByte;
    private final long nanosToFill;
    private final LongSupplier nanoTime;
    private final LongConsumer sleep;
    private long paid; // the time at which the rate allows all bytes taken so far

    /** Creates an empty bucket of this capacity in bytes, which fills by this many bytes a second. */
    Throttle(double rate, long capacity, LongSupplier nanoTime, LongConsumer sleep) {
        this.nanosPerByte = 1e9 / rate;
        this.nanosToFill = Math.round(capacity * nanosPerByte);
        this.nanoTime = nanoTime;
        this.sleep = sleep;
        this.paid = nanoTime.getAsLong();
    }

    /** Creates a bucket that keeps real time. */
    Throttle(double rate, long capacity) {
        this(rate, capacity, System::nanoTime, Throttle::sleep);
    }

    /** Takes bytes, and returns when the rate allows them; at once if the thread is interrupted. */
    @Override
    public void accept(long bytes) {
        long now = nanoTime.getAsLong();
        long unused = Math.min(now - paid, nanosToFill);
        paid = now - unused + Math.round(bytes * nanosPerByte);
        if (paid - now > 0) {
            sleep.accept(paid - now);
        }
    }

    private static void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
