/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.jspecify.annotations.Nullable;

/** A consumer that opens what it receives. */
final class SignetMessageConsumer implements QueueReceiver, TopicSubscriber {
    private final MessageConsumer delegate;
    private final Source source;
    private final Inbox inbox;
    private @Nullable MessageListener listener;

    SignetMessageConsumer(MessageConsumer delegate, Source source, Inbox inbox) {
        this.delegate = delegate;
        this.source = source;
        this.inbox = inbox;
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        inbox.beforeReceiving();
        return opened(delegate.receive());
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        inbox.beforeReceiving();
        return opened(delegate.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        inbox.beforeReceiving();
        return opened(delegate.receiveNoWait());
    }

    private @Nullable Message opened(@Nullable Message arrived) throws JMSException {
        if (arrived == null) {
            return null;
        }
        ReceivedMessage message = inbox.open(arrived, source);
        inbox.settle(message);
        return message;
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        delegate.setMessageListener(listener == null ? null : arrived -> inbox.deliver(arrived, source, listener));
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
        delegate.close();
    }
}
