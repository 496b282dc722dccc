/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends pairs when it is closed, or when a signal ends this process. Thread-safe. */
public final class EndOfPairs implements AutoCloseable {
    /** The terminal's signal may reach a process of a pair first. Its failure must not be taken for a result. */
    private static final int SIGNAL_MILLIS = 1_000;

    private final Runnable end;
    private final CountDownLatch signal = new CountDownLatch(1);
    private final Thread endedBySignal = new Thread(this::endBySignal, "signet-perf-end");

    /**
     * Waits for a signal from now on.
     *
     * @param end ends them; it may run twice, and in any thread
     */
    public EndOfPairs(Runnable end) {
        this.end = end;
        Runtime.getRuntime().addShutdownHook(endedBySignal);
    }

    private void endBySignal() {
        signal.countDown();
        end.run();
    }

    /**
     * Checks that no signal made a pair fail.
     *
     * @throws InterruptedException if a signal has come, or comes within a second
     */
    public void requireNoSignal() throws InterruptedException {
        if (signal.await(SIGNAL_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("ended by a signal");
        }
    }

    @Override
    public void close() {
        end.run();
        try {
            Runtime.getRuntime().removeShutdownHook(endedBySignal);
        } catch (IllegalStateException itRuns) {
            // a signal has ended us
        }
    }
}
