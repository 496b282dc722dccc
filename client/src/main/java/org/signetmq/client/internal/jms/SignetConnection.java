/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.settlement.ListenerGate;
import org.signetmq.client.internal.settlement.SessionSettlement;

/** A connection with sessions that open sealed messages. As thread-safe as the provider's connection. */
public class SignetConnection implements QueueConnection, TopicConnection {
    private final Connection delegate;
    private final DirectConsumer.@Nullable Maker direct;
    final MessageOpening opening;

    /** Wraps a connection whose messages are acknowledged by the API. */
    public SignetConnection(Connection delegate, AddressedOpener opener) {
        this(delegate, opener, null);
    }

    /**
     * Wraps a connection.
     *
     * @param direct makes direct consumers; null if the library has none
     */
    public SignetConnection(Connection delegate, AddressedOpener opener, DirectConsumer.@Nullable Maker direct) {
        this.delegate = delegate;
        this.direct = direct;
        this.opening = new MessageOpening(opener, delegate);
    }

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session createSession(int acknowledgeMode) throws JMSException {
        return wrapped(() -> delegate.createSession(providerMode(acknowledgeMode)), acknowledgeMode);
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return createSession(mode(transacted, acknowledgeMode));
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        int mode = mode(transacted, acknowledgeMode);
        QueueConnection connection = (QueueConnection) delegate;
        return wrapped(() -> connection.createQueueSession(transacted, providerMode(mode)), mode);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        int mode = mode(transacted, acknowledgeMode);
        TopicConnection connection = (TopicConnection) delegate;
        return wrapped(() -> connection.createTopicSession(transacted, providerMode(mode)), mode);
    }

    private int mode(boolean transacted, int acknowledgeMode) throws JMSException {
        if (transacted) {
            return Session.SESSION_TRANSACTED;
        }
        return acknowledgeMode == Session.SESSION_TRANSACTED ? modeWithoutTransaction() : acknowledgeMode;
    }

    /**
     * Returns the provider's mode for a contradictory request. Artemis acknowledges automatically, other libraries
     * reject it.
     */
    private int modeWithoutTransaction() throws JMSException {
        try (Session session = delegate.createSession(false, Session.SESSION_TRANSACTED)) {
            return session.getAcknowledgeMode();
        }
    }

    private int providerMode(int acknowledgeMode) {
        return isDirect(acknowledgeMode) ? Session.AUTO_ACKNOWLEDGE : SessionSettlement.providerMode(acknowledgeMode);
    }

    private boolean isDirect(int acknowledgeMode) {
        return direct != null && SessionSettlement.settlesItself(acknowledgeMode);
    }

    private SignetSession wrapped(ConsumerSessions.SessionMaker sessions, int acknowledgeMode) throws JMSException {
        Session session = sessions.make();
        return direct != null && isDirect(acknowledgeMode)
                ? new SignetSession(session, acknowledgeMode, opening, new ConsumerSessions.Source(sessions, direct))
                : new SignetSession(session, acknowledgeMode, opening);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return delegate.createConnectionConsumer(
                destination, selector, new ProviderSessionPool(pool, opening.source(destination)), maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return delegate.createSharedConnectionConsumer(
                topic, name, selector, new ProviderSessionPool(pool, opening.source(topic)), maxMessages);
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return delegate.createDurableConnectionConsumer(
                topic, name, selector, new ProviderSessionPool(pool, opening.source(topic)), maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return delegate.createSharedDurableConnectionConsumer(
                topic, name, selector, new ProviderSessionPool(pool, opening.source(topic)), maxMessages);
    }

    @Override
    public String getClientID() throws JMSException {
        return delegate.getClientID();
    }

    @Override
    public void setClientID(String value) throws JMSException {
        delegate.setClientID(value);
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        return delegate.getMetaData();
    }

    @Override
    public ExceptionListener getExceptionListener() throws JMSException {
        return delegate.getExceptionListener();
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) throws JMSException {
        delegate.setExceptionListener(listener);
    }

    @Override
    public void start() throws JMSException {
        delegate.start();
    }

    @Override
    public void stop() throws JMSException {
        delegate.stop();
    }

    @Override
    public void close() throws JMSException {
        ListenerGate.closeConnection(opening, delegate::close);
    }
}
