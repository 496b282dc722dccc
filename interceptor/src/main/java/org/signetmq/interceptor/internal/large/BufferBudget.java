/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for large AMQP messages that arrive and are not judged yet. A client may begin any number of messages and
 * end none, so one limit bounds them all. A part without room waits in an encrypted file. Thread-safe.
 */
public final class BufferBudget {
    /** How much of one message waits in memory. */
    public static final long MOST_OF_ONE = 1 << 20;

    /** How much of the heap all of them may take. Their buffers may take twice as much. */
    private static final int PART_OF_HEAP = 32;

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    BufferBudget() {
        this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /**
     * All of it is free.
     *
     * @param most in bytes, of all messages together
     */
    public BufferBudget(long most) {
        this.most = most;
    }

    /**
     * Takes memory for a message, if there is enough.
     *
     * @param held how much the message has already
     * @param more how much it wants besides
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

    /** In bytes. */
    public long taken() {
        return taken.get();
    }
}
