/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets requesters work, rest and end. Thread-safe. */
final class Gate {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final int requesters;
    private int resting;
    private volatile @Nullable Pace pace;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    Gate(int requesters) {
        this.requesters = requesters;
    }

    /**
     * The times of requests.
     *
     * @param begin in nanoseconds of {@link System#nanoTime}
     * @param interval nanoseconds between two requests of all requesters together; 0 if each follows its reply at once
     */
    record Pace(long begin, double interval) {
        /** Returns when a requester sends its first request. */
        long first(int requester) {
            return begin + (long) (interval * requester);
        }
    }

    /** Returns the pace at which to go on, after any rest; null if all is over. */
    @Nullable
    Pace awaitPace() throws InterruptedException {
        Pace now = pace;
        return now != null && !over ? now : rest();
    }

    private synchronized @Nullable Pace rest() throws InterruptedException {
        resting++;
        notifyAll();
        while (pace == null && !over) {
            wait();
        }
        resting--;
        return over ? null : pace;
    }

    /** Lets all requesters work. */
    synchronized void open(Pace next) {
        pace = next;
        notifyAll();
    }

    /** Has all requesters rest, and waits until they do. */
    synchronized void awaitRest() throws InterruptedException {
        pace = null;
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (resting < requesters) {
            check();
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException("requesters: do not rest within 90 s");
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    synchronized void end() {
        over = true;
        notifyAll();
    }

    boolean isOver() {
        return over;
    }

    /**
     * Has all requesters rest because a participant failed. It notes the first failure alone: others follow from it.
     */
    synchronized void fail(Throwable cause) {
        pace = null;
        if (failure == null && !over) {
            failure = cause;
        }
        notifyAll();
    }

    /** Throws the failure of a participant, if one failed. */
    void check() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
        }
    }

    /** Waits; it throws the failure of a participant at once. */
    synchronized void pass(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            check();
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        check();
    }
}
