/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.MessageOpening;

/** An XA connection whose sessions open their messages. Thread-safe as the provider's connection is. */
public final class SignetXAConnection extends SignetConnection implements XAQueueConnection, XATopicConnection {
    private final XAConnection delegate;
    private final MessageOpening opening;

    public SignetXAConnection(XAConnection delegate, AddressedOpener opener) {
        super(delegate, opener);
        this.delegate = delegate;
        this.opening = new MessageOpening(opener, delegate);
    }

    @Override
    public XASession createXASession() throws JMSException {
        return SignetXASession.of(delegate.createXASession(), opening);
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return SignetXASession.of(((XAQueueConnection) delegate).createXAQueueSession(), opening);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return SignetXASession.of(((XATopicConnection) delegate).createXATopicSession(), opening);
    }
}
