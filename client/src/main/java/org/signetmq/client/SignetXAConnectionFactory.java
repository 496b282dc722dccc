/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.TopicConnection;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import org.signetmq.client.internal.jms.SignetXAConnection;
import org.signetmq.client.internal.jms.SignetXAContext;
import org.signetmq.client.internal.opening.AddressedOpener;

/**
 * A factory of XA connections for a transaction manager. Its consumers receive the messages as their producers sent
 * them. {@link SignetConnectionFactory#xa} makes it.
 *
 * <p>Outside of transactions a session acknowledges a message before the application gets it. If the session did no
 * other work in the transaction, a message that cannot be opened goes back to the broker, and the call continues.
 * Otherwise receiving throws {@link MessageOpenException}, and the transaction can only be rolled back. Sessions do not
 * join each other's branches.
 *
 * <p>Thread-safe. Its connections and contexts are as thread-safe as those of the wrapped factory.
 */
public final class SignetXAConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
    private final SignetConnectionFactory plain;
    private final XAConnectionFactory delegate;
    private final AddressedOpener opener;

    /**
     * Wraps a factory.
     *
     * @param plain for connections without an outer transaction
     */
    SignetXAConnectionFactory(SignetConnectionFactory plain, XAConnectionFactory delegate, AddressedOpener opener) {
        this.plain = plain;
        this.delegate = delegate;
        this.opener = opener;
    }

    private SignetXAConnection wrapped(XAConnection connection) {
        return new SignetXAConnection(connection, opener, plain.directConsumers(connection));
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return wrapped(delegate.createXAConnection());
    }

    @Override
    public XAConnection createXAConnection(String userName, String password) throws JMSException {
        return wrapped(delegate.createXAConnection(userName, password));
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return wrapped(
                delegate instanceof XAQueueConnectionFactory queues
                        ? queues.createXAQueueConnection()
                        : delegate.createXAConnection());
    }

    @Override
    public XAQueueConnection createXAQueueConnection(String userName, String password) throws JMSException {
        return wrapped(
                delegate instanceof XAQueueConnectionFactory queues
                        ? queues.createXAQueueConnection(userName, password)
                        : delegate.createXAConnection(userName, password));
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return wrapped(
                delegate instanceof XATopicConnectionFactory topics
                        ? topics.createXATopicConnection()
                        : delegate.createXAConnection());
    }

    @Override
    public XATopicConnection createXATopicConnection(String userName, String password) throws JMSException {
        return wrapped(
                delegate instanceof XATopicConnectionFactory topics
                        ? topics.createXATopicConnection(userName, password)
                        : delegate.createXAConnection(userName, password));
    }

    @Override
    public XAJMSContext createXAContext() {
        return new SignetXAContext(delegate.createXAContext(), opener);
    }

    @Override
    public XAJMSContext createXAContext(String userName, String password) {
        return new SignetXAContext(delegate.createXAContext(userName, password), opener);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return plain.createQueueConnection();
    }

    @Override
    public QueueConnection createQueueConnection(String userName, String password) throws JMSException {
        return plain.createQueueConnection(userName, password);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return plain.createTopicConnection();
    }

    @Override
    public TopicConnection createTopicConnection(String userName, String password) throws JMSException {
        return plain.createTopicConnection(userName, password);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return plain.createConnection();
    }

    @Override
    public Connection createConnection(String userName, String password) throws JMSException {
        return plain.createConnection(userName, password);
    }

    @Override
    public JMSContext createContext() {
        return plain.createContext();
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return plain.createContext(sessionMode);
    }

    @Override
    public JMSContext createContext(String userName, String password) {
        return plain.createContext(userName, password);
    }

    @Override
    public JMSContext createContext(String userName, String password, int sessionMode) {
        return plain.createContext(userName, password, sessionMode);
    }
}
