/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

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
import org.signetmq.client.internal.address.ConsumerAddress;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.settlement.SessionSettlement;

/** A session with consumers that open sealed messages. Like any session, for one thread at a time. */
class SignetSession implements QueueSession, TopicSession {
    private final Session delegate;
    private final int acknowledgeMode;
    private final SessionSettlement settlement;
    private @Nullable MessageListener listener;
    private volatile @Nullable ConsumerAddress connectionConsumer;
    final MessageOpening opening;
    private final @Nullable ConsumerSessions consumers;

    /** Wraps a session that was created in {@link SessionSettlement#providerMode} of this mode. */
    SignetSession(Session delegate, int acknowledgeMode, MessageOpening opening) {
        this(delegate, acknowledgeMode, opening, (ConsumerSessions) null);
    }

    /** Wraps a session in AUTO_ACKNOWLEDGE, with direct consumers in it and in further sessions. */
    SignetSession(Session delegate, int acknowledgeMode, MessageOpening opening, ConsumerSessions.Source further) {
        this(delegate, acknowledgeMode, opening, new ConsumerSessions(delegate, further, opening));
    }

    private SignetSession(
            Session delegate, int acknowledgeMode, MessageOpening opening, @Nullable ConsumerSessions consumers) {
        this.delegate = delegate;
        this.acknowledgeMode = acknowledgeMode;
        this.opening = opening;
        this.consumers = consumers;
        this.settlement = new SessionSettlement(ProviderSession.of(delegate), acknowledgeMode, opening);
    }

    /** Wraps a session of an outer transaction, with its own settlement. */
    SignetSession(Session delegate, SessionSettlement settlement, MessageOpening opening) {
        this.delegate = delegate;
        this.acknowledgeMode = SESSION_TRANSACTED;
        this.opening = opening;
        this.consumers = null;
        this.settlement = settlement;
    }

    /** Returns the provider's session, for messages of a connection consumer with this address. */
    Session loadedFrom(ConsumerAddress source) {
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
        settlement.commit();
    }

    @Override
    public void rollback() throws JMSException {
        settlement.rollback();
    }

    @Override
    public void recover() throws JMSException {
        delegate.getTransacted(); // throws if closed
        if (consumers == null) {
            settlement.recover();
        } else {
            consumers.recover();
        }
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
        ConsumerAddress source = connectionConsumer;
        settlement.deliver(arrived, source == null ? ConsumerAddress.UNKNOWN : source, to);
    }

    SignetMessageConsumer consumer(Destination destination, DirectConsumer.Creation creation) throws JMSException {
        return consumers == null
                ? new SignetMessageConsumer(
                        ReceivingConsumer.of(creation.on(delegate)), opening.source(destination), settlement)
                : consumers.create(destination, creation);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination) throws JMSException {
        return consumer(destination, session -> session.createConsumer(destination));
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, String selector) throws JMSException {
        return consumer(destination, session -> session.createConsumer(destination, selector));
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, String selector, boolean noLocal)
            throws JMSException {
        return consumer(destination, session -> session.createConsumer(destination, selector, noLocal));
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return consumer(topic, session -> session.createSharedConsumer(topic, name));
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, String selector) throws JMSException {
        return consumer(topic, session -> session.createSharedConsumer(topic, name, selector));
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return consumer(topic, session -> session.createDurableConsumer(topic, name));
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        return consumer(topic, session -> session.createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return consumer(topic, session -> session.createSharedDurableConsumer(topic, name));
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name, String selector) throws JMSException {
        return consumer(topic, session -> session.createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return consumer(topic, session -> session.createDurableSubscriber(topic, name));
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, String selector, boolean noLocal)
            throws JMSException {
        return consumer(topic, session -> session.createDurableSubscriber(topic, name, selector, noLocal));
    }

    @Override
    public QueueReceiver createReceiver(Queue queue) throws JMSException {
        return consumer(queue, session -> ((QueueSession) session).createReceiver(queue));
    }

    @Override
    public QueueReceiver createReceiver(Queue queue, String selector) throws JMSException {
        return consumer(queue, session -> ((QueueSession) session).createReceiver(queue, selector));
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return consumer(topic, session -> ((TopicSession) session).createSubscriber(topic));
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic, String selector, boolean noLocal) throws JMSException {
        return consumer(topic, session -> ((TopicSession) session).createSubscriber(topic, selector, noLocal));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return new SignetBrowser(delegate.createBrowser(queue), opening.source(queue), settlement);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
        return new SignetBrowser(delegate.createBrowser(queue, selector), opening.source(queue), settlement);
    }

    @Override
    public MessageProducer createProducer(Destination destination) throws JMSException {
        return new SignetMessageProducer(delegate.createProducer(destination), settlement::beforeSending);
    }

    @Override
    public QueueSender createSender(Queue queue) throws JMSException {
        return new SignetMessageProducer(((QueueSession) delegate).createSender(queue), settlement::beforeSending);
    }

    @Override
    public TopicPublisher createPublisher(Topic topic) throws JMSException {
        return new SignetMessageProducer(((TopicSession) delegate).createPublisher(topic), settlement::beforeSending);
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
        settlement.close(delegate::close);
        if (consumers != null) {
            consumers.close();
        }
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
