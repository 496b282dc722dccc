/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a provider's session that receiving needs, for a Session or a JMSContext. The unchecked exceptions of
 * a JMSContext pass unchanged.
 */
public final class ProviderSession {
    private final @Nullable Session session;
    private final @Nullable JMSContext context;

    /**
     * Acknowledges messages after they were opened, and gives others back to the broker. Like a session, for one thread
     * at a time.
     */
    public interface Acknowledging {
        void acknowledge(Message arrived) throws JMSException;

        /** Gives an unacknowledged message back, so that the broker counts one delivery of this message only. */
        void giveBack(Message arrived) throws JMSException;

        /** Gives all unacknowledged messages back. */
        void recover() throws JMSException;
    }

    private ProviderSession(@Nullable Session session, @Nullable JMSContext context) {
        this.session = session;
        this.context = context;
    }

    public static ProviderSession of(Session session) {
        return new ProviderSession(session, null);
    }

    public static ProviderSession of(JMSContext context) {
        return new ProviderSession(null, context);
    }

    /** Returns the provider's Session or JMSContext. */
    public Object provider() {
        return session == null ? context() : session;
    }

    private JMSContext context() {
        return Objects.requireNonNull(context);
    }

    public Message createMessage() throws JMSException {
        return session == null ? context().createMessage() : session.createMessage();
    }

    public TextMessage createTextMessage() throws JMSException {
        return session == null ? context().createTextMessage() : session.createTextMessage();
    }

    public BytesMessage createBytesMessage() throws JMSException {
        return session == null ? context().createBytesMessage() : session.createBytesMessage();
    }

    public MapMessage createMapMessage() throws JMSException {
        return session == null ? context().createMapMessage() : session.createMapMessage();
    }

    public StreamMessage createStreamMessage() throws JMSException {
        return session == null ? context().createStreamMessage() : session.createStreamMessage();
    }

    public ObjectMessage createObjectMessage() throws JMSException {
        return session == null ? context().createObjectMessage() : session.createObjectMessage();
    }

    /** Sends a persistent message to a queue. It never expires. */
    public void send(String queue, Message message, int priority) throws JMSException {
        if (session == null) {
            context()
                    .createProducer()
                    .setDeliveryMode(DeliveryMode.PERSISTENT)
                    .setPriority(priority)
                    .send(context().createQueue(queue), message);
            return;
        }
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(message, DeliveryMode.PERSISTENT, priority, Message.DEFAULT_TIME_TO_LIVE);
        }
    }

    public void commit() throws JMSException {
        if (session == null) {
            context().commit();
        } else {
            session.commit();
        }
    }

    public void rollback() throws JMSException {
        if (session == null) {
            context().rollback();
        } else {
            session.rollback();
        }
    }

    public void recover() throws JMSException {
        if (session == null) {
            context().recover();
        } else {
            session.recover();
        }
    }
}
