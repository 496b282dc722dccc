/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Numbers the keys in place of wrapping them. Remembers some or all keys, so that a test can see which are wiped. */
final class FakeWrapping implements KeyWrapping {
    private final int each;
    final Queue<DataKey> wrapped = new ConcurrentLinkedQueue<>();
    final AtomicInteger closes = new AtomicInteger();
    private final AtomicLong next = new AtomicLong();
    private volatile @Nullable RuntimeException failure;

    FakeWrapping() {
        this(1);
    }

    FakeWrapping(int each) {
        this.each = each;
    }

    @Override
    public byte[] wrap(DataKey key) {
        RuntimeException thrown = failure;
        if (thrown != null) {
            wrapped.add(key);
            throw thrown;
        }
        long number = next.getAndIncrement();
        if (number % each == 0) {
            wrapped.add(key);
        }
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    void failWith(@Nullable RuntimeException thrown) {
        failure = thrown;
    }

    /** The number of the key in this wrapped key. */
    static long number(KeyLease use) {
        return ByteBuffer.wrap(use.wrapped()).getLong();
    }

    @Override
    public void close() {
        closes.incrementAndGet();
    }
}
