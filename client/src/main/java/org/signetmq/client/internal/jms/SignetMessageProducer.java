/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import org.signetmq.client.internal.message.OutgoingMessage;

/** A producer. A received message that is sent again leaves as an ordinary message with the opened content. */
final class SignetMessageProducer implements QueueSender, TopicPublisher {
    private final MessageProducer delegate;
    private final Runnable beforeSending;

    /**
     * Wraps a producer.
     *
     * @param beforeSending is called before each message is sent
     */
    SignetMessageProducer(MessageProducer delegate, Runnable beforeSending) {
        this.delegate = delegate;
        this.beforeSending = beforeSending;
    }

    private OutgoingMessage outgoing(Message message) throws JMSException {
        beforeSending.run();
        return OutgoingMessage.of(message);
    }

    @Override
    public Queue getQueue() throws JMSException {
        return (Queue) delegate.getDestination();
    }

    @Override
    public Topic getTopic() throws JMSException {
        return (Topic) delegate.getDestination();
    }

    @Override
    public void send(Message message) throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(outgoing.toSend());
        outgoing.sent();
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(outgoing.toSend(), deliveryMode, priority, timeToLive);
        outgoing.sent();
    }

    @Override
    public void send(Destination destination, Message message) throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(destination, outgoing.toSend());
        outgoing.sent();
    }

    @Override
    public void send(Destination destination, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(destination, outgoing.toSend(), deliveryMode, priority, timeToLive);
        outgoing.sent();
    }

    @Override
    public void send(Message message, CompletionListener listener) throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(outgoing.toSend(), outgoing.completing(listener));
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive, CompletionListener listener)
            throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(outgoing.toSend(), deliveryMode, priority, timeToLive, outgoing.completing(listener));
    }

    @Override
    public void send(Destination destination, Message message, CompletionListener listener) throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(destination, outgoing.toSend(), outgoing.completing(listener));
    }

    @Override
    public void send(
            Destination destination,
            Message message,
            int deliveryMode,
            int priority,
            long timeToLive,
            CompletionListener listener)
            throws JMSException {
        OutgoingMessage outgoing = outgoing(message);
        delegate.send(
                destination, outgoing.toSend(), deliveryMode, priority, timeToLive, outgoing.completing(listener));
    }

    @Override
    public void send(Queue queue, Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(Queue queue, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) queue, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        send(message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Topic topic, Message message) throws JMSException {
        send((Destination) topic, message);
    }

    @Override
    public void publish(Topic topic, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) topic, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        delegate.setDisableMessageID(value);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        return delegate.getDisableMessageID();
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        delegate.setDisableMessageTimestamp(value);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        return delegate.getDisableMessageTimestamp();
    }

    @Override
    public void setDeliveryMode(int value) throws JMSException {
        delegate.setDeliveryMode(value);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        return delegate.getDeliveryMode();
    }

    @Override
    public void setPriority(int value) throws JMSException {
        delegate.setPriority(value);
    }

    @Override
    public int getPriority() throws JMSException {
        return delegate.getPriority();
    }

    @Override
    public void setTimeToLive(long value) throws JMSException {
        delegate.setTimeToLive(value);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        return delegate.getTimeToLive();
    }

    @Override
    public void setDeliveryDelay(long value) throws JMSException {
        delegate.setDeliveryDelay(value);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        return delegate.getDeliveryDelay();
    }

    @Override
    public Destination getDestination() throws JMSException {
        return delegate.getDestination();
    }

    @Override
    public void close() throws JMSException {
        delegate.close();
    }
}
