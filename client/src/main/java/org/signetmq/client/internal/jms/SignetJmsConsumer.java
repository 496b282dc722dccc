/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
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
    private final Receiver receiver;
    private final OpenOutcomes outcomes;
    private MessageReturns.@Nullable Held held;

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
     * Returns the body. If it has another type and the session acknowledges, the next call must return the same message
     * (Jakarta Messaging 3.1 section 8.6).
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
