/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads on demand: one more comes when all are busy, up to a limit, and unneeded ones go after a while.
 * Thread-safe.
 */
final class PoolThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PoolThreads.class);
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int most;
    private final Runnable between;
    private final Tasks tasks = new Tasks();
    private final ThreadPoolExecutor threads;
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicInteger mostUnfinished = new AtomicInteger(); // since dismissIdle()

    /**
     * The tasks that wait for a thread. An executor starts a thread beyond its core size only if its queue rejects a
     * task. So this queue takes a task from the executor only if an idle thread waits for one.
     */
    private final class Tasks extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        private void keep(Runnable task) {
            super.offer(task);
        }

        @Override
        public @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
            Runnable task = super.poll(timeout, unit);
            if (task == null) {
                attempt(between);
            }
            return task;
        }

        /** Serves the one thread that stays, to drop keys that become too old. */
        @Override
        public Runnable take() throws InterruptedException {
            Runnable task;
            do {
                task = poll(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            } while (task == null);
            return task;
        }
    }

    /**
     * No threads yet.
     *
     * @param most how many there may be
     * @param between run by a thread after each task, and when none came for a while
     */
    PoolThreads(int most, Runnable between) {
        this.most = most;
        this.between = between;
        this.threads = new ThreadPoolExecutor(
                1, most, PATIENCE_NANOS, TimeUnit.NANOSECONDS, tasks, this::thread, this::keepUnlessClosed);
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(work, "signet-key-pregenerator-" + started.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private void keepUnlessClosed(Runnable task, ThreadPoolExecutor pool) {
        if (!pool.isShutdown()) {
            tasks.keep(task);
        }
    }

    /** Has this done soon. Never waits. */
    void ask(Runnable task) {
        mostUnfinished.accumulateAndGet(unfinished.incrementAndGet(), Math::max);
        Runnable counted = () -> {
            attempt(task);
            unfinished.decrementAndGet();
            attempt(between);
        };
        try {
            threads.setMaximumPoolSize(most); // dismissIdle() lowered it
            threads.execute(counted);
        } catch (OutOfMemoryError noMoreThreads) {
            LOG.warn("key-pregenerator: the system gives no more threads, {} go on", count());
            tasks.keep(counted);
        }
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error failed) {
            // The next message's own attempt fails likewise, and reports it; the thread must live on.
            LOG.debug("key-pregenerator: a key could not be made", failed);
        }
    }

    /** Tells whether a task waits for a thread. */
    boolean isBehind() {
        return !tasks.isEmpty();
    }

    /** Lets the threads go that had no task since the last call: idle ones beyond the maximum end at once. */
    void dismissIdle() {
        int needed = mostUnfinished.getAndSet(unfinished.get());
        threads.setMaximumPoolSize(Math.max(1, Math.min(most, needed)));
    }

    int count() {
        return threads.getPoolSize();
    }

    /** Stops all threads. Harmless when repeated. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
