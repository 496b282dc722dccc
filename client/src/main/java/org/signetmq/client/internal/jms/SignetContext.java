/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.XAJMSContext;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.provider.ReceiveTimeout;
import org.signetmq.client.internal.provider.Wrapper;

/** A context with consumers that open sealed messages. Like any context, for one thread at a time. */
public class SignetContext extends Wrapper<JMSContext> {
    private final JMSContext delegate;
    private final int sessionMode;
    private final AddressedOpener opener;
    private final MessageOpening opening;
    private final ProviderSession session;
    private final SessionSettlement settlement;
    private final OpenOutcomes outcomes;

    private SignetContext(
            Class<? extends JMSContext> shown,
            JMSContext delegate,
            SessionSettlement settlement,
            int sessionMode,
            AddressedOpener opener,
            MessageOpening opening) {
        super(shown);
        this.delegate = delegate;
        this.sessionMode = sessionMode;
        this.opener = opener;
        this.opening = opening;
        this.session = ProviderSession.of(delegate);
        this.settlement = settlement;
        this.outcomes = settlement.outcomes();
    }

    /** Wraps a context that was created in {@link SessionSettlement#providerMode} of this mode. */
    public static JMSContext of(JMSContext delegate, int sessionMode, AddressedOpener opener) {
        MessageOpening opening = new MessageOpening(opener, delegate);
        SessionSettlement settlement = new SessionSettlement(ProviderSession.of(delegate), sessionMode, opening);
        return new SignetContext(JMSContext.class, delegate, settlement, sessionMode, opener, opening).shown();
    }

    /** Wraps an XA context. */
    public static XAJMSContext ofXa(XAJMSContext delegate, AddressedOpener opener) {
        MessageOpening opening = new MessageOpening(opener, delegate);
        SignetXAResource resource =
                new SignetXAResource(delegate.getXAResource(), ProviderSession.of(delegate), opening, false);
        return (XAJMSContext) new Xa(delegate, resource, opener, opening).shown();
    }

    /** Wraps the consumers and browsers that the provider makes. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        Object made = call(method, delegate, arguments);
        if (made instanceof JMSConsumer consumer) {
            return new SignetJmsConsumer(consumer, source(arguments), settlement);
        } else if (made instanceof QueueBrowser browser) {
            return new SignetBrowser(browser, source(arguments), settlement);
        }
        return made;
    }

    /** Returns the address of the destination, which is the first argument, and which the provider accepted. */
    private ConsumerAddress source(@Nullable Object[] arguments) {
        try {
            return opener.source((Destination) Objects.requireNonNull(arguments[0]));
        } catch (JMSException e) {
            throw outcomes.unchecked(e);
        }
    }

    @Own
    JMSContext createContext(int mode) {
        return of(delegate.createContext(SessionSettlement.providerMode(mode)), mode, opener);
    }

    @Own
    JMSProducer createProducer() {
        return new SignetJmsProducer(delegate.createProducer()).shown();
    }

    @Own
    int getSessionMode() {
        return sessionMode;
    }

    @Own
    void acknowledge() {
        if (!SessionSettlement.settlesItself(sessionMode)) {
            outcomes.run(() -> settlement.acknowledgeAll(delegate::acknowledge));
        }
    }

    @Own
    void commit() {
        outcomes.run(settlement::commit);
    }

    @Own
    void rollback() {
        outcomes.run(settlement::rollback);
    }

    @Own
    void recover() {
        delegate.getTransacted(); // throws if closed
        outcomes.run(settlement::recover);
    }

    @Own
    void close() {
        outcomes.run(() -> settlement.close(delegate::close));
        settlement.closeQuarantine();
    }

    /** An XA context. */
    static final class Xa extends SignetContext {
        private final XAJMSContext delegate;
        private final SignetXAResource resource;

        Xa(XAJMSContext delegate, SignetXAResource resource, AddressedOpener opener, MessageOpening opening) {
            super(XAJMSContext.class, delegate, resource.settlement(), JMSContext.SESSION_TRANSACTED, opener, opening);
            this.delegate = delegate;
            this.resource = resource;
        }

        @Own
        JMSContext getContext() {
            return shown();
        }

        @Own
        XAResource getXAResource() {
            return resource;
        }

        /** Throws the provider's exception, because only the transaction manager commits. */
        @Override
        void commit() {
            delegate.commit();
        }

