/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import org.signetmq.client.internal.jms.SignetConnection;
import org.signetmq.client.internal.jms.SignetContext;
import org.signetmq.client.internal.opening.AddressedOpener;

/**
 * A factory of XA connections for a transaction manager. Its consumers receive the messages as their producers sent
 * them. {@link SignetConnectionFactory#xa} makes it.
 *
 * <p>Outside of transactions a session acknowledges a message before the application gets it. If the session did no
 * other work in the transaction, a message that cannot be opened and is rejected goes back to the broker, and the call
 * continues. One that is put into quarantine or skipped is so when the transaction commits. Otherwise receiving throws
 * {@link MessageOpenException}, and the transaction can only be rolled back. Sessions do not join each other's
 * branches.
 *
 * <p>Thread-safe. Its connections and contexts are as thread-safe as those of the wrapped factory.
 */
public final class SignetXAConnectionFactory extends OpeningConnections
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {
    private final XAConnectionFactory xa;

    SignetXAConnectionFactory(XAConnectionFactory xa, ConnectionFactory delegate, AddressedOpener opener) {
        super(delegate, opener);
        this.xa = xa;
    }

    private SignetConnection.ShownXa wrapped(XAConnection connection, String... login) {
        connected(login);
        return SignetConnection.ofXa(connection, opener, directConsumers(connection));
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return wrapped(xa.createXAConnection());
    }

    @Override
    public XAConnection createXAConnection(String userName, String password) throws JMSException {
        return wrapped(xa.createXAConnection(userName, password), userName, password);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return wrapped(
                xa instanceof XAQueueConnectionFactory queues
                        ? queues.createXAQueueConnection()
                        : xa.createXAConnection());
    }

    @Override
    public XAQueueConnection createXAQueueConnection(String userName, String password) throws JMSException {
        XAConnection made = xa instanceof XAQueueConnectionFactory queues
                ? queues.createXAQueueConnection(userName, password)
                : xa.createXAConnection(userName, password);
        return wrapped(made, userName, password);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return wrapped(
                xa instanceof XATopicConnectionFactory topics
                        ? topics.createXATopicConnection()
                        : xa.createXAConnection());
    }

    @Override
    public XATopicConnection createXATopicConnection(String userName, String password) throws JMSException {
        XAConnection made = xa instanceof XATopicConnectionFactory topics
                ? topics.createXATopicConnection(userName, password)
                : xa.createXAConnection(userName, password);
        return wrapped(made, userName, password);
    }

    @Override
    public XAJMSContext createXAContext() {
        XAJMSContext context = xa.createXAContext();
        connected();
        return SignetContext.ofXa(context, opener);
    }

    @Override
    public XAJMSContext createXAContext(String userName, String password) {
        XAJMSContext context = xa.createXAContext(userName, password);
        connected(userName, password);
        return SignetContext.ofXa(context, opener);
    }
}
