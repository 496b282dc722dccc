/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.address.Source;
import org.signetmq.client.internal.failure.RuntimeExceptions;
import org.signetmq.client.internal.message.BodyOf;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.provider.Waiting;
import org.signetmq.client.internal.settlement.Inbox;
import org.signetmq.client.internal.settlement.ListenerGate;

/** A consumer that opens what it receives. */
final class SignetJmsConsumer implements JMSConsumer {
    private final JMSConsumer delegate;
    private final Source source;
    private final Inbox inbox;
    private final RuntimeExceptions runtime;
    private final Waiting.Asking asking;
    private final ListenerGate gate;
    private @Nullable MessageListener listener;
    private Inbox.@Nullable Held held;

    SignetJmsConsumer(JMSConsumer delegate, Source source, Inbox inbox) {
        this.delegate = delegate;
        this.source = source;
        this.inbox = inbox;
        this.runtime = inbox.runtimeExceptions();
        this.asking = Waiting.Asking.of(delegate);
        this.gate = new ListenerGate(inbox.turns(), delegate::close);
    }

    @Override
    public @Nullable Message receive() {
        return settled(Waiting.forever());
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return settled(Waiting.atMost(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return settled(Waiting.notAtAll());
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return body(type, Waiting.forever());
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return body(type, Waiting.atMost(timeout));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return body(type, Waiting.notAtAll());
    }

    private @Nullable Message settled(Waiting waiting) {
        try {
            ReceivedMessage message = next(waiting);
            if (message != null) {
                inbox.settle(message);
            }
            return message;
        } catch (JMSException e) {
            throw runtime.of(e);
        }
    }

    private <T> @Nullable T body(Class<T> type, Waiting waiting) {
        try {
            ReceivedMessage message = next(waiting);
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
            throw runtime.of(e);
        }
    }

    private @Nullable ReceivedMessage next(Waiting waiting) throws JMSException {
        ReceivedMessage kept = held == null ? null : held.release();
        held = null;
        return kept == null ? inbox.next(waiting, asking, source) : kept;
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        if (listener != null) {
            runtime.run(inbox::beforeListening);
        }
        delegate.setMessageListener(
                listener == null ? null : arrived -> gate.deliver(() -> inbox.deliver(arrived, source, listener)));
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
        runtime.run(gate::close);
    }
}
