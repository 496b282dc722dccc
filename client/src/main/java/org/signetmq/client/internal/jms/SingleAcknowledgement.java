/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The second session beside one that acknowledges as cheaply as the provider does: it settles each message on its own.
 * Made with the first need. As a session, for one thread at a time.
 */
final class SingleAcknowledgement {
    private final ConsumerAddress source;
    private final Lock turns = new ReentrantLock();
    private @Nullable SignetSession session;

    /** Makes the session. */
    interface ConsumerAddress {
        /**
         * Makes it.
         *
         * @param turns held while a listener runs, for both sessions
         */
        SignetSession open(Lock turns) throws JMSException;
    }

    SingleAcknowledgement(ConsumerAddress source) {
        this.source = source;
    }

    /** Held while a listener of either session runs. */
    Lock turns() {
        return turns;
    }

    /** Whether there is the session already. */
    synchronized boolean isOpen() {
        return session != null;
    }

    synchronized SignetSession session() throws JMSException {
        if (session == null) {
            session = source.open(turns);
        }
        return session;
    }

    synchronized void recover() throws JMSException {
        if (session != null) {
            session.recover();
        }
    }

    synchronized void close() throws JMSException {
        if (session != null) {
            session.close();
        }
    }
}
