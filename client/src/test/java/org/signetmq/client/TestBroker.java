/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;

/** A real broker in this JVM: three delivery attempts, then the queue DLQ. */
final class TestBroker implements AutoCloseable {
    static final String DEAD_LETTERS = "DLQ";
    static final int ATTEMPTS = 3;

    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final int port;

    TestBroker() throws Exception {
        port = freePort();
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration
                .setSecurityEnabled(false)
                .setPersistenceEnabled(false)
                .setJMXManagementEnabled(false)
                .setCriticalAnalyzer(false)
                .addAcceptorConfiguration("all", "tcp://127.0.0.1:" + port + "?protocols=CORE,AMQP");
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAutoCreateAddresses(true)
                        .setAutoCreateQueues(true)
                        .setAutoDeleteQueues(false)
                        .setAutoDeleteAddresses(false)
                        .setMaxDeliveryAttempts(ATTEMPTS)
                        .setAutoCreateDeadLetterResources(false)
                        .setDeadLetterAddress(SimpleString.of(DEAD_LETTERS)));
        broker.setConfiguration(configuration);
        broker.start();
        broker.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS);
        broker.getActiveMQServer()
                .createQueue(org.apache.activemq.artemis.api.core.QueueConfiguration.of(DEAD_LETTERS)
                        .setRoutingType(org.apache.activemq.artemis.api.core.RoutingType.ANYCAST));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** How many messages are on a queue, delivered and not acknowledged ones included. */
    long messages(String queue) {
        Queue found = broker.getActiveMQServer().locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    void clearDeadLetters() throws Exception {
        broker.getActiveMQServer().locateQueue(DEAD_LETTERS).deleteAllReferences();
    }

    ConnectionFactory factory(Client client) {
        return client == Client.CORE ? core() : amqp();
    }

    ActiveMQConnectionFactory core() {
        return new ActiveMQConnectionFactory(url());
    }

    String url() {
        return "tcp://127.0.0.1:" + port;
    }

    JmsConnectionFactory amqp() {
        return new JmsConnectionFactory("amqp://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        try {
            broker.stop();
        } catch (Exception e) {
            throw new AssertionError("broker: does not stop", e);
        }
    }

    /** The client libraries. */
    enum Client {
        CORE,
        AMQP
    }
}
