/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;

/** A real broker in this JVM: three delivery attempts, then the queue DLQ. Expired messages go to another queue. */
public class EmbeddedBroker implements Broker {
    private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    private final int port;

    /** Starts it; called by reflection. */
    public EmbeddedBroker() throws Exception {
        this(configuration -> {});
    }

    EmbeddedBroker(Consumer<Configuration> more) throws Exception {
        port = freePort();
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration
                .setSecurityEnabled(false)
                .setPersistenceEnabled(false)
                .setJMXManagementEnabled(false)
                .setCriticalAnalyzer(false)
                .setMessageExpiryScanPeriod(100)
                .addAcceptorConfiguration(
                        "all",
                        "tcp://127.0.0.1:" + port + "?protocols=CORE,AMQP,OPENWIRE,MQTT,STOMP"
                                + "&anycastPrefix=to-queue.&multicastPrefix=to-topic.");
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAutoCreateAddresses(true)
                        .setAutoCreateQueues(true)
                        .setAutoDeleteQueues(false)
                        .setAutoDeleteAddresses(false)
                        .setMaxDeliveryAttempts(TestBroker.ATTEMPTS)
                        .setAutoCreateDeadLetterResources(false)
                        .setDeadLetterAddress(SimpleString.of(TestBroker.DEAD_LETTERS))
                        .setExpiryAddress(SimpleString.of(TestBroker.EXPIRED)));
        more.accept(configuration);
        broker.setConfiguration(configuration);
        broker.start();
        broker.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS);
        for (String queue : List.of(TestBroker.DEAD_LETTERS, TestBroker.EXPIRED)) {
            broker.getActiveMQServer().createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
        }
    }

    /** Makes a broker keep its messages in a journal below this folder. */
    static void writeTo(Path data, Configuration configuration) {
        configuration
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(false)
                .setJournalDirectory(data + "/journal")
                .setBindingsDirectory(data + "/bindings")
                .setPagingDirectory(data + "/paging")
                .setLargeMessagesDirectory(data + "/large");
    }

    /**
     * A free port of the loopback. It is below the ports that the system gives to clients, so that no client of another
     * process takes it before the broker does.
     */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // another one
            }
        }
    }

    @Override
    public final int port() {
        return port;
    }

    @Override
    public final long messages(String queue) {
        Queue found = broker.getActiveMQServer().locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    @Override
    public final long delivering(String queue) {
        Queue found = broker.getActiveMQServer().locateQueue(queue);
        return found == null ? 0 : found.getDeliveringCount();
    }

    @Override
    public final void deleteMessages(String queue) {
        try {
            broker.getActiveMQServer().locateQueue(queue).deleteAllReferences();
        } catch (Exception e) {
            throw new AssertionError("broker: does not delete", e);
        }
    }

    @Override
    public final void putAmqp(String address, byte[] sections) {
        ActiveMQServer server = broker.getActiveMQServer();
        AMQPStandardMessage message = new AMQPStandardMessage(0, sections, null);
        message.setMessageID(server.getStorageManager().generateID());
        message.setAddress(address);
        try {
            server.getPostOffice().route(message, true);
        } catch (Exception e) {
            throw new AssertionError("broker: does not route", e);
        }
    }

    @Override
    public final void close() {
        try {
            broker.stop();
        } catch (Exception e) {
            throw new AssertionError("broker: does not stop", e);
        }
    }
}
