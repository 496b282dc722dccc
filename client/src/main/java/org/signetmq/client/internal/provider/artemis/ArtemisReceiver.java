/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.artemis;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnection;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessageConsumer;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.ConnectionFactoryOptions;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.apache.activemq.artemis.jms.client.compatible1X.ActiveMQCompatibleMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.ReceiveTimeout;

/**
 * Receives from a queue as a consumer of the Artemis client does, but leaves it to the caller when the message is
 * acknowledged. The client's own receive acknowledges before it returns; the consumer of its core beneath does not, but
 * the client does not publish it. Needs the client's classes. As a session, for one thread at a time.
 */
public final class ArtemisReceiver implements ReceiveTimeout.Asking {
    private static final @Nullable Internals INTERNALS = Internals.find();

    private final ActiveMQSession session;
    private final ActiveMQMessageConsumer consumer;
    private final ClientConsumer core;
    private final ConnectionFactoryOptions options;

    /** Reads private fields of the client. */
    private record Internals(MethodHandle core, MethodHandle options) {
        static @Nullable Internals find() {
            try {
                Class<?> type = ActiveMQMessageConsumer.class;
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
                return new Internals(
                        lookup.findGetter(type, "consumer", ClientConsumer.class),
                        lookup.findGetter(type, "options", ConnectionFactoryOptions.class));
            } catch (ReflectiveOperationException | RuntimeException otherVersion) {
                return null;
            }
        }
    }

    private ArtemisReceiver(ActiveMQSession session, ActiveMQMessageConsumer consumer, Internals internals)
            throws JMSException {
        this.session = session;
        this.consumer = consumer;
        try {
            this.core = (ClientConsumer) internals.core().invoke(consumer);
            this.options = (ConnectionFactoryOptions) internals.options().invoke(consumer);
        } catch (Throwable e) {
            JMSException failure = new JMSException("consumer: this version of the Artemis client is not known");
            failure.initCause(e);
            throw failure;
        }
    }

    /** Whether consumers of this connection can be received from in this way. */
    public static boolean serves(Connection connection) {
        return INTERNALS != null && connection instanceof ActiveMQConnection;
    }

    /** Receives for a consumer that a session of such a connection made for a queue. */
    public static ArtemisReceiver of(Session session, MessageConsumer consumer) throws JMSException {
        if (INTERNALS == null) {
            throw new IllegalStateException("consumer: not of a connection that is served");
        }
        return new ArtemisReceiver((ActiveMQSession) session, (ActiveMQMessageConsumer) consumer, INTERNALS);
    }

    /** The provider's session. */
    public ProviderSession session() {
        return ProviderSession.of(session);
    }

    /** The provider's consumer. */
    public ActiveMQMessageConsumer consumer() {
        return consumer;
    }

    /** The next message, not acknowledged. */
    @Override
    public @Nullable Message next() throws JMSException {
        return nextWithin(0); // which the client takes for ever
    }

    @Override
    public @Nullable Message nextWithin(long millis) throws JMSException {
        return received(() -> core.receive(millis));
    }

    @Override
    public @Nullable Message nextAtOnce() throws JMSException {
        return received(core::receiveImmediate);
    }

    private interface Receiving {
        @Nullable
        ClientMessage next() throws ActiveMQException;
    }

    private @Nullable Message received(Receiving receiving) throws JMSException {
        try {
            return prepared(receiving.next());
        } catch (ActiveMQException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        } catch (ActiveMQInterruptedException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        }
    }

    private @Nullable Message prepared(@Nullable ClientMessage arrived) throws ActiveMQException {
        if (arrived == null) {
            return null;
        }
        if (arrived.getRoutingType() == null) {
            arrived.setRoutingType(RoutingType.ANYCAST);
        }
        ActiveMQMessage message = session.isEnable1xPrefixes()
                ? ActiveMQCompatibleMessage.createMessage(arrived, session.getCoreSession(), options)
                : ActiveMQMessage.createMessage(arrived, session.getCoreSession(), options);
        message.doBeforeReceive();
        return message;
    }

    /** Acknowledges a message, and those that the consumer gave before it. */
    public void acknowledge(Message message) throws JMSException {
        try {
            ((ActiveMQMessage) message).getCoreMessage().acknowledge();
        } catch (ActiveMQException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        }
    }

    /**
     * Gives unacknowledged messages back to the broker, which counts a delivery of the eldest one. That is the caller's
     * message, unless messages of higher priority overtook it.
     */
    public void giveBack() throws JMSException {
        try {
            session.getCoreSession().rollback(true);
        } catch (ActiveMQException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        }
    }

    /** As {@link #giveBack}, within a listener: the client does not acknowledge the message when it returns. */
    public void giveBackFromListener() throws JMSException {
        session.setRecoverCalled(true); // first: after any later failure the client acknowledges no message
        giveBack();
    }
}
