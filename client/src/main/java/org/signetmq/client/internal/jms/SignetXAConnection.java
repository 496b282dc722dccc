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

/** An XA connection with sessions that open sealed messages. As thread-safe as the provider's connection. */
public final class SignetXAConnection extends SignetConnection implements XAQueueConnection, XATopicConnection {
    private final XAConnection delegate;

    public SignetXAConnection(XAConnection delegate, AddressedOpener opener) {
        super(delegate, opener);
        this.delegate = delegate;
    }

    @Override
    public XASession createXASession() throws JMSException {
        return new SignetXASession(delegate.createXASession(), opening);
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return new SignetXASession(((XAQueueConnection) delegate).createXAQueueSession(), opening);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return new SignetXASession(((XATopicConnection) delegate).createXATopicSession(), opening);
    }
}
