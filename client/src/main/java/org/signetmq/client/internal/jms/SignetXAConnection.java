/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.provider.DirectConsumer;

/** An XA connection with sessions that open sealed messages. As thread-safe as the provider's connection. */
public final class SignetXAConnection extends SignetConnection implements XAQueueConnection, XATopicConnection {
    private final XAConnection delegate;
    private final DirectConsumer.@Nullable Maker direct;

    /**
     * Wraps a connection.
     *
     * @param direct makes direct consumers of XA sessions; null if the library has none
     */
    public SignetXAConnection(XAConnection delegate, AddressedOpener opener, DirectConsumer.@Nullable Maker direct) {
        super(delegate, opener);
        this.delegate = delegate;
        this.direct = direct;
    }

    @Override
    public XASession createXASession() throws JMSException {
        return new SignetXASession(delegate.createXASession(), opening, direct);
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return new SignetXASession(((XAQueueConnection) delegate).createXAQueueSession(), opening, direct);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return new SignetXASession(((XATopicConnection) delegate).createXATopicSession(), opening, direct);
    }
}
