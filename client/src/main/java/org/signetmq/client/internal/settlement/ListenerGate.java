/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listener of one consumer. Listeners of a session run one after the other. If a listener closes its own
 * consumer, the gate closes it after the listener returned and the message is settled. An earlier close would give the
 * message back.
 */
public final class ListenerGate {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerGate.class);

    private final Lock turns;
    private final Closing consumer;
    private volatile @Nullable Thread delivering;
    private boolean closing; // only the delivering thread uses it

    /** Closes the consumer. */
    public interface Closing {
        void close() throws JMSException;
    }

    /**
     * Makes the gate of a consumer.
     *
     * @param turns held while a listener of the session runs
     */
    public ListenerGate(Lock turns, Closing consumer) {
        this.turns = turns;
        this.consumer = consumer;
    }

    /** Runs a delivery, which calls the listener and settles the message. */
    public void deliver(Runnable delivery) {
        try {
            inTurn(delivery);
        } finally {
            if (closing) { // without the lock: the provider may wait for the session's other listeners
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
            LOG.warn(
                    "consumer: not closed after its listener returned: {}",
                    PrintableText.of(e.getMessage(), PrintableText.LONGEST_REASON));
        }
    }

    /** Closes the consumer; if its own listener calls this, after the listener returned. */
    public void close() throws JMSException {
        if (delivering == Thread.currentThread()) {
            closing = true;
        } else {
            consumer.close();
        }
    }
}
