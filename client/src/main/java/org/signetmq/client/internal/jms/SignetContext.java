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
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
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
    private final MessageOpening opening;
    private final SessionSettlement settlement;
    private final OpenOutcomes outcomes;

    private SignetContext(
            Class<? extends JMSContext> shown,
            JMSContext delegate,
            int sessionMode,
            MessageOpening opening,
            SessionSettlement settlement) {
        super(shown);
        this.delegate = delegate;
        this.sessionMode = sessionMode;
        this.opening = opening;
        this.settlement = settlement;
        this.outcomes = settlement.outcomes();
    }

    /** Wraps a context that was created in {@link SessionSettlement#providerMode} of this mode. */
    public static JMSContext of(JMSContext delegate, int sessionMode, AddressedOpener opener) {
        MessageOpening opening = new MessageOpening(opener, delegate);
        SessionSettlement settlement = new SessionSettlement(ProviderSession.of(delegate), sessionMode, opening);
        return new SignetContext(JMSContext.class, delegate, sessionMode, opening, settlement).shown();
    }

    /** Wraps an XA context. */
    public static XAJMSContext ofXa(XAJMSContext delegate, AddressedOpener opener) {
        MessageOpening opening = new MessageOpening(opener, delegate);
        SignetXAResource resource =
                new SignetXAResource(delegate.getXAResource(), ProviderSession.of(delegate), opening, false);
        return (XAJMSContext) new Xa(delegate, opening, resource).shown();
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
            return opening.opener().source((Destination) Objects.requireNonNull(arguments[0]));
        } catch (JMSException e) {
            throw outcomes.unchecked(e);
        }
    }

    @Own
    JMSContext createContext(int mode) {
        return of(delegate.createContext(SessionSettlement.providerMode(mode)), mode, opening.opener());
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
        opening.quarantine().close();
    }

    /** An XA context. */
    static final class Xa extends SignetContext {
        private final XAJMSContext delegate;
        private final SignetXAResource resource;

        Xa(XAJMSContext delegate, MessageOpening opening, SignetXAResource resource) {
            super(XAJMSContext.class, delegate, JMSContext.SESSION_TRANSACTED, opening, resource.settlement());
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

        /** Sends a body as a message of this class's own if its address wants it sealed. */
        @Override
        protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
            if (method.getName().equals("send")) {
                Destination destination = (Destination) arguments[0];
                if (seals(destination)) {
                    outcomes.run(() -> {
                        Message filled = filled(method.getParameterTypes()[1], arguments[1]);
                        send(destination, filled);
                    });
                    return shown();
                }
                settlement.beforeSending();
            }
            Object result = call(method, delegate, arguments);
            return method.getReturnType() == JMSProducer.class ? shown() : result;
        }

        private boolean seals(@Nullable Destination destination) {
            try {
                return opening.seals(opening.opener().addressOf(destination));
            } catch (JMSException e) {
                throw outcomes.unchecked(e);
            }
        }

        private Message filled(Class<?> type, @Nullable Object body) throws JMSException {
            if (type == String.class) {
                return SignetContext.this.delegate.createTextMessage((String) body);
            }
            if (type == Serializable.class) {
                return SignetContext.this.delegate.createObjectMessage((Serializable) body);
            }
            if (type == byte[].class) {
                BytesMessage bytes = SignetContext.this.delegate.createBytesMessage();
                bytes.writeBytes(body == null ? new byte[0] : (byte[]) body);
                return bytes;
            }
            MapMessage map = SignetContext.this.delegate.createMapMessage();
            if (body != null) {
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) body).entrySet()) {
                    map.setObject((String) entry.getKey(), entry.getValue());
                }
            }
            return map;
        }

        @Own
        JMSProducer send(@Nullable Destination destination, @Nullable Message message) {
            if (message == null) {
                delegate.send(destination, (Message) null); // throws
                return shown();
            }
            outcomes.run(() -> {
                String address = opening.opener().addressOf(destination);
                if (opening.seals(address) || behind(message, ReceivedMessage.class) != null) {
                    putOn(message); // because the provider gets another object
                }
                try (OutgoingMessage outgoing = settlement.outgoing(message, destination, address)) {
                    settlement.beforeSending();
                    send(destination, outgoing);
                }
            });
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

        /** A message that stays unacknowledged until the next call, and its mark. */
        private @Nullable ReceivedMessage held;

        private int mark;

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
                ReceivedMessage kept = unheld();
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

        /** Returns the message of the last call if it waits for this one; null if it went back to the broker. */
        private @Nullable ReceivedMessage unheld() {
            ReceivedMessage kept = held;
            held = null;
            return kept != null && receiver.settlement.unhold(mark) ? kept : null;
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
                if (SessionSettlement.settlesItself(receiver.settlement.mode())) {
                    held = message;
                    mark = receiver.settlement.hold();
                }
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
            var unused = unheld();
            outcomes.run(receiver::close);
        }
    }
}
