/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A ring of buffers between threads: one thread reads, several work at once, and the caller writes in the order of
 * reading. So the work waits neither for disks nor for a single core, and the memory is that of the buffers.
 *
 * @param <B> a buffer
 */
public final class Pipeline<B> {
    /** One buffer for each thread, and one to even out the speed of disks. */
    public static final int BUFFERS = 5;

    /** The number of working threads; more would need more buffers. */
    private static final int WORKERS = 2;

    private final Stages<B> stages;
    private final BlockingQueue<B> empty;
    private final BlockingQueue<Runnable> toWork = new LinkedBlockingQueue<>();
    private final ExecutorService workers =
            new ThreadPoolExecutor(WORKERS, WORKERS, 0, TimeUnit.SECONDS, toWork, work -> daemon("signet-work", work));

    /** The buffers in the order of reading. A null or a failure ends them. */
    private final BlockingQueue<Future<@Nullable B>> toWrite = new LinkedBlockingQueue<>();

    public interface Stages<B> {
        /** Fills the buffer. Returns false at the end of the input. One thread calls it. */
        boolean read(B buffer) throws IOException;

        /** Works on the buffer. Several threads call it, in any order, each with a buffer of its own. */
        void work(B buffer) throws IOException;

        /** Writes the buffer. The caller of {@link #run} calls it, in the order of reading. */
        void write(B buffer) throws IOException;
    }

    private Pipeline(Stages<B> stages, List<B> buffers) {
        this.stages = stages;
        this.empty = new LinkedBlockingQueue<>(buffers);
    }

    /**
     * Runs until the input ends or a stage fails. If reading or work fails, the earlier buffers are still written. The
     * pipeline does not wait for a read that does not return.
     */
    public static <B> void run(List<B> buffers, Stages<B> stages) throws IOException {
        new Pipeline<>(stages, buffers).run();
    }

    private void run() throws IOException {
        Thread reader = daemon("signet-read", this::readAll);
        reader.start();
        try {
            writeAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            reader.interrupt();
            toWork.clear(); // not empty only after a failure
            workers.shutdown();
            awaitWorkers();
        }
    }

    private static Thread daemon(String name, Runnable stage) {
        Thread thread = new Thread(stage, name);
        thread.setDaemon(true);
        return thread;
    }

    private void readAll() {
        try {
            B buffer = empty.take();
            while (stages.read(buffer)) {
                B filled = buffer;
                toWrite.add(workers.submit(() -> {
                    stages.work(filled);
                    return filled;
                }));
                buffer = empty.take();
            }
            toWrite.add(CompletableFuture.completedFuture(null));
        } catch (Throwable e) { // the caller receives it
            toWrite.add(CompletableFuture.failedFuture(e));
        }
    }

    private void writeAll() throws IOException, InterruptedException {
        for (B buffer = nextWorkedOn(); buffer != null; buffer = nextWorkedOn()) {
            stages.write(buffer);
            empty.add(buffer);
        }
    }

    private @Nullable B nextWorkedOn() throws IOException, InterruptedException {
        try {
            return toWrite.take().get();
        } catch (ExecutionException e) {
            throw asThrown(e.getCause());
        }
    }

    private static IOException asThrown(@Nullable Throwable failure) {
        if (failure instanceof IOException io) {
            return io;
        } else if (failure instanceof RuntimeException runtime) {
            throw runtime;
        } else if (failure instanceof Error error) {
            throw error;
        }
        return new IOException(failure);
    }

    /** Waits for the workers. Each one ends after at most one buffer. */
    private void awaitWorkers() {
        boolean ended = false;
        boolean interrupted = false;
        while (!ended) {
            try {
                ended = workers.awaitTermination(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
