/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueSender;
import jakarta.jms.TopicPublisher;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OutgoingMessage;
import org.signetmq.client.internal.provider.Wrapper;

/** A producer that sends a received message as an ordinary one with the opened content. */
final class SignetMessageProducer extends Wrapper<MessageProducer> {
    private final MessageProducer delegate;
    private final Runnable beforeSending;

    /**
     * Wraps a producer.
     *
     * @param beforeSending runs before each send
     */
    SignetMessageProducer(MessageProducer delegate, Runnable beforeSending) {
        super(MessageProducer.class, QueueSender.class, TopicPublisher.class);
        this.delegate = delegate;
        this.beforeSending = beforeSending;
    }

    /** Passes a message of the provider in place of a received one, and the results back to the received one. */
    @Override
    protected @Nullable Object other(Method method, @Nullable Object[] arguments) throws JMSException {
        if (!method.getName().equals("send") && !method.getName().equals("publish")) {
            return call(method, delegate, arguments);
        }
        beforeSending.run();
        @Nullable Object[] passed = arguments.clone();
        OutgoingMessage outgoing = null;
        boolean waits = true;
        for (int i = 0; i < passed.length; i++) {
            if (passed[i] instanceof Message message) {
                outgoing = OutgoingMessage.of(message);
                passed[i] = outgoing.toSend();
            } else if (passed[i] instanceof CompletionListener listener && outgoing != null) {
                passed[i] = outgoing.completing(listener);
                waits = false;
            }
        }
        Object nothing = call(method, delegate, passed);
        if (outgoing != null && waits) {
            outgoing.sent();
        }
        return nothing;
    }
}
