/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Begins and ends the parts of a block for all its threads, and collects the latencies of a part. Thread-safe. */
final class Watch {
    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final int DIGITS = 3;

    private final Recorder latencies = new Recorder(LONGEST_MICROS, DIGITS);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean over;
    private volatile boolean anyRoundTrip;
    private volatile @Nullable Throwable failure;

    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    boolean isOver() {
        return over;
    }

    void roundTripDone(long nanos) {
        latencies.recordValue(Math.min(LONGEST_MICROS, nanos / 1_000));
        anyRoundTrip = true;
    }

    /** Ends the block early; the first cause counts. */
    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        end();
        failed.countDown();
    }

    void end() {
        over = true;
        begun.countDown();
    }

    /**
     * Begins a part, and waits until its time is over and there was a round trip at all: a busy machine may need
     * longer.
     */
    void pass(long millis) throws InterruptedException {
        anyRoundTrip = false;
        begun.countDown();
        boolean hasFailed = failed.await(millis, TimeUnit.MILLISECONDS);
        while (!hasFailed && !anyRoundTrip) {
            hasFailed = failed.await(1, TimeUnit.MILLISECONDS); // a requester gives up in the end
        }
        check();
    }

    /** Returns the latencies, in microseconds, since they were taken last. */
    Histogram takeLatencies() {
        return latencies.getIntervalHistogram();
    }

    void check() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException("block: " + cause, cause);
        }
    }
}
