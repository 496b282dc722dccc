/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A session whose consumers open what they receive. As any session, for one thread at a time. */
final class SignetSession implements QueueSession, TopicSession {
    private final Session delegate;
    private final int acknowledgeMode;
    private final Inbox inbox;
    private @Nullable MessageListener listener;
    private volatile @Nullable Source connectionConsumer;

    SignetSession(Session delegate, int acknowledgeMode, MessageOpening opening) {
        this.delegate = delegate;
        this.acknowledgeMode = acknowledgeMode;
        this.inbox = new Inbox(ProviderSession.of(delegate), acknowledgeMode, opening);
    }

    /** The provider's session, about to be given messages of a connection consumer. */
    Session loadedFrom(Source source) {
        connectionConsumer = source;
        return delegate;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        delegate.getAcknowledgeMode(); // throws if closed
        return acknowledgeMode;
    }

    @Override
    public void commit() throws JMSException {
        inbox.commit();
    }

    @Override
    public void rollback() throws JMSException {
        inbox.rollback();
    }

    @Override
    public void recover() throws JMSException {
        inbox.recover();
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        return delegate.getMessageListener() == null ? null : listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        delegate.setMessageListener(listener == null ? null : arrived -> deliver(arrived, listener));
        this.listener = listener;
    }

    private void deliver(Message arrived, MessageListener to) {
        Source source = connectionConsumer;
        inbox.deliver(arrived, source == null ? Source.UNKNOWN : source, to);
    }

    private SignetMessageConsumer consumer(MessageConsumer consumer, Destination destination) throws JMSException {
        return new SignetMessageConsumer(consumer, Source.of(destination), inbox);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination) throws JMSException {
        return consumer(delegate.createConsumer(destination), destination);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, String selector) throws JMSException {
        return consumer(delegate.createConsumer(destination, selector), destination);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, String selector, boolean noLocal)
            throws JMSException {
        return consumer(delegate.createConsumer(destination, selector, noLocal), destination);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return consumer(delegate.createSharedConsumer(topic, name), topic);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, String selector) throws JMSException {
        return consumer(delegate.createSharedConsumer(topic, name, selector), topic);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return consumer(delegate.createDurableConsumer(topic, name), topic);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        return consumer(delegate.createDurableConsumer(topic, name, selector, noLocal), topic);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return consumer(delegate.createSharedDurableConsumer(topic, name), topic);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name, String selector) throws JMSException {
        return consumer(delegate.createSharedDurableConsumer(topic, name, selector), topic);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return consumer(delegate.createDurableSubscriber(topic, name), topic);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        return consumer(delegate.createDurableSubscriber(topic, name, selector, noLocal), topic);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue) throws JMSException {
        return consumer(((QueueSession) delegate).createReceiver(queue), queue);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue, String selector) throws JMSException {
        return consumer(((QueueSession) delegate).createReceiver(queue, selector), queue);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return consumer(((TopicSession) delegate).createSubscriber(topic), topic);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic, String selector, boolean noLocal) throws JMSException {
        return consumer(((TopicSession) delegate).createSubscriber(topic, selector, noLocal), topic);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return new SignetBrowser(delegate.createBrowser(queue), Source.of(queue), inbox);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
        return new SignetBrowser(delegate.createBrowser(queue, selector), Source.of(queue), inbox);
    }

    @Override
    public MessageProducer createProducer(Destination destination) throws JMSException {
        return new SignetMessageProducer(delegate.createProducer(destination));
    }

    @Override
    public QueueSender createSender(Queue queue) throws JMSException {
        return new SignetMessageProducer(((QueueSession) delegate).createSender(queue));
    }

    @Override
    public TopicPublisher createPublisher(Topic topic) throws JMSException {
        return new SignetMessageProducer(((TopicSession) delegate).createPublisher(topic));
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        return delegate.createBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        return delegate.createMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        return delegate.createMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        return delegate.createObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) throws JMSException {
        return delegate.createObjectMessage(object);
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        return delegate.createStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        return delegate.createTextMessage();
    }

    @Override
    public TextMessage createTextMessage(String text) throws JMSException {
        return delegate.createTextMessage(text);
    }

    @Override
    public boolean getTransacted() throws JMSException {
        return delegate.getTransacted();
    }

    @Override
    public void close() throws JMSException {
        delegate.close();
    }

    @Override
    public void run() {
        delegate.run();
    }

    @Override
    public Queue createQueue(String name) throws JMSException {
        return delegate.createQueue(name);
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        return delegate.createTopic(name);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        return delegate.createTemporaryQueue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        return delegate.createTemporaryTopic();
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        delegate.unsubscribe(name);
    }
}
