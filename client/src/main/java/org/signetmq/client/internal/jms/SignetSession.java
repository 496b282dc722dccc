/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicSession;
import java.lang.reflect.Method;
import java.util.Objects;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.Wrapper;

/** A session with consumers that open sealed messages. Like any session, for one thread at a time. */
class SignetSession extends Wrapper<SignetSession.Shown> {
    private final Session delegate;
    private final int acknowledgeMode;
    private final SessionSettlement settlement;
    private @Nullable MessageListener listener;
    private volatile @Nullable ConsumerAddress connectionConsumer;
    final MessageOpening opening;
    private final @Nullable ConsumerSessions consumers;

    /** The session as the application sees it. */
    interface Shown extends QueueSession, TopicSession {}

    /**
     * Wraps a session that was created in {@link SessionSettlement#providerMode} of this mode.
     *
     * @param consumers makes direct consumers in it and in further sessions; null for ordinary ones
     */
    SignetSession(Session delegate, int acknowledgeMode, MessageOpening opening, @Nullable ConsumerSessions consumers) {
        this(
                Shown.class,
                delegate,
                acknowledgeMode,
                opening,
                new SessionSettlement(delegate, acknowledgeMode, opening),
                consumers);
    }

    private SignetSession(
            Class<? extends Shown> shown,
            Session delegate,
            int acknowledgeMode,
            MessageOpening opening,
            SessionSettlement settlement,
            @Nullable ConsumerSessions consumers) {
        super(Session.class, shown);
        this.delegate = delegate;
        this.acknowledgeMode = acknowledgeMode;
        this.opening = opening;
        this.settlement = settlement;
        this.consumers = consumers;
    }

    /** Returns the provider's session, for messages of a connection consumer with this address. */
    Session loadedFrom(ConsumerAddress source) {
        connectionConsumer = source;
        return delegate;
    }

    /** Wraps the consumers, browsers and producers that the provider makes. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        Class<?> made = method.getReturnType();
        if (MessageConsumer.class.isAssignableFrom(made)) {
            return consumer((Destination) arguments[0], session -> (MessageConsumer) made(method, session, arguments));
        } else if (made == QueueBrowser.class) {
            QueueBrowser browser = (QueueBrowser) made(method, delegate, arguments);
            return new SignetBrowser(browser, opening.opener().source((Destination) arguments[0]), settlement);
        } else if (MessageProducer.class.isAssignableFrom(made)) {
            MessageProducer producer = (MessageProducer) made(method, delegate, arguments);
            return new SignetMessageProducer(producer).shown();
        }
        return call(method, delegate, arguments);
    }

    private static Object made(Method method, Session session, @Nullable Object[] arguments) throws JMSException {
        return Objects.requireNonNull(call(method, session, arguments));
    }

    SignetMessageConsumer consumer(Destination destination, DirectConsumer.Creation creation) throws JMSException {
        if (consumers != null) {
            return consumers.create(destination, creation);
        }
        MessageConsumer consumer = creation.on(delegate);
        return new SignetMessageConsumer(
                consumer,
                new Receiver(Receiver.Source.of(consumer), opening.opener().source(destination), settlement));
    }

    @Own
    int getAcknowledgeMode() throws JMSException {
        delegate.getAcknowledgeMode(); // throws if closed
        return acknowledgeMode;
    }

    @Own
    void commit() throws JMSException {
        settlement.commit();
    }

    @Own
    void rollback() throws JMSException {
        settlement.rollback();
    }

    @Own
    void recover() throws JMSException {
        delegate.getTransacted(); // throws if closed
        if (consumers == null) {
            settlement.recover();
        } else {
            consumers.recover();
        }
    }

    @Own
    @Nullable
    MessageListener getMessageListener() throws JMSException {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Own
    void setMessageListener(@Nullable MessageListener set) throws JMSException {
        delegate.setMessageListener(set == null ? null : arrived -> deliver(arrived, set));
        listener = set;
    }

    private void deliver(Message arrived, MessageListener to) {
        ConsumerAddress source = connectionConsumer;
        settlement.deliver(arrived, source == null ? ConsumerAddress.UNKNOWN : source, to);
    }

    @Own
    void close() throws JMSException {
        settlement.close(delegate::close);
        if (consumers != null) {
            consumers.close();
        }
    }

    /** An XA session with consumers that open sealed messages. Like any session, for one thread at a time. */
    static final class SignetXASession extends SignetSession {
        private final XASession delegate;
        private final SignetXAResource resource;
        private final DirectConsumer.@Nullable Maker direct;

        /** The session as the application sees it. */
        interface ShownXa extends Shown, XAQueueSession, XATopicSession {}

        SignetXASession(
                XASession delegate,
                SignetXAResource resource,
                MessageOpening opening,
                DirectConsumer.@Nullable Maker direct) {
            super(ShownXa.class, delegate, Session.SESSION_TRANSACTED, opening, resource.settlement(), null);
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
                            Receiver.Source.of(consumer, resource),
                            opening.opener().source(destination),
                            resource.settlement()));
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

    /** A producer that seals messages, and sends a received one with the opened content. */
    private final class SignetMessageProducer extends Wrapper<MessageProducer> {
        private final MessageProducer delegate;
        private final @Nullable Destination own;

        /** The destination of the last message, and its address. */
        private @Nullable Destination last;

        private @Nullable String address;

        SignetMessageProducer(MessageProducer delegate) throws JMSException {
            super(MessageProducer.class, QueueSender.class, TopicPublisher.class);
            this.delegate = delegate;
            this.own = delegate.getDestination();
        }

        @SuppressWarnings("ReferenceEquality") // an equal destination only costs a look
        private OutgoingMessage outgoing(Message message, @Nullable Object first) throws JMSException {
            Destination destination = first instanceof Destination given ? given : own;
            if (destination != last) {
                address = opening.opener().addressOf(destination);
                last = destination;
            }
            return settlement.outgoing(message, destination, address);
        }

        /** Passes a message of the provider in place of a received one, and the results back to the received one. */
        @Override
        protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
            if (!method.getName().equals("send") && !method.getName().equals("publish")) {
                return call(method, delegate, arguments);
            }
            @Nullable Object[] passed = arguments.clone();
            int at = 0;
            while (at < passed.length && !(passed[at] instanceof Message)) {
                at++;
            }
            if (at == passed.length) {
                return call(method, delegate, passed); // throws
            }
            try (OutgoingMessage outgoing = outgoing((Message) arguments[at], arguments[0])) {
                passed[at] = outgoing.toSend();
                boolean waits = true;
                for (int i = at + 1; i < passed.length; i++) {
                    if (passed[i] instanceof CompletionListener listener) {
                        passed[i] = outgoing.completing(listener);
                        waits = false;
                    }
                }
                settlement.beforeSending();
                Object nothing = call(method, delegate, passed);
                if (waits) {
                    outgoing.sent();
                }
                return nothing;
            }
        }
    }
}
