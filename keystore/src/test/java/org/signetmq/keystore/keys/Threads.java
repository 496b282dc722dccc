/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A number of threads that begin at once. */
final class Threads implements AutoCloseable {
    private final int count;
    private final ExecutorService executor;

    Threads(int count) {
        this.count = count;
        this.executor = Executors.newFixedThreadPool(count);
    }

    interface Work<T> {
        T of(int thread) throws Exception;
    }

    interface Task {
        void of(int thread) throws Exception;
    }

    /** Runs all threads to the end, and throws the first failure. */
    void run(Task task) throws Exception {
        finish(all(thread -> {
            task.of(thread);
            return thread;
        }));
    }

    static void finish(List<? extends Future<?>> work) throws Exception {
        for (Future<?> each : work) {
            each.get();
        }
    }

    <T> List<Future<T>> all(Work<T> work) {
        CountDownLatch ready = new CountDownLatch(count);
        List<Future<T>> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int thread = i;
            results.add(executor.submit(() -> {
                ready.countDown();
                await(ready);
                return work.of(thread);
            }));
        }
        return results;
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
