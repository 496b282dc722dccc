/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.failure;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** Counts the messages that were opened, and times some of them. Thread-safe. */
public final class OpenCounts {
    /** The number of messages of a thread for each one that is timed. */
    private static final int SAMPLED = 64;

    /** The number of messages that each thread has opened since the last one that was timed. */
    private static final ThreadLocal<int[]> UNTIMED = ThreadLocal.withInitial(() -> new int[1]);

    private final LongAdder opened = new LongAdder();
    private final CopyOnWriteArrayList<LongConsumer> times = new CopyOnWriteArrayList<>();

    /** Returns the start of a message that is timed; 0 for most messages. */
    public long begin() {
        if (times.isEmpty()) {
            return 0;
        }
        int[] untimed = UNTIMED.get();
        untimed[0] = (untimed[0] + 1) % SAMPLED;
        return untimed[0] == 0 ? System.nanoTime() : 0;
    }

    /** Counts a message that was opened since this start. */
    public void opened(long begun) {
        opened.increment();
        if (begun != 0) {
            long nanos = System.nanoTime() - begun;
            times.forEach(receiver -> receiver.accept(nanos));
        }
    }

    /** Returns the number of messages that were opened. */
    public long opened() {
        return opened.sum();
    }

    /** Adds a receiver of the nanoseconds that the opening of some messages took. */
    public void addReceiver(LongConsumer receiver) {
        times.add(receiver);
    }
}
