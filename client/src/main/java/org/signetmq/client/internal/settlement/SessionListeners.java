/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.settlement;

import jakarta.jms.JMSException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The consumers of one session that have listeners. The listeners run one after the other. Thread-safe. */
public final class SessionListeners {
    private final Lock turns = new ReentrantLock();
    private final Set<ListenerGate> gates = ConcurrentHashMap.newKeySet();

    /** Returns the lock that a running listener holds. */
    Lock turns() {
        return turns;
    }

    void add(ListenerGate gate) {
        gates.add(gate);
    }

    /** Returns whether the consumer had a listener and was not closed. */
    boolean remove(ListenerGate gate) {
        return gates.remove(gate);
    }

    /**
     * Closes a session after the consumers with listeners: a consumer's close waits for its listener, and a session
     * that is closed acknowledges nothing.
     *
     * @param session closes the session
     * @param deferred whether the provider would let a listener close its session at once
     */
    void close(ListenerGate.Call session, boolean deferred) throws JMSException {
        ListenerGate own =
                gates.stream().filter(ListenerGate::isDelivering).findAny().orElse(null);
        if (own == null) {
            gates.forEach(ListenerGate::closeQuietly);
            session.run();
        } else if (deferred) {
            own.afterwards(session);
        } else {
            session.run(); // throws: a listener must not close its session
        }
    }
}
