/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A broker in this process, without a disk, a network or users. */
final class TestBroker implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger(700);

    private final int number = NUMBERS.getAndIncrement();
    private final EmbeddedActiveMQ embedded = new EmbeddedActiveMQ();
    private final ActiveMQConnectionFactory factory;
    private final Connection connection;

    TestBroker() throws Exception {
        embedded.setConfiguration(new ConfigurationImpl()
                .setName("broker-" + number)
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .addAcceptorConfiguration("core", "vm://" + number));
        embedded.start();
        factory = new ActiveMQConnectionFactory("vm://" + number);
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
        for (var remote : embedded.getActiveMQServer().getRemotingService().getConnections()) {
            remote.fail(new org.apache.activemq.artemis.api.core.ActiveMQDisconnectedException("the test ends it"));
        }
    }

    @Override
    public void close() throws JMSException {
        try (factory) {
            connection.close();
        } finally {
            stop();
        }
    }

    private void stop() {
        try {
            embedded.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
