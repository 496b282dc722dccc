/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.keys.CryptoProviders;

/** A pool of buffers. Each thread searches from its own slot, so that threads seldom share. Thread-safe. */
public final class CodecBufferPool implements AutoCloseable {
    /** The most buffers that are kept. */
    public static final int SLOTS = 64;

    /**
     * The distance of two slots: two cache lines of the processor, which loads them in pairs. It also separates the
     * slots from the length of the array.
     */
    private static final int APART = 32;

    /** The number of different first slots: one for each thread that runs at once. */
    private static final int BEGINNINGS = Math.min(SLOTS, Runtime.getRuntime().availableProcessors());

    private final AtomicReferenceArray<@Nullable CodecBuffers> idle = new AtomicReferenceArray<>((SLOTS + 1) * APART);
    private final CryptoProviders providers;
    private volatile boolean closed;

    public CodecBufferPool(CryptoProviders providers) {
        this.providers = providers;
    }

    public CodecBuffers take(String owner) {
        if (closed) {
            throw new IllegalStateException(owner + ": used after close");
        }
        int first = beginning();
        for (int i = 0; i < SLOTS; i++) {
            int slot = slot(first + i);
            if (idle.getOpaque(slot) != null) {
                CodecBuffers buffers = idle.getAndSet(slot, null);
                if (buffers != null) {
                    return buffers;
                }
            }
        }
        return new CodecBuffers(providers);
    }

    public void giveBack(CodecBuffers buffers) {
        int first = beginning();
        for (int i = 0; i < SLOTS; i++) {
            int slot = slot(first + i);
            if (idle.getOpaque(slot) == null && idle.compareAndSet(slot, null, buffers)) {
                if (closed) {
                    drain();
                }
                return;
            }
        }
        buffers.close();
    }

    private static int beginning() {
        return (int) (Thread.currentThread().getId() % BEGINNINGS);
    }

    private static int slot(int number) {
        return (number % SLOTS + 1) * APART;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        drain();
    }

    private void drain() {
        for (int i = 0; i < SLOTS; i++) {
            CodecBuffers buffers = idle.getAndSet(slot(i), null);
            if (buffers != null) {
                buffers.close();
            }
        }
    }
}
