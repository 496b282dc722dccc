/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.jspecify.annotations.Nullable;

/** Fetches messages from a queue. */
@FunctionalInterface
interface Fetch {
    /** Returns the next message; null if there is none in time, or the consumer is closed. */
    @Nullable
    Message next(long millis) throws JMSException;

    /** Returns the session mode that {@link #from} needs. */
    static int sessionMode(int buffer) {
        return buffer == Integer.MAX_VALUE ? Session.AUTO_ACKNOWLEDGE : Session.CLIENT_ACKNOWLEDGE;
    }

    /**
     * Consumes a queue in the manner of AMS. If a message does not fit into the buffer, the consumer gives it back and
     * fetches it again.
     *
     * @param buffer in bytes; the largest number for any message
     */
    static Fetch from(Session session, Queue queue, int buffer) throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        return millis -> {
            try {
                return buffer == Integer.MAX_VALUE
                        ? consumer.receive(millis)
                        : fitting(session, consumer, buffer, millis);
            } catch (IllegalStateException closed) { // between two messages
                return null;
            }
        };
    }

    private static @Nullable Message fitting(Session session, MessageConsumer consumer, int buffer, long millis)
            throws JMSException {
        Message message = consumer.receive(millis);
        while (message instanceof BytesMessage bytes
                && bytes.getBodyLength() > buffer
                && !message.getJMSRedelivered()) {
            awaitCommits(session);
            session.recover();
            message = consumer.receive(millis);
        }
        if (message != null) {
            message.acknowledge();
        }
        return message;
    }

    /**
     * Waits for the answers to earlier acknowledgements. The client does not, and takes one for the answer to the
     * recovery. An old message may then come again, out of its order.
     */
    private static void awaitCommits(Session session) throws JMSException {
        if (session instanceof ActiveMQSession artemis) {
            try {
                artemis.getCoreSession().queueQuery(SimpleString.of("any"));
            } catch (ActiveMQException e) {
                throw JMSExceptionHelper.convertFromActiveMQException(e);
            }
        }
    }
}
