/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A ring of a few buffers, which three threads hand on: one reads into them, the caller works on what is in them, one
 * writes it. So the work waits neither for the disk it comes from nor for the one it goes to, and the memory stays that
 * of the buffers.
 *
 * @param <B> a buffer
 */
final class Pipeline<B> {
    private final Stages<B> stages;
    private final BlockingQueue<B> empty;
    private final BlockingQueue<Item<B>> read = new LinkedBlockingQueue<>();
    private final BlockingQueue<Item<B>> worked = new LinkedBlockingQueue<>();
    private volatile @Nullable Throwable writeFailure;

    /** What is done to each buffer, by one thread each. */
    interface Stages<B> {
        /** Fills the buffer; false at the end of the input. */
        boolean read(B buffer) throws IOException;

        void work(B buffer) throws IOException;

        void write(B buffer) throws IOException;
    }

    /** A buffer, or the end: with a failure or without. */
    private record Item<B>(@Nullable B buffer, @Nullable Throwable failure) {}

    private Pipeline(Stages<B> stages, List<B> buffers) {
        this.stages = stages;
        this.empty = new LinkedBlockingQueue<>(buffers);
    }

    /**
     * Runs until the input ends or something fails. All that was worked on is written then, unless writing failed. A
     * read that does not return is not waited for.
     */
    static <B> void run(List<B> buffers, Stages<B> stages) throws IOException {
        new Pipeline<>(stages, buffers).run();
    }

    private void run() throws IOException {
        Thread reader = start("signet-read", this::readAll);
        Thread writer = start("signet-write", this::writeAll);
        try {
            workOnAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            worked.add(new Item<>(null, null));
            reader.interrupt();
            join(writer);
        }
        rethrow(writeFailure);
    }

    private static Thread start(String name, Runnable stage) {
        Thread thread = new Thread(stage, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void readAll() {
        try {
            B buffer = empty.take();
            while (stages.read(buffer)) {
                read.add(new Item<>(buffer, null));
                buffer = empty.take();
            }
            read.add(new Item<>(null, null));
        } catch (Throwable e) { // it is the caller's to hear of it
            read.add(new Item<>(null, e));
        }
    }

    private void workOnAll() throws IOException, InterruptedException {
        Item<B> item = read.take();
        while (item.buffer() != null && writeFailure == null) {
            stages.work(item.buffer());
            worked.add(item);
            item = read.take();
        }
        rethrow(item.failure());
    }

    /** After a failure buffers are still taken: nobody waits for this thread in vain. */
    private void writeAll() {
        try {
            for (B buffer = worked.take().buffer();
                    buffer != null;
                    buffer = worked.take().buffer()) {
                if (writeFailure == null) {
                    write(buffer);
                }
                empty.add(buffer);
            }
        } catch (InterruptedException e) {
            writeFailure = e;
        }
    }

    private void write(B buffer) {
        try {
            stages.write(buffer);
        } catch (Throwable e) { // it is the caller's to hear of it
            writeFailure = e;
        }
    }

    private static void join(Thread writer) throws InterruptedIOException {
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws IOException {
        if (failure instanceof IOException io) {
            throw io;
        } else if (failure instanceof RuntimeException runtime) {
            throw runtime;
        } else if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new IOException(failure);
        }
    }
}
