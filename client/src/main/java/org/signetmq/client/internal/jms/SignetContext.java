/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import org.signetmq.client.internal.address.ConsumerAddress;
import org.signetmq.client.internal.failure.RuntimeExceptions;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.client.internal.settlement.SessionSettlement;

/** A context with consumers that open sealed messages. Like any context, for one thread at a time. */
public class SignetContext implements JMSContext {
    private final JMSContext delegate;
    private final int sessionMode;
    private final AddressedOpener opener;
    private final SessionSettlement settlement;
    private final RuntimeExceptions runtime;

    /** Wraps a context that was created in {@link SessionSettlement#providerMode} of this mode. */
    public SignetContext(JMSContext delegate, int sessionMode, AddressedOpener opener) {
        this(
                delegate,
                new SessionSettlement(ProviderSession.of(delegate), sessionMode, new MessageOpening(opener, delegate)),
                sessionMode,
                opener);
    }

    SignetContext(JMSContext delegate, SessionSettlement settlement, int sessionMode, AddressedOpener opener) {
        this.delegate = delegate;
        this.sessionMode = sessionMode;
        this.opener = opener;
        this.settlement = settlement;
        this.runtime = settlement.runtimeExceptions();
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return new SignetContext(
                delegate.createContext(SessionSettlement.providerMode(sessionMode)), sessionMode, opener);
    }

    @Override
    public JMSProducer createProducer() {
        return new SignetJmsProducer(delegate.createProducer(), settlement::beforeSending, runtime);
    }

    @Override
    public int getSessionMode() {
        return sessionMode;
    }

    @Override
    public void acknowledge() {
        if (!SessionSettlement.settlesItself(sessionMode)) {
            runtime.run(() -> settlement.acknowledgeAll(delegate::acknowledge));
        }
    }

    @Override
    public void commit() {
        runtime.run(settlement::commit);
    }

    @Override
    public void rollback() {
        runtime.run(settlement::rollback);
    }

    @Override
    public void recover() {
        delegate.getTransacted(); // throws if closed
        runtime.run(settlement::recover);
    }

    private ConsumerAddress source(Destination destination) {
        try {
            return opener.source(destination);
        } catch (JMSException e) {
            throw runtime.of(e);
        }
    }

    private JMSConsumer consumer(JMSConsumer consumer, Destination destination) {
        return new SignetJmsConsumer(consumer, source(destination), settlement);
    }

    private QueueBrowser browser(QueueBrowser browser, Queue queue) {
        return new SignetBrowser(browser, source(queue), settlement);
    }

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consumer(delegate.createConsumer(destination), destination);
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, String selector) {
        return consumer(delegate.createConsumer(destination, selector), destination);
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, String selector, boolean noLocal) {
        return consumer(delegate.createConsumer(destination, selector, noLocal), destination);
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consumer(delegate.createDurableConsumer(topic, name), topic);
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name, String selector, boolean noLocal) {
        return consumer(delegate.createDurableConsumer(topic, name, selector, noLocal), topic);
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consumer(delegate.createSharedDurableConsumer(topic, name), topic);
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name, String selector) {
        return consumer(delegate.createSharedDurableConsumer(topic, name, selector), topic);
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name) {
        return consumer(delegate.createSharedConsumer(topic, name), topic);
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name, String selector) {
        return consumer(delegate.createSharedConsumer(topic, name, selector), topic);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return browser(delegate.createBrowser(queue), queue);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, String selector) {
        return browser(delegate.createBrowser(queue, selector), queue);
    }

    @Override
    public String getClientID() {
        return delegate.getClientID();
    }

    @Override
    public void setClientID(String value) {
        delegate.setClientID(value);
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return delegate.getMetaData();
    }

    @Override
    public ExceptionListener getExceptionListener() {
        return delegate.getExceptionListener();
    }

    @Override
    public void setExceptionListener(ExceptionListener listener) {
        delegate.setExceptionListener(listener);
    }

    @Override
    public void start() {
        delegate.start();
    }

    @Override
    public void stop() {
        delegate.stop();
    }

    @Override
    public void setAutoStart(boolean value) {
        delegate.setAutoStart(value);
    }

    @Override
    public boolean getAutoStart() {
        return delegate.getAutoStart();
    }

    @Override
    public void close() {
        runtime.run(() -> settlement.close(delegate::close));
    }

    @Override
    public BytesMessage createBytesMessage() {
        return delegate.createBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() {
        return delegate.createMapMessage();
    }

    @Override
    public Message createMessage() {
        return delegate.createMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return delegate.createObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(Serializable object) {
        return delegate.createObjectMessage(object);
    }

    @Override
    public StreamMessage createStreamMessage() {
        return delegate.createStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() {
        return delegate.createTextMessage();
    }

    @Override
    public TextMessage createTextMessage(String text) {
        return delegate.createTextMessage(text);
    }

    @Override
    public boolean getTransacted() {
        return delegate.getTransacted();
    }

    @Override
    public Queue createQueue(String name) {
        return delegate.createQueue(name);
    }

    @Override
    public Topic createTopic(String name) {
        return delegate.createTopic(name);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return delegate.createTemporaryQueue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return delegate.createTemporaryTopic();
    }

    @Override
    public void unsubscribe(String name) {
        delegate.unsubscribe(name);
    }
}
