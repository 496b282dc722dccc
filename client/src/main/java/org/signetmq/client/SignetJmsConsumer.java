/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A consumer that opens what it receives. */
final class SignetJmsConsumer implements JMSConsumer {
    private final JMSConsumer delegate;
    private final Source source;
    private final Inbox inbox;
    private @Nullable MessageListener listener;
    private Inbox.@Nullable Held held;

    SignetJmsConsumer(JMSConsumer delegate, Source source, Inbox inbox) {
        this.delegate = delegate;
        this.source = source;
        this.inbox = inbox;
    }

    @Override
    public @Nullable Message receive() {
        return settled(delegate::receive);
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return settled(() -> delegate.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return settled(delegate::receiveNoWait);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return body(type, delegate::receive);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return body(type, () -> delegate.receive(timeout));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return body(type, delegate::receiveNoWait);
    }

    private @Nullable Message settled(Supplier<@Nullable Message> arriving) {
        try {
            ReceivedMessage message = next(arriving);
            if (message != null) {
                inbox.settle(message);
            }
            return message;
        } catch (JMSException e) {
            throw RuntimeExceptions.of(e);
        }
    }

    private <T> @Nullable T body(Class<T> type, Supplier<@Nullable Message> arriving) {
        try {
            ReceivedMessage message = next(arriving);
            if (message == null) {
                return null;
            }
            T body;
            try {
                body = BodyOf.message(message, type);
            } catch (MessageFormatException e) {
                // Jakarta Messaging 3.1 section 8.6: as if this call had not been, where the session acknowledges
                held = inbox.hold(message);
                throw new MessageFormatRuntimeException(e.getMessage(), e.getErrorCode(), e);
            }
            inbox.settle(message);
            return body;
        } catch (JMSException e) {
            throw RuntimeExceptions.of(e);
        }
    }

    private @Nullable ReceivedMessage next(Supplier<@Nullable Message> arriving) throws JMSException {
        ReceivedMessage kept = held == null ? null : held.release();
        held = null;
        if (kept != null) {
            return kept;
        }
        inbox.beforeReceiving();
        Message arrived = arriving.get();
        return arrived == null ? null : inbox.open(arrived, source);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        delegate.setMessageListener(listener == null ? null : arrived -> inbox.deliver(arrived, source, listener));
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
        delegate.close();
    }
}