        /** Throws the provider's exception, because only the transaction manager rolls back. */
        @Override
        void rollback() {
            delegate.rollback();
        }
    }

    /** A producer of the simplified API that seals messages, and sends a received one with the opened content. */
    final class SignetJmsProducer extends Wrapper<JMSProducer> {
        private final JMSProducer delegate;
        private @Nullable CompletionListener async;

        /** The correlation id in bytes. The Artemis client fails to return none. */
        private byte[] correlation = {};

        SignetJmsProducer(JMSProducer delegate) {
            super(JMSProducer.class);
            this.delegate = delegate;
        }

        /** Fills a message of the provider. */
        private interface Filling {
            Message made() throws JMSException;
        }

        @Override
        protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
            Object result = call(method, delegate, arguments);
            return method.getReturnType() == JMSProducer.class ? shown() : result;
        }

        @Own
        JMSProducer send(@Nullable Destination destination, @Nullable String body) {
            return send(
                    destination,
                    () -> {
                        TextMessage message = session.createTextMessage();
                        message.setText(body);
                        return message;
                    },
                    () -> delegate.send(destination, body));
        }

        @Own
        JMSProducer send(@Nullable Destination destination, byte @Nullable [] body) {
            return send(
                    destination,
                    () -> {
                        BytesMessage message = session.createBytesMessage();
                        if (body != null) {
                            message.writeBytes(body);
                        }
                        return message;
                    },
                    () -> delegate.send(destination, body));
        }

        @Own
        JMSProducer send(@Nullable Destination destination, @Nullable Map<String, Object> body) {
            return send(
                    destination,
                    () -> {
                        MapMessage message = session.createMapMessage();
                        if (body != null) {
                            for (Map.Entry<String, Object> entry : body.entrySet()) {
                                message.setObject(entry.getKey(), entry.getValue());
                            }
                        }
                        return message;
                    },
                    () -> delegate.send(destination, body));
        }

        @Own
        JMSProducer send(@Nullable Destination destination, @Nullable Serializable body) {
            return send(
                    destination,
                    () -> {
                        ObjectMessage message = session.createObjectMessage();
                        message.setObject(body);
                        return message;
                    },
                    () -> delegate.send(destination, body));
        }

        /** Sends a body as a message of this class's own if its address wants it sealed. */
        private JMSProducer send(@Nullable Destination destination, Filling filling, Runnable plainly) {
            try {
                if (opening.seals(opening.addressOf(destination))) {
                    return send(destination, filling.made());
                }
            } catch (JMSException e) {
                throw outcomes.unchecked(e);
            }
            settlement.beforeSending();
            plainly.run();
            return shown();
        }

        @Own
        JMSProducer send(@Nullable Destination destination, @Nullable Message message) {
            if (message == null) {
                delegate.send(destination, (Message) null); // throws
                return shown();
            }
            try {
                String address = opening.addressOf(destination);
                if (opening.seals(address) || behind(message, ReceivedMessage.class) != null) {
                    putOn(message); // because the provider gets another object
                }
                try (OutgoingMessage outgoing = opening.outgoing(message, destination, address, session)) {
                    settlement.beforeSending();
                    send(destination, outgoing);
                }
            } catch (JMSException e) {
                throw outcomes.unchecked(e);
            }
            return shown();
        }

        private void send(@Nullable Destination destination, OutgoingMessage outgoing) throws JMSException {
            Map<String, Object> properties = outgoing.isSealed() ? takeProperties() : Map.of();
            try {
                if (async == null) {
                    delegate.send(destination, outgoing.toSend());
                    outgoing.sent();
                } else {
                    send(destination, outgoing, async);
                }
            } finally {
                properties.forEach(delegate::setProperty);
            }
        }

        /** Takes the properties, which a sealed message has already, without the hidden ones. */
        private Map<String, Object> takeProperties() {
            Map<String, Object> taken = new LinkedHashMap<>();
            for (String name : delegate.getPropertyNames()) {
                taken.put(name, delegate.getObjectProperty(name));
            }
            if (!taken.isEmpty()) {
                delegate.clearProperties();
            }
            return taken;
        }

