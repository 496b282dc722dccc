/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes.Action;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.keystore.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listener of one consumer, and closes the consumer when its message is settled. An earlier close would give
 * the message back. What a listener closes itself, the gate closes after the listener returned.
 */
public final class ListenerGate {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerGate.class);

    /** The gate whose listener this thread runs. A listener may call any object of its connection. */
    private static final ThreadLocal<@Nullable ListenerGate> RUNNING = new ThreadLocal<>();

    private final SessionSettlement settlement;
    private final Action clearing;
    private final Action closing;
    private final Lock running = new ReentrantLock(); // held while a delivery runs
    private boolean cleared; // guarded by running
    private final List<Action> afterwards = new ArrayList<>(); // only the delivering thread uses it

    /**
     * Makes the gate of a consumer.
     *
     * @param clearing takes the listener from the consumer
     * @param closing closes the consumer
     */
    public ListenerGate(SessionSettlement settlement, Action clearing, Action closing) {
        this.settlement = settlement;
        this.clearing = clearing;
        this.closing = closing;
    }

    /** Notes that the consumer gets a listener. */
    public void listens() {
        settlement.listeners().gates.add(this);
    }

    /** Calls the listener and settles the message. */
    public void deliver(Message arrived, ConsumerAddress source, MessageListener listener) {
        try {
            inTurn(arrived, source, listener);
        } finally { // without the lock: the provider may wait for the session's other listeners
            afterwards.forEach(ListenerGate::quietly);
            afterwards.clear();
        }
    }

    private void inTurn(Message arrived, ConsumerAddress source, MessageListener listener) {
        ListenerGate outer = RUNNING.get();
        running.lock();
        settlement.listeners().turns.lock();
        RUNNING.set(this);
        try {
            if (cleared) {
                settlement.refuse(arrived);
            } else {
                settlement.deliver(arrived, source, listener);
            }
        } finally {
            RUNNING.set(outer);
            settlement.listeners().turns.unlock();
            running.unlock();
        }
    }

    /** Returns whether this thread runs the listener. */
    boolean isDelivering() {
        return RUNNING.get() == this;
    }

    /** Closes the consumer; if its own listener calls this, after the listener returned. */
    public void close() throws JMSException {
        if (isDelivering()) {
            afterwards.add(this::closeNow);
        } else {
            closeNow();
        }
    }

    /** Closes a connection; later, if its own listener calls this and would lose the acknowledgement of its message. */
    public static void closeConnection(MessageOpening connection, Action closing) throws JMSException {
        ListenerGate own = RUNNING.get();
        if (own != null && own.settlement.isOf(connection) && own.settlement.closingDropsAcknowledgements()) {
            own.afterwards.add(closing);
        } else {
            closing.run();
        }
    }

    private void closeNow() throws JMSException {
        if (settlement.listeners().gates.remove(this) && settlement.closingDropsAcknowledgements()) {
            clearing.run();
            running.lock(); // waits for the delivery that had begun
            try {
                cleared = true;
            } finally {
                running.unlock();
            }
        }
        closing.run();
    }

    private static void quietly(Action call) {
        try {
            call.run();
        } catch (JMSException | RuntimeException e) {
            LOG.warn(
                    "consumer or session: not closed with its listener: {}",
                    PrintableText.of(e.getMessage(), PrintableText.LONGEST_REASON));
        }
    }

    /** The consumers of one session that have listeners. The listeners run one after the other. Thread-safe. */
    public static final class Listeners {
        /** The lock that a running listener holds. */
        private final Lock turns = new ReentrantLock();

        /** Those whose consumers were not closed. */
        private final Set<ListenerGate> gates = ConcurrentHashMap.newKeySet();

        /**
         * Closes a session after the consumers with listeners: a consumer's close waits for its listener, and a session
         * that is closed acknowledges nothing.
         *
         * @param session closes the session
         * @param deferred whether the provider would let a listener close its session at once
         */
        void close(Action session, boolean deferred) throws JMSException {
            ListenerGate own =
                    gates.stream().filter(ListenerGate::isDelivering).findAny().orElse(null);
            if (own == null) {
                gates.forEach(gate -> quietly(gate::closeNow));
                session.run();
            } else if (deferred) {
                own.afterwards.add(session);
            } else {
                session.run(); // throws: a listener must not close its session
            }
        }
    }
}
