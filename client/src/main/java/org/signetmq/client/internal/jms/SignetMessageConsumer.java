/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.address.Source;
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.provider.Waiting;
import org.signetmq.client.internal.settlement.Inbox;
import org.signetmq.client.internal.settlement.ListenerGate;

/** A consumer that opens what it receives. */
final class SignetMessageConsumer implements QueueReceiver, TopicSubscriber {
    private final MessageConsumer delegate;
    private final Source source;
    private final Inbox inbox;
    private final Waiting.Asking asking;
    private final ListenerGate gate;
    private @Nullable MessageListener listener;

    SignetMessageConsumer(MessageConsumer delegate, Source source, Inbox inbox) {
        this.delegate = delegate;
        this.source = source;
        this.inbox = inbox;
        this.asking = Waiting.Asking.of(delegate);
        this.gate = new ListenerGate(inbox.turns(), delegate::close);
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(Waiting.forever());
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        return receive(Waiting.atMost(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receive(Waiting.notAtAll());
    }

    /** The next message in this time. */
    @Nullable
    public Message receive(Waiting waiting) throws JMSException {
        ReceivedMessage message = inbox.next(waiting, asking, source);
        if (message != null) {
            inbox.settle(message);
        }
        return message;
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        if (listener != null) {
            inbox.beforeListening();
        }
        delegate.setMessageListener(
                listener == null ? null : arrived -> gate.deliver(() -> inbox.deliver(arrived, source, listener)));
        this.listener = listener;
    }

    @Override
    public Queue getQueue() throws JMSException {
        return ((QueueReceiver) delegate).getQueue();
    }

    @Override
    public Topic getTopic() throws JMSException {
        return ((TopicSubscriber) delegate).getTopic();
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        return ((TopicSubscriber) delegate).getNoLocal();
    }

    @Override
    public String getMessageSelector() throws JMSException {
        return delegate.getMessageSelector();
    }

    @Override
    public void close() throws JMSException {
        gate.close();
    }
}
