/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The data keys of one policy and recipient set, one after the other. All producers share the present key; limits are
 * exact under concurrency, and one need opens one epoch. Thread-safe.
 */
public final class KeyEpochs implements AutoCloseable {
    private final KeyWrapping wrapping;
    private final EpochLimits limits;
    private final LongSupplier nanoTime;
    private final CryptoProviders providers = CryptoProviders.standard();
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder opened = new LongAdder();

    // All guarded by the lock.
    private @Nullable PreparedKey current;
    private long messages;
    private long bytes;
    private long openedAt;
    private boolean closed;

    /**
     * Epochs that wrap their keys so; the wrapping is closed with them.
     *
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public KeyEpochs(KeyWrapping wrapping, EpochLimits limits, LongSupplier nanoTime) {
        this.wrapping = wrapping;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /**
     * The right to encrypt one message of so many bytes.
     *
     * @throws IllegalStateException after close
     */
    public KeyUse next(long messageBytes) {
        return limits.messages() == 1 ? fresh() : shared(messageBytes);
    }

    /** How many data keys were opened so far. */
    public long openedEpochs() {
        return opened.sum();
    }

    /** A key of its own for each message needs no lock: nobody else will use it. */
    private KeyUse fresh() {
        lock.lock();
        try {
            refuseIfClosed();
        } finally {
            lock.unlock();
        }
        PreparedKey prepared = PreparedKey.generate(providers, wrapping);
        opened.increment();
        KeyUse use = use(prepared, 0);
        prepared.key().close(); // retired at once: wiped when its one user lets go
        return use;
    }

    private KeyUse shared(long messageBytes) {
        lock.lock();
        try {
            refuseIfClosed();
            PreparedKey key = current;
            if (key == null || isSpent(messageBytes)) {
                key = open();
            }
            long counter = messages++;
            bytes += messageBytes;
            return use(key, counter);
        } finally {
            lock.unlock();
        }
    }

    private boolean isSpent(long messageBytes) {
        return messages >= limits.messages()
                || (messages > 0 && messageBytes > limits.bytes() - bytes)
                || nanoTime.getAsLong() - openedAt >= limits.age().toNanos();
    }

    /** Under the lock, so that all who need the new key wait for this one instead of opening their own. */
    private PreparedKey open() {
        PreparedKey next = PreparedKey.generate(providers, wrapping);
        retire();
        current = next;
        messages = 0;
        bytes = 0;
        openedAt = nanoTime.getAsLong();
        opened.increment();
        return next;
    }

    private static KeyUse use(PreparedKey prepared, long counter) {
        if (!prepared.key().acquire()) {
            throw new IllegalStateException("data key: retired while in use");
        }
        return new KeyUse(prepared, counter);
    }

    private void retire() {
        if (current != null) {
            current.key().close();
            current = null;
        }
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new IllegalStateException("key epochs: used after close");
        }
    }

    /** Wipes the present key once its last user is done. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            retire();
        } finally {
            lock.unlock();
        }
        wrapping.close();
    }
}
