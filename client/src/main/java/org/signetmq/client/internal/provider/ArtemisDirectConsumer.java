/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;
import org.apache.activemq.artemis.core.client.impl.ClientSessionImpl;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQObjectMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.ConnectionFactoryOptions;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.apache.activemq.artemis.jms.client.ThreadAwareContext;
import org.apache.activemq.artemis.jms.client.compatible1X.ActiveMQCompatibleMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of the Artemis client that receives below JMS. There a message is acknowledged by one packet without an
 * answer. In CLIENT_ACKNOWLEDGE it needs the packet, a commit and the broker's answer.
 */
final class ArtemisDirectConsumer implements DirectConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(ArtemisDirectConsumer.class);

    private static final int NO_MESSAGE = -1;

    private final MessageConsumer consumer;
    private final ActiveMQSession session;
    private final ClientConsumerInternal core;
    private final Conversion conversion;
    private final ThreadAwareContext threads;

    private @Nullable ClientMessage unacknowledged;
    private int priority = NO_MESSAGE;
    private boolean mixedPriorities;
    private long returned = NO_MESSAGE;

    private ArtemisDirectConsumer(
            MessageConsumer consumer,
            ActiveMQSession session,
            ClientConsumerInternal core,
            Conversion conversion,
            ThreadAwareContext threads) {
        this.consumer = consumer;
        this.session = session;
        this.core = core;
        this.conversion = conversion;
        this.threads = threads;
    }

    /** Returns whether this version of the client shows the consumers of its sessions. */
    static boolean isPossible() {
        try {
            return Modifier.isPublic(
                    ClientSessionImpl.class.getMethod("cloneConsumers").getModifiers());
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Makes direct consumers. */
    record Maker(ConnectionFactoryOptions options, ThreadAwareContext threads) implements DirectConsumer.Maker {
        @Override
        public DirectConsumer make(Session session, Destination destination, Creation creation) throws JMSException {
            ActiveMQSession artemis = (ActiveMQSession) session;
            ClientSessionImpl core = (ClientSessionImpl) artemis.getCoreSession();
            Set<ClientConsumerInternal> others = core.cloneConsumers(); // of browsers
            MessageConsumer consumer = creation.on(session);
            Set<ClientConsumerInternal> added = core.cloneConsumers();
            added.removeAll(others);
            RoutingType routing =
                    ((ActiveMQDestination) destination).isQueue() ? RoutingType.ANYCAST : RoutingType.MULTICAST;
            return new ArtemisDirectConsumer(
                    consumer, artemis, added.iterator().next(), new Conversion(artemis, routing, options), threads);
        }
    }

    /** Makes messages of JMS as the client's own consumer does. */
    private record Conversion(ActiveMQSession session, RoutingType routing, ConnectionFactoryOptions options) {
        ActiveMQMessage of(ClientMessage message) throws ActiveMQException {
            if (message.getRoutingType() == null) {
                message.setRoutingType(routing);
            }
            ClientSession forObjects =
                    message.getType() == ActiveMQObjectMessage.TYPE ? session.getCoreSession() : null;
            ActiveMQMessage converted = session.isEnable1xPrefixes()
                    ? ActiveMQCompatibleMessage.createMessage(message, forObjects, options)
                    : ActiveMQMessage.createMessage(message, forObjects, options);
            converted.doBeforeReceive();
            return converted;
        }
    }

    @Override
    public MessageConsumer consumer() {
        return consumer;
    }

    @Override
    public ReceiveTimeout.Call receiving() {
        return millis -> below(() -> {
            ClientMessage message = millis == ReceiveTimeout.AT_ONCE ? core.receiveImmediate() : core.receive(millis);
            if (message == null) {
                return null;
            }
            began(message);
            return converted(message);
        });
    }

    /** Makes a call below JMS, and throws what the client would throw. */
    private static <T> @Nullable T below(CoreCall<T> call) throws JMSException {
        try {
            return call.run();
        } catch (ActiveMQException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        } catch (ActiveMQInterruptedException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        }
    }

    private interface CoreCall<T> {
        @Nullable
        T run() throws ActiveMQException, JMSException;
    }

    /** Gives a message back whose body is not of its type. The library leaves such a message unacknowledged. */
    private Message converted(ClientMessage message) throws ActiveMQException, JMSException {
        try {
            return conversion.of(message);
        } catch (RuntimeException e) {
            JMSException failure = new JMSException("message: its body is not of its type");
            failure.initCause(e);
            try {
                recover();
            } catch (JMSException | RuntimeException notReturned) {
                failure.addSuppressed(notReturned);
            }
            throw failure;
        }
    }

    private void began(ClientMessage message) {
        unacknowledged = message;
        mixedPriorities |= priority != NO_MESSAGE && priority != message.getPriority();
        priority = message.getPriority();
    }

    /** Also tells the client that the message is settled, or the client acknowledges it once more. */
    @Override
    public MessageListener listening(MessageListener listener) {
        return arrived -> {
            began(((ActiveMQMessage) arrived).getCoreMessage());
            try {
                listener.onMessage(arrived);
            } finally {
                session.setRecoverCalled(true);
            }
        };
    }

    /** Listens below JMS, where the client would acknowledge the message before it calls the listener. */
    @Override
    public void listenInXa(@Nullable MessageListener listener) throws JMSException {
        below(() -> core.setMessageHandler(listener == null ? null : message -> call(listener, message)));
    }

    /** Calls a listener as the client does. It logs an exception, because its caller would. */
    private void call(MessageListener listener, ClientMessage message) {
        threads.setCurrentThread(false); // so that the client refuses to close a session in its listener
        try {
            listener.onMessage(conversion.of(message));
        } catch (ActiveMQException | RuntimeException e) {
            LOG.warn("XA session: message listener failed: {}", e.getClass().getName());
        } finally {
            threads.clearCurrentThread(false);
        }
    }

    /** Acknowledges this message only. A message that could not be given back must not count as acknowledged too. */
    @Override
    public void acknowledge(Message arrived) throws JMSException {
        unacknowledged = null;
        below(() -> {
            ((ActiveMQMessage) arrived).getCoreMessage().individualAcknowledge();
            return null;
        });
    }

    @Override
    public void giveBack(Message arrived) throws JMSException {
        recover();
    }

    /**
     * Rolls the session back, if a message is unacknowledged. The broker counts a delivery of the message that it
     * delivered first. The client passes messages on by their priority, so a waiting message may be the first. Then
     * this method returns all without a count. They come again in the order of their priority, so the next attempt
     * counts this message.
     */
    @Override
    public void recover() throws JMSException {
        ClientMessage message = unacknowledged;
        if (message == null) {
            return;
        }
        boolean isFirst = !mixedPriorities || message.getMessageID() == returned || core.getBufferSize() == 0;
        returned = message.getMessageID();
        unacknowledged = null;
        below(() -> {
            session.getCoreSession().rollback(isFirst);
            return null;
        });
    }
}
