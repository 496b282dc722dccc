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
import org.signetmq.client.internal.message.ReceivedMessage;
import org.signetmq.client.internal.provider.ReceiveTimeout;

/** A consumer that opens sealed messages. */
record SignetMessageConsumer(MessageConsumer delegate, Receiver receiver) implements QueueReceiver, TopicSubscriber {
    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(ReceiveTimeout.FOREVER);
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        ReceivedMessage message = receiver.next(timeout);
        if (message == null) {
            return null;
        }
        receiver.settlement.settle(message);
        return message.shown();
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receive(ReceiveTimeout.AT_ONCE);
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        delegate.getMessageListener(); // throws if closed
        return receiver.listener();
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        receiver.listen(listener);
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
        receiver.close();
    }
}