        /**
         * Puts the headers and properties of this producer on the application's message, as the provider's one does.
         */
        private void putOn(Message message) throws JMSException {
            if (delegate.getJMSCorrelationID() != null) {
                message.setJMSCorrelationID(delegate.getJMSCorrelationID());
            }
            if (correlation.length > 0) {
                message.setJMSCorrelationIDAsBytes(correlation.clone());
            }
            if (delegate.getJMSReplyTo() != null) {
                message.setJMSReplyTo(delegate.getJMSReplyTo());
            }
            if (delegate.getJMSType() != null) {
                message.setJMSType(delegate.getJMSType());
            }
            for (String name : delegate.getPropertyNames()) {
                message.setObjectProperty(name, delegate.getObjectProperty(name));
            }
        }

        private void send(@Nullable Destination destination, OutgoingMessage outgoing, CompletionListener listener) {
            delegate.setAsync(outgoing.completing(listener));
            try {
                delegate.send(destination, outgoing.toSend());
            } finally {
                delegate.setAsync(listener);
            }
        }

        @Own
        JMSProducer setAsync(@Nullable CompletionListener listener) {
            delegate.setAsync(listener);
            async = listener;
            return shown();
        }

        @Own
        @Nullable
        CompletionListener getAsync() {
            return async;
        }

        @Own
        JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] value) {
            delegate.setJMSCorrelationIDAsBytes(value);
            correlation = value == null ? new byte[0] : value.clone();
            return shown();
        }
    }

    /** A consumer of the simplified API that opens sealed messages. */
    private static final class SignetJmsConsumer implements JMSConsumer {
        private final JMSConsumer delegate;
        private final Receiver receiver;
        private final OpenOutcomes outcomes;
        private SessionSettlement.MessageReturns.@Nullable Held held;

        SignetJmsConsumer(JMSConsumer delegate, ConsumerAddress source, SessionSettlement settlement) {
            this.delegate = delegate;
            this.receiver = new Receiver(Receiver.Source.of(delegate), source, settlement);
            this.outcomes = settlement.outcomes();
        }

        /** Takes what the application asked for from a message. */
        private interface Taking<T> {
            T from(ReceivedMessage message) throws JMSException;
        }

        @Override
        public @Nullable Message receive() {
            return receive(ReceiveTimeout.FOREVER);
        }

        @Override
        public @Nullable Message receive(long timeout) {
            return settled(timeout, ReceivedMessage::shown);
        }

        @Override
        public @Nullable Message receiveNoWait() {
            return receive(ReceiveTimeout.AT_ONCE);
        }

        @Override
        public <T> @Nullable T receiveBody(Class<T> type) {
            return receiveBody(type, ReceiveTimeout.FOREVER);
        }

        @Override
        public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
            return settled(timeout, message -> bodyOf(message, type));
        }

        @Override
        public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
            return receiveBody(type, ReceiveTimeout.AT_ONCE);
        }

        private <T> @Nullable T settled(long timeout, Taking<T> taking) {
            try {
                ReceivedMessage kept = held == null ? null : held.release();
                held = null;
                ReceivedMessage message = kept == null ? receiver.next(timeout) : kept;
                if (message == null) {
                    return null;
                }
                T taken = taking.from(message);
                receiver.settlement.settle(message);
                return taken;
            } catch (JMSException e) {
                throw outcomes.unchecked(e);
            }
        }

        /**
         * Returns the body. If it has another type and the session acknowledges, the next call must return the same
         * message (Jakarta Messaging 3.1 section 8.6).
         */
        private <T> T bodyOf(ReceivedMessage message, Class<T> type) throws JMSException {
            try {
                if (message.shown() instanceof StreamMessage) {
                    throw new MessageFormatException("body: a stream cannot be received as an object");
                }
                T body = message.getBody(type);
                if (body == null) {
                    throw new MessageFormatException("body: missing");
                }
                return body;
            } catch (MessageFormatException e) {
                held = receiver.settlement.hold(message);
                throw e;
            }
        }

        @Override
        public @Nullable MessageListener getMessageListener() {
            return delegate.getMessageListener() == null ? null : receiver.listener();
        }

        @Override
        public void setMessageListener(@Nullable MessageListener listener) {
            outcomes.run(() -> receiver.listen(listener));
        }

        @Override
        public String getMessageSelector() {
            return delegate.getMessageSelector();
        }

        @Override
        public void close() {
            if (held != null) {
                held.release();
                held = null;
            }
            outcomes.run(receiver::close);
        }
    }
}
