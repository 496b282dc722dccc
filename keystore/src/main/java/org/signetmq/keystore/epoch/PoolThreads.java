/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads on demand: one more comes when all are busy, up to a limit, and unneeded ones go after a while.
 * Thread-safe.
 */
final class PoolThreads implements AutoCloseable {
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(PoolThreads.class);

    private final int most;
    private final Runnable between;

    // All guarded by this.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Set<Thread> threads = new HashSet<>();
    private int started;
    private int idle;
    private int leastIdle; // the least number of idle threads since dismissIdle()
    private int surplus;
    private boolean closed;

    /**
     * No threads yet.
     *
     * @param most how many there may be
     * @param between run by a thread after each task, and when none came for a while
     */
    PoolThreads(int most, Runnable between) {
        this.most = most;
        this.between = between;
    }

    /** Has this done soon. Never waits. */
    synchronized void ask(Runnable task) {
        if (closed) {
            return;
        }
        tasks.add(task);
        if (tasks.size() <= idle) {
            leastIdle = Math.min(leastIdle, idle - tasks.size());
            notify();
        } else {
            leastIdle = 0;
            if (threads.size() < most) {
                start();
            }
        }
    }

    private void start() {
        Thread thread = new Thread(this::work, "signet-key-pregenerator-" + ++started);
        thread.setDaemon(true);
        try {
            thread.start();
            threads.add(thread); // it cannot look before this lock is free
        } catch (OutOfMemoryError noMoreThreads) {
            LOG.warn("key-pregenerator: the system gives no more threads, {} go on", threads.size());
        }
    }

    private void work() {
        while (stays()) {
            try {
                Runnable task = next();
                if (task != null) {
                    task.run();
                }
                between.run();
            } catch (InterruptedException stopIfClosed) {
                LOG.trace("key-pregenerator: interrupted"); // to stop, or by a wrapping that left the mark: no matter
            } catch (RuntimeException | Error failed) {
                // The next message's own attempt fails likewise, and reports it; the thread must live on.
                LOG.debug("key-pregenerator: a key could not be made", failed);
            }
        }
    }

    /** One thread stays, to drop keys that become too old. */
    private synchronized boolean stays() {
        if (!closed && (surplus == 0 || !tasks.isEmpty())) {
            return true;
        }
        surplus = Math.max(0, surplus - 1); // always fewer than all
        threads.remove(Thread.currentThread());
        return false;
    }

    /** Null after an idle time, or if a thread has to go. */
    private synchronized @Nullable Runnable next() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        idle++;
        try {
            for (long left = PATIENCE_NANOS;
                    tasks.isEmpty() && surplus == 0 && left > 0;
                    left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } finally {
            idle--;
        }
        return tasks.poll();
    }

    /** Tells whether a task waits for a thread. */
    synchronized boolean isBehind() {
        return !tasks.isEmpty();
    }

    /** Lets the threads go that had no task since the last call. */
    synchronized void dismissIdle() {
        surplus = Math.max(0, Math.min(leastIdle, threads.size() - 1));
        leastIdle = idle;
        notifyAll();
    }

    synchronized int count() {
        return threads.size();
    }

    /** Stops all threads. Harmless when repeated. */
    @Override
    public synchronized void close() {
        closed = true;
        tasks.clear();
        threads.forEach(Thread::interrupt);
    }
}
