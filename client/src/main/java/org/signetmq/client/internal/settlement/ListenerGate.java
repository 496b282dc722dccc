/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listener of one consumer. Listeners of a session run one after the other. A consumer that its own listener
 * closes is closed when the listener has returned and the message is settled: closing gives unsettled messages back.
 */
public final class ListenerGate {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerGate.class);

    private final Lock turns;
    private final Closing consumer;
    private volatile @Nullable Thread delivering;
    private boolean closing; // of the delivering thread

    /** Closes the consumer. */
    public interface Closing {
        void close() throws JMSException;
    }

    /**
     * The gate of a consumer.
     *
     * @param turns held while a listener of the session runs
     */
    public ListenerGate(Lock turns, Closing consumer) {
        this.turns = turns;
        this.consumer = consumer;
    }

    /** Calls the listener and settles the message, by the delivery that is given. */
    public void deliver(Runnable delivery) {
        try {
            inTurn(delivery);
        } finally {
            if (closing) { // out of turn: the provider may wait for the session's other listeners
                closeQuietly();
            }
        }
    }

    private void inTurn(Runnable delivery) {
        turns.lock();
        delivering = Thread.currentThread();
        try {
            delivery.run();
        } finally {
            delivering = null;
            turns.unlock();
        }
    }

    private void closeQuietly() {
        try {
            consumer.close();
        } catch (JMSException | RuntimeException e) {
            LOG.warn("consumer: not closed after its listener returned: {}", e.getMessage());
        }
    }

    /** Whether the calling thread is in the consumer's listener. */
    public boolean isDelivering() {
        return delivering == Thread.currentThread();
    }

    /** Whether the listener that runs has closed its consumer. */
    public boolean isClosing() {
        return closing;
    }

    /** Closes the consumer; from its own listener, as soon as that returns. */
    public void close() throws JMSException {
        if (isDelivering()) {
            closing = true;
        } else {
            consumer.close();
        }
    }
}
