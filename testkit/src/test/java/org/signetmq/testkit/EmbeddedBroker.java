/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/**
 * A real broker in this process, for clients of all protocols. Until it is told otherwise, it has no users and keeps
 * nothing on a disk. Queues come with their first message and stay.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 180;

    private final EmbeddedActiveMQ embedded = new EmbeddedActiveMQ();
    private final Configuration configuration = new ConfigurationImpl();
    private final AddressSettings settings = new AddressSettings()
            .setAutoCreateAddresses(true)
            .setAutoCreateQueues(true)
            .setAutoDeleteAddresses(false)
            .setAutoDeleteQueues(false);
    private final int port;

    /**
     * Prepares a broker on a free port.
     *
     * @param parameters of the acceptor for clients, each with a leading {@code &}
     */
    public EmbeddedBroker(String parameters) throws Exception {
        this(Ports.free(), parameters);
    }

    /** Prepares a broker on a port of the loopback. */
    public EmbeddedBroker(int port, String parameters) throws Exception {
        this.port = port;
        configuration
                .setSecurityEnabled(false)
                .setPersistenceEnabled(false)
                .setJMXManagementEnabled(false)
                .setCriticalAnalyzer(false)
                .addAcceptorConfiguration("all", url() + "?protocols=CORE,AMQP,STOMP,MQTT,OPENWIRE" + parameters)
                .addAddressSetting("#", settings);
    }

    /** Lets the broker keep its messages in a journal below this folder. */
    public EmbeddedBroker storingIn(Path data) {
        configuration
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(false)
                .setJournalDirectory(data + "/journal")
                .setBindingsDirectory(data + "/bindings")
                .setPagingDirectory(data + "/paging")
                .setLargeMessagesDirectory(data + "/large");
        return this;
    }

    /** Lets only these users in. Their roles may do what the configuration allows. */
    public EmbeddedBroker securedFor(SecurityConfiguration users) {
        configuration.setSecurityEnabled(true);
        embedded.setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
        return this;
    }

    /** Returns the configuration, to be changed before the start. */
    public Configuration configuration() {
        return configuration;
    }

    /** Returns the settings of all addresses, to be changed before the start. */
    public AddressSettings settings() {
        return settings;
    }

    /** Starts the broker, and does not wait until it is active. */
    public void launch() throws Exception {
        embedded.setConfiguration(configuration).start();
    }

    /** Starts the broker, and waits until it is active. */
    public EmbeddedBroker start() throws Exception {
        launch();
        if (!server().waitForActivation(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("broker: not active");
        }
        return this;
    }

    /** Returns the server of the broker, which must have been started. */
    public ActiveMQServer server() {
        return embedded.getActiveMQServer();
    }

    /** Makes a queue for one consumer of each message, with an address of its name. */
    public void createQueue(String name) throws Exception {
        server().createQueue(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
    }

    public int port() {
        return port;
    }

    /** Returns the URL for clients, without parameters. */
    public String url() {
        return "tcp://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        try {
            embedded.stop();
        } catch (Exception e) {
            throw new AssertionError("broker: does not stop", e);
        }
    }
}
