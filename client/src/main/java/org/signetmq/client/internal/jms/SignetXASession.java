/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.settlement.SessionSettlement;

/** An XA session whose consumers open their messages. As any session, for one thread at a time. */
final class SignetXASession extends SignetSession implements XAQueueSession, XATopicSession {
    private final XASession delegate;
    private final SignetXAResource resource;

    private SignetXASession(
            XASession delegate, SignetXAResource resource, MessageOpening opening, SessionSettlement settlement) {
        super(delegate, settlement, opening);
        this.delegate = delegate;
        this.resource = resource.tells(settlement);
    }

    static SignetXASession of(XASession delegate, MessageOpening opening) {
        SignetXAResource resource = new SignetXAResource(delegate.getXAResource());
        ProviderSession session = new BranchSession(ProviderSession.of(delegate), resource);
        SessionSettlement settlement = new SessionSettlement(session, Session.SESSION_TRANSACTED, opening);
        return new SignetXASession(delegate, resource, opening, settlement);
    }

    @Override
    public Session getSession() {
        return this;
    }

    @Override
    public QueueSession getQueueSession() {
        return this;
    }

    @Override
    public TopicSession getTopicSession() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return resource;
    }

    /** The provider throws it, because the transaction manager commits. */
    @Override
    public void commit() throws JMSException {
        delegate.commit();
    }

    /** The provider throws it, because the transaction manager rolls back. */
    @Override
    public void rollback() throws JMSException {
        delegate.rollback();
    }
}
