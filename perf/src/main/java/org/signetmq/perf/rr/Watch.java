/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Runs the threads of a block, begins and ends its parts, and collects the latencies of a part. Thread-safe. */
final class Watch {
    private static final long PATIENCE_SECONDS = 60;
    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CompletionService<Void> ended = new ExecutorCompletionService<>(threads);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Recorder latencies = new Recorder(LONGEST_MICROS, 3);
    private volatile boolean over;
    private volatile boolean anyRoundTrip;

    /** Runs a participant in a thread of its own. If it ends before the block is over, it has failed. */
    void start(Callable<Void> participant) {
        ended.submit(participant);
    }

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

    /**
     * Begins a part, and waits until its time is over and there was a round trip at all: a busy machine may need
     * longer. It throws the failure of a participant at once.
     */
    void pass(long millis) throws InterruptedException {
        anyRoundTrip = false;
        begun.countDown();
        check(ended.poll(millis, TimeUnit.MILLISECONDS));
        while (!anyRoundTrip) {
            check(ended.poll(1, TimeUnit.MILLISECONDS)); // a requester gives up in the end
        }
    }

    /** Returns the latencies, in microseconds, since they were taken last. */
    Histogram takeLatencies() {
        return latencies.getIntervalHistogram();
    }

    /** Ends the block, and waits for the last round trips of its requesters. */
    void end(int requesters) throws InterruptedException {
        over = true;
        for (int i = 0; i < requesters; i++) {
            check(inTime(ended.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)));
        }
    }

    /** Waits for all threads, once their connections are closed. */
    void close() throws InterruptedException {
        over = true;
        begun.countDown();
        threads.shutdown();
        inTime(threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS) ? threads : null);
    }

    private static <T> T inTime(@Nullable T ended) {
        if (ended == null) {
            throw new IllegalStateException("threads: do not end within " + PATIENCE_SECONDS + " s");
        }
        return ended;
    }

    private static void check(@Nullable Future<Void> ended) throws InterruptedException {
        try {
            if (ended != null) {
                ended.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("block: " + e.getCause(), e.getCause());
        }
    }
}
