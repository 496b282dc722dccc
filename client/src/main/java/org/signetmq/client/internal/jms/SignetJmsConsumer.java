/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageListener;
import jakarta.jms.StreamMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.opening.ConsumerAddress;
import org.signetmq.client.internal.provider.ReceiveTimeout;

/** A consumer of the simplified API that opens sealed messages. */
final class SignetJmsConsumer implements JMSConsumer {
    private final JMSConsumer delegate;
    private final ConsumerAddress source;
    private final SessionSettlement settlement;
    private final OpenOutcomes outcomes;
    private final ReceiveTimeout.Calls calls;
    private final ListenerGate gate;
    private @Nullable MessageListener listener;
    private MessageReturns.@Nullable Held held;

    SignetJmsConsumer(JMSConsumer delegate, ConsumerAddress source, SessionSettlement settlement) {
        this.delegate = delegate;
        this.source = source;
        this.settlement = settlement;
        this.outcomes = settlement.outcomes();
        this.calls = ReceiveTimeout.Calls.of(delegate);
        this.gate = new ListenerGate(settlement, () -> delegate.setMessageListener(null), delegate::close);
    }

    @Override
    public @Nullable Message receive() {
        return settled(ReceiveTimeout.forever());
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return settled(ReceiveTimeout.atMost(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return settled(ReceiveTimeout.notAtAll());
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return body(type, ReceiveTimeout.forever());
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return body(type, ReceiveTimeout.atMost(timeout));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return body(type, ReceiveTimeout.notAtAll());
    }

    private @Nullable Message settled(ReceiveTimeout timeout) {
        try {
            ReceivedMessage message = next(timeout);
            if (message == null) {
                return null;
            }
            settlement.settle(message);
            return message.shown();
        } catch (JMSException e) {
            throw outcomes.unchecked(e);
        }
    }

    private <T> @Nullable T body(Class<T> type, ReceiveTimeout timeout) {
        try {
            ReceivedMessage message = next(timeout);
            if (message == null) {
                return null;
            }
            T body;
            try {
                body = bodyOf(message, type);
            } catch (MessageFormatException e) {
                // Jakarta Messaging 3.1 section 8.6: if the session acknowledges, the next call must return the same
                // message
                held = settlement.hold(message);
                throw new MessageFormatRuntimeException(e.getMessage(), e.getErrorCode(), e);
            }
            settlement.settle(message);
            return body;
        } catch (JMSException e) {
            throw outcomes.unchecked(e);
        }
    }

    private static <T> T bodyOf(ReceivedMessage message, Class<T> type) throws JMSException {
        if (message.shown() instanceof StreamMessage) {
            throw new MessageFormatException("body: a stream cannot be received as an object");
        }
        T body = message.getBody(type);
        if (body == null) {
            throw new MessageFormatException("body: missing");
        }
        return body;
    }

    private @Nullable ReceivedMessage next(ReceiveTimeout timeout) throws JMSException {
        ReceivedMessage kept = held == null ? null : held.release();
        held = null;
        return kept == null ? settlement.next(timeout, calls, source) : kept;
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        if (listener != null) {
            outcomes.run(settlement::beforeListening);
            gate.listens();
        }
        delegate.setMessageListener(listener == null ? null : arrived -> gate.deliver(arrived, source, listener));
        this.listener = listener;
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
        outcomes.run(gate::close);
    }
}
