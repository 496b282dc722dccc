/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;

/**
 * Limits the memory for the messages that all threads decode, decompress and seal as a whole at one time. A thread
 * waits for its part. No client can hold a part, because a thread returns it before it reads from a client again.
 * Thread-safe.
 */
public final class WorkMemory {
    /** The memory for a message, as a multiple of its length: decoded, decompressed, sealed and encoded again. */
    private static final int TIMES = 5;

    /** The longest message, in sixteenths of the heap. */
    private static final int SIXTEENTHS = 3;

    /** The length of a message that needs no part, in bytes: few threads exist. */
    private static final long FREE = 256 << 10;

    /** The divisor of the heap for all messages together. */
    private static final int PART_OF_HEAP = 3;

    /** The most threads that wait, of the thirty or more of a broker, which needs the others meanwhile. */
    private static final int MOST_WAITING = 16;

    private static final long MOST_SECONDS = 20;

    /** The part of this thread. */
    private static final ThreadLocal<@Nullable Work> MINE = new ThreadLocal<>();

    private final long heap;
    private final int most;
    private final Semaphore kilobytes;
    private final AtomicInteger waiting = new AtomicInteger();

    /** A part of the memory, until it is closed by the thread that took it. */
    @FunctionalInterface
    public interface Work extends AutoCloseable {
        @Override
        void close();
    }

    private static final Work NOTHING = () -> {};

    /**
     * Makes an unused memory.
     *
     * @param heap the length of the heap in bytes
     */
    public WorkMemory(long heap) {
        this.heap = heap;
        this.most = (int) Math.min(Integer.MAX_VALUE, (heap / PART_OF_HEAP) >> 10);
        this.kilobytes = new Semaphore(most, true);
    }

    /**
     * Takes the memory to seal a message, and waits for it. A thread that has a part already takes no further one.
     *
     * @param length the length of the message in bytes, decompressed
     * @throws MessageRejectedException if the heap is too small, if too many other threads wait, or if none ends in
     *     time
     */
    public Work take(long length) throws MessageRejectedException {
        if (length <= FREE || MINE.get() != null) {
            return NOTHING;
        }
        if (length > heap / 16 * SIXTEENTHS) {
            throw new MessageRejectedException(
                    RejectionReason.TOO_LARGE,
                    "too large to be protected in the memory of this broker: " + length + " bytes");
        }
        int part = (int) Math.min(most, (TIMES * length) >> 10);
        acquire(part);
        Work taken = () -> {
            MINE.remove();
            kilobytes.release(part);
        };
        MINE.set(taken);
        return taken;
    }

    private void acquire(int part) throws MessageRejectedException {
        if (!acquire(part, 0)) { // in its turn: a long message must not wait for all short ones that come after it
            boolean acquired = waiting.incrementAndGet() <= MOST_WAITING && acquire(part, MOST_SECONDS);
            waiting.decrementAndGet();
            if (!acquired) {
                throw new MessageRejectedException(
                        RejectionReason.TOO_MANY,
                        "the broker seals too many long messages at this time; send it again");
            }
        }
    }

    private boolean acquire(int part, long seconds) {
        try {
            return kilobytes.tryAcquire(part, seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the number of threads that wait. */
    int waiting() {
        return waiting.get();
    }

    /** Returns the memory in use, in bytes. */
    public long taken() {
        return (long) (most - kilobytes.availablePermits()) << 10;
    }
}
