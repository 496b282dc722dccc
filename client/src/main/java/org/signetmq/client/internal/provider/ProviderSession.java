/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;

/** The methods of a provider's session that receiving needs, for a Session or a JMSContext. */
public interface ProviderSession {
    /** Returns the provider's Session or JMSContext. */
    Object provider();

    Message createMessage() throws JMSException;

    TextMessage createTextMessage() throws JMSException;

    BytesMessage createBytesMessage() throws JMSException;

    MapMessage createMapMessage() throws JMSException;

    StreamMessage createStreamMessage() throws JMSException;

    ObjectMessage createObjectMessage() throws JMSException;

    void commit() throws JMSException;

    void rollback() throws JMSException;

    void recover() throws JMSException;

    static ProviderSession of(Session session) {
        return new OfSession(session);
    }

    static ProviderSession of(JMSContext context) {
        return new OfContext(context);
    }

    /** Adapts a Session. */
    record OfSession(Session session) implements ProviderSession {
        @Override
        public Object provider() {
            return session;
        }

        @Override
        public Message createMessage() throws JMSException {
            return session.createMessage();
        }

        @Override
        public TextMessage createTextMessage() throws JMSException {
            return session.createTextMessage();
        }

        @Override
        public BytesMessage createBytesMessage() throws JMSException {
            return session.createBytesMessage();
        }

        @Override
        public MapMessage createMapMessage() throws JMSException {
            return session.createMapMessage();
        }

        @Override
        public StreamMessage createStreamMessage() throws JMSException {
            return session.createStreamMessage();
        }

        @Override
        public ObjectMessage createObjectMessage() throws JMSException {
            return session.createObjectMessage();
        }

        @Override
        public void commit() throws JMSException {
            session.commit();
        }

        @Override
        public void rollback() throws JMSException {
            session.rollback();
        }

        @Override
        public void recover() throws JMSException {
            session.recover();
        }
    }

    /** A JMSContext. Its unchecked exceptions pass unchanged. */
    record OfContext(JMSContext context) implements ProviderSession {
        @Override
        public Object provider() {
            return context;
        }

        @Override
        public Message createMessage() {
            return context.createMessage();
        }

        @Override
        public TextMessage createTextMessage() {
            return context.createTextMessage();
        }

        @Override
        public BytesMessage createBytesMessage() {
            return context.createBytesMessage();
        }

        @Override
        public MapMessage createMapMessage() {
            return context.createMapMessage();
        }

        @Override
        public StreamMessage createStreamMessage() {
            return context.createStreamMessage();
        }

        @Override
        public ObjectMessage createObjectMessage() {
            return context.createObjectMessage();
        }

        @Override
        public void commit() {
            context.commit();
        }

        @Override
        public void rollback() {
            context.rollback();
        }

        @Override
        public void recover() {
            context.recover();
        }
    }
}
