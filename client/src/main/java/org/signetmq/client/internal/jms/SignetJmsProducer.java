/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.provider.Wrapper;

/** A producer of the simplified API that sends a received message as an ordinary one with the opened content. */
final class SignetJmsProducer extends Wrapper<JMSProducer> {
    private final JMSProducer delegate;
    private final Runnable beforeSending;
    private final OpenOutcomes outcomes;
    private @Nullable CompletionListener async;

    /** The correlation id in bytes. The Artemis client fails to return none. */
    private byte[] correlation = {};

    /**
     * Wraps a producer.
     *
     * @param beforeSending runs before each send
     * @param outcomes makes the exceptions that sending throws
     */
    SignetJmsProducer(JMSProducer delegate, Runnable beforeSending, OpenOutcomes outcomes) {
        super(JMSProducer.class);
        this.outcomes = outcomes;
        this.delegate = delegate;
        this.beforeSending = beforeSending;
    }

    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        if (method.getName().equals("send")) {
            beforeSending.run();
        }
        Object result = call(method, delegate, arguments);
        return method.getReturnType() == JMSProducer.class ? shown() : result;
    }

    @Own
    JMSProducer send(Destination destination, Message message) {
        try {
            beforeSending.run();
            if (behind(message, ReceivedMessage.class) != null) { // the provider gets another object
                putOn(message);
            }
            OutgoingMessage outgoing = OutgoingMessage.of(message);
            if (async == null) {
                delegate.send(destination, outgoing.toSend());
                outgoing.sent();
            } else {
                send(destination, outgoing, async);
            }
        } catch (JMSException e) {
            throw outcomes.unchecked(e);
        }
        return shown();
    }

    /** Puts the headers and properties of this producer on the application's message, as the provider's one does. */
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

    private void send(Destination destination, OutgoingMessage outgoing, CompletionListener listener) {
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
