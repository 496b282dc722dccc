/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.variant.Variant;

/**
 * The connections of one block, each a socket of its own. Without protection the plain Artemis client makes them. Else
 * one Signet factory with empty caches opens for all.
 */
final class Connections implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ConnectionFactory factory;
    private final String user;
    private final String password;

    Connections(int port, Homes homes, Variant variant) throws IOException {
        this.user = Homes.sender(variant.key());
        this.password = homes.userPassword();
        ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
        open.push(artemis);
        if (variant.protects()) {
            try (Password key = Password.fromFile(homes.passwordFile())) {
                SignetConnectionFactory signet = SignetConnectionFactory.open(
                        artemis, homes.clients().root(), Homes.recipient(variant.key()), key);
                open.push(signet);
                this.factory = signet;
            }
        } else {
            this.factory = artemis;
        }
    }

    Connection connect() throws JMSException {
        Connection connection = factory.createConnection(user, password);
        open.push(connection);
        connection.start();
        return connection;
    }

    /** Closes all; receivers that wait get no more messages, and end. */
    @Override
    public void close() throws IOException {
        IOException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                failure = new IOException("connections: cannot be closed", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
