/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory for large AMQP messages that arrive and are not judged yet. A client may begin many messages and
 * end none, so one limit covers all of them. Bytes beyond the limit wait in an encrypted file. Thread-safe.
 */
public final class BufferBudget {
    /** The greatest part of one message in memory, in bytes. */
    public static final long MOST_OF_ONE = 1 << 20;

    /** The divisor of the heap for all messages together. Their buffers may take twice as much. */
    private static final int PART_OF_HEAP = 32;

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BufferBudget() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /**
     * Makes an unused budget.
     *
     * @param most the limit of all messages together, in bytes
     */
    public BufferBudget(long most) {
        this.most = most;
    }

    /**
     * Takes memory for a message; returns false if the limit does not allow it.
     *
     * @param held the bytes of the message that are in memory
     * @param more the further bytes
     */
    public boolean take(long held, long more) {
        if (held + more > MOST_OF_ONE) {
            return false;
        }
        if (taken.addAndGet(more) > most) {
            taken.addAndGet(-more);
            return false;
        }
        return true;
    }

    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Returns the used memory, in bytes. */
    public long taken() {
        return taken.get();
    }
}
