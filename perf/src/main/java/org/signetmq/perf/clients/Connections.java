/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The connections of one load, each a socket of its own, to the brokers by turns. For one thread. */
public final class Connections {
    private final String user;
    private final String password;
    private final List<ConnectionFactory> factories = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<LongSupplier> unwraps = new ArrayList<>();

    public Connections(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** Adds a broker. */
    public void add(ConnectionFactory factory) {
        factories.add(factory);
    }

    /** Closes something after all that is opened later. */
    public void closeLater(AutoCloseable resource) {
        open.add(resource);
    }

    public void countUnwraps(LongSupplier count) {
        unwraps.add(count);
    }

    /** Returns the keys that were unwrapped so far. */
    long unwraps() {
        return unwraps.stream().mapToLong(LongSupplier::getAsLong).sum();
    }

    /** Returns a session of this mode with a connection of its own, which receives at once. */
    Session connect(int broker, int sessionMode) throws JMSException {
        Connection connection = factories.get(broker % factories.size()).createConnection(user, password);
        open.add(connection);
        connection.start();
        return connection.createSession(false, sessionMode);
    }

    /** Closes all; receivers that wait get no more messages, and end. It throws the first failure at the end. */
    public void close() throws Exception {
        Exception first = null;
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Exception e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
