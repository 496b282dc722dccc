/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;

/**
 * The connections of one block, each a socket of its own. Where nothing is protected they are the plain Artemis
 * client's, as users have it without Signet; else one Signet factory, whose caches are empty, opens for them all.
 */
final class Connections implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ConnectionFactory factory;
    private final String user;
    private final String password;

    Connections(Site site, Variant variant) throws IOException {
        RrHomes homes = new RrHomes(Path.of(site.folder()));
        this.user = variant.key().sender();
        this.password = homes.userPassword();
        ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + site.port());
        open.push(artemis);
        if (variant.protects()) {
            SignetConnectionFactory signet = signet(artemis, homes, variant);
            open.push(signet);
            this.factory = signet;
        } else {
            this.factory = artemis;
        }
    }

    private static SignetConnectionFactory signet(ConnectionFactory artemis, RrHomes homes, Variant variant) {
        try (Password key = Password.fromFile(homes.passwordFile())) {
            return SignetConnectionFactory.open(
                    artemis, homes.clients().root(), variant.key().recipient(), key);
        }
    }

    Connection connect() throws JMSException {
        Connection connection = factory.createConnection(user, password);
        open.push(connection);
        connection.start();
        return connection;
    }

    /** Receivers that wait get nothing any more, and end. */
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
