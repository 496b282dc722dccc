/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import org.signetmq.client.internal.provider.ProviderSession;

/** A session in branches of an outer transaction, which alone commits. */
record BranchSession(ProviderSession session, SignetXAResource resource) implements ProviderSession {
    @Override
    public Object provider() {
        return session.provider();
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

    /** Rolls the branch back that has one message in it, and begins it anew. */
    @Override
    public void rollback() throws JMSException {
        resource.rollBackAndBeginAnew();
    }

    @Override
    public void recover() throws JMSException {
        session.recover();
    }

    @Override
    public void beforeReceiving() throws JMSException {
        resource.requireBranch();
    }

    @Override
    public void beforeListening() throws JMSException {
        throw new IllegalStateException("XA session: a listener is called without a transaction; receive instead");
    }
}
