/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A value that few threads have at a time. While no thread has one, a read is one load from memory, and no search in
 * the map of the thread: the broker's threads have many thread-locals, and each message reads several.
 */
public final class RareThreadLocal<T> {
    @SuppressWarnings("ThreadLocalUsage") // an owner that is not static has its own values
    private final ThreadLocal<@Nullable T> values = new ThreadLocal<>();

    /** The number of threads with a value, those that ended with one included. A thread sees its own. */
    private final AtomicInteger holders = new AtomicInteger();

    /** Returns the value of this thread; null if it has none. */
    public @Nullable T get() {
        return holders.get() == 0 ? null : values.get();
    }

    public void set(T value) {
        if (values.get() == null) {
            holders.incrementAndGet();
        }
        values.set(value);
    }

    public void remove() {
        if (get() != null) {
            values.remove();
            holders.decrementAndGet();
        }
    }
}
