/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicSession;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ProviderSession;

/** An XA session with consumers that open sealed messages. Like any session, for one thread at a time. */
final class SignetXASession extends SignetSession {
    private final XASession delegate;
    private final SignetXAResource resource;
    private final DirectConsumer.@Nullable Maker direct;

    /** The session as the application sees it. */
    interface ShownXa extends Shown, XAQueueSession, XATopicSession {}

    SignetXASession(XASession delegate, MessageOpening opening, DirectConsumer.@Nullable Maker direct) {
        this(
                delegate,
                new SignetXAResource(
                        delegate.getXAResource(),
                        ProviderSession.of(delegate),
                        opening,
                        direct != null || opening.library().protocol() == ClientProtocol.OPENWIRE),
                opening,
                direct);
    }

    private SignetXASession(
            XASession delegate,
            SignetXAResource resource,
            MessageOpening opening,
            DirectConsumer.@Nullable Maker direct) {
        super(ShownXa.class, delegate, resource.settlement(), opening);
        this.delegate = delegate;
        this.resource = resource;
        this.direct = direct;
    }

    @Override
    SignetMessageConsumer consumer(Destination destination, DirectConsumer.Creation creation) throws JMSException {
        if (direct == null) {
            return super.consumer(destination, creation);
        }
        DirectConsumer consumer = direct.make(delegate, destination, creation);
        return new SignetMessageConsumer(
                consumer.consumer(),
                new Receiver(
                        Receiver.Source.of(consumer, resource), opening.source(destination), resource.settlement()));
    }

    @Own
    Session getSession() {
        return shown();
    }

    @Own
    QueueSession getQueueSession() {
        return shown();
    }

    @Own
    TopicSession getTopicSession() {
        return shown();
    }

    @Own
    XAResource getXAResource() {
        return resource;
    }

    /** Throws the provider's exception, because only the transaction manager commits. */
    @Override
    void commit() throws JMSException {
        delegate.commit();
    }

    /** Throws the provider's exception, because only the transaction manager rolls back. */
    @Override
    void rollback() throws JMSException {
        delegate.rollback();
    }
}
