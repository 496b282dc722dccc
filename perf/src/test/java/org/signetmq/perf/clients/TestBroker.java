/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.testkit.EmbeddedBroker;

/** A broker in this process, and a client of it. */
final class TestBroker implements AutoCloseable {
    private final EmbeddedBroker broker;
    private final ActiveMQConnectionFactory factory;
    private final Connection connection;

    TestBroker() throws Exception {
        broker = new EmbeddedBroker("").start();
        factory = new ActiveMQConnectionFactory(broker.url());
        connection = factory.createConnection();
        connection.start();
    }

    ActiveMQConnectionFactory factory() {
        return factory;
    }

    /** Returns connections as the participants of a load have them. */
    Connections connections() {
        Connections connections = new Connections("user", "password");
        connections.add(factory);
        return connections;
    }

    Session session(int mode) throws JMSException {
        return connection.createSession(false, mode);
    }

    Session session() throws JMSException {
        return session(Session.AUTO_ACKNOWLEDGE);
    }

    /** Closes the connections of all clients. */
    void disconnectAll() throws Exception {
        for (var remote : broker.server().getRemotingService().getConnections()) {
            remote.fail(new org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException("the test ends it"));
        }
    }

    @Override
    public void close() throws JMSException {
        try (broker;
                factory) {
            connection.close();
        }
    }
}
