/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.jms.SessionSettlement;
import org.signetmq.client.internal.jms.SignetConnection;
import org.signetmq.client.internal.jms.SignetContext;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.ClientPolicies;
import org.signetmq.client.internal.provider.DirectConsumer;
import org.signetmq.client.internal.provider.LibraryChoice;

/** Makes connections and contexts that open messages, without an outer transaction. Thread-safe. */
abstract class OpeningConnections implements ConnectionFactory, QueueConnectionFactory, TopicConnectionFactory {
    final ConnectionFactory delegate;
    final AddressedOpener opener;

    OpeningConnections(ConnectionFactory delegate, AddressedOpener opener) {
        this.delegate = delegate;
        this.opener = opener;
    }

    /** Lets the policies of the broker be fetched with the user and password of a connection, or without. */
    final void connected(String... login) {
        ClientPolicies policies = opener.policies();
        if (policies != null) {
            policies.connected(
                    login.length == 0
                            ? delegate::createConnection
                            : () -> delegate.createConnection(login[0], login[1]));
        }
    }

    private SignetConnection.Shown wrapped(Connection connection, String... login) {
        connected(login);
        return SignetConnection.of(connection, opener, directConsumers(connection));
    }

    /** Returns the maker of direct consumers for a connection of the wrapped factory; null if there is none. */
    DirectConsumer.@Nullable Maker directConsumers(Connection connection) {
        return LibraryChoice.of(delegate).directConsumers(delegate, connection);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return wrapped(delegate.createConnection());
    }

    @Override
    public Connection createConnection(String userName, String password) throws JMSException {
        return wrapped(delegate.createConnection(userName, password), userName, password);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return wrapped(
                delegate instanceof QueueConnectionFactory queues
                        ? queues.createQueueConnection()
                        : requireType(QueueConnection.class, delegate.createConnection()));
    }

    @Override
    public QueueConnection createQueueConnection(String userName, String password) throws JMSException {
        Connection made = delegate instanceof QueueConnectionFactory queues
                ? queues.createQueueConnection(userName, password)
                : requireType(QueueConnection.class, delegate.createConnection(userName, password));
        return wrapped(made, userName, password);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return wrapped(
                delegate instanceof TopicConnectionFactory topics
                        ? topics.createTopicConnection()
                        : requireType(TopicConnection.class, delegate.createConnection()));
    }

    @Override
    public TopicConnection createTopicConnection(String userName, String password) throws JMSException {
        Connection made = delegate instanceof TopicConnectionFactory topics
                ? topics.createTopicConnection(userName, password)
                : requireType(TopicConnection.class, delegate.createConnection(userName, password));
        return wrapped(made, userName, password);
    }

    /** Checks a connection, because a provider's factory may make queue and topic connections without declaring it. */
    private static Connection requireType(Class<? extends Connection> type, Connection connection) throws JMSException {
        if (!type.isInstance(connection)) {
            connection.close();
            throw new JMSException("connection: the wrapped factory makes no " + type.getSimpleName());
        }
        return connection;
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        JMSContext context =
                LibraryChoice.of(delegate).createContext(delegate, SessionSettlement.providerMode(sessionMode));
        connected();
        return SignetContext.of(context, sessionMode, opener);
    }

    @Override
    public JMSContext createContext(String userName, String password) {
        return createContext(userName, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String userName, String password, int sessionMode) {
        JMSContext context = delegate.createContext(userName, password, SessionSettlement.providerMode(sessionMode));
        connected(userName, password);
        return SignetContext.of(context, sessionMode, opener);
    }
}
