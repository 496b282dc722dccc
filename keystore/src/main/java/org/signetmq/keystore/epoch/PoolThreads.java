/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pool of daemon threads. It starts one if all are busy, up to a limit, and ends idle ones. Thread-safe. */
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
     *
     * <p>{@code LinkedTransferQueue} could do the same. But in some releases of Java 17 a timed wait in it keeps a core
     * busy (JDK-8301341).
     */
    private final class Tasks extends LinkedBlockingQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        /** The number of waiting threads minus the number of waiting tasks. */
        private final AtomicInteger idle = new AtomicInteger();

        @Override
        public boolean offer(Runnable task) {
            int now;
            do {
                now = idle.get();
                if (now <= 0) {
                    return false;
                }
            } while (!idle.compareAndSet(now, now - 1));
            return super.offer(task);
        }

        private void keep(Runnable task) {
            idle.decrementAndGet();
            super.offer(task);
        }

        private boolean isBehind() {
            return idle.get() < 0;
        }

        @Override
        public @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
            Runnable task = pollCounted(timeout, unit);
            if (task == null) {
                attempt(between);
            }
            return task;
        }

        private @Nullable Runnable pollCounted(long timeout, TimeUnit unit) throws InterruptedException {
            Runnable task = null;
            idle.incrementAndGet();
            try {
                task = super.poll(timeout, unit);
                return task;
            } finally {
                if (task == null) {
                    idle.decrementAndGet();
                }
            }
        }

        /** Waits for a task. The last thread stays here, and removes keys that become too old. */
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
     * Creates a pool without threads.
     *
     * @param most the most threads
     * @param between runs after each task, and after ten seconds without a task
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

    /** Runs the task on a thread of the pool. It does not wait. */
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
            // The thread must go on. The next message reports the failure of its own attempt.
            LOG.debug("key-pregenerator: a key could not be made", failed);
        }
    }

    /** Tells whether a task waits for a thread. */
    boolean isBehind() {
        return tasks.isBehind();
    }

    /** Ends the threads that had no task since the last call, because idle threads beyond the maximum end at once. */
    void dismissIdle() {
        int needed = mostUnfinished.getAndSet(unfinished.get());
        threads.setMaximumPoolSize(Math.max(1, Math.min(most, needed)));
    }

    int count() {
        return threads.getPoolSize();
    }

    /** Stops all threads. A second call has no effect. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
