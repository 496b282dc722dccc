/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.PostOffice;
import org.apache.activemq.artemis.core.postoffice.impl.DivertBinding;
import org.apache.activemq.artemis.core.postoffice.impl.LocalQueueBinding;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.testkit.EmbeddedBroker;
import org.signetmq.testkit.Ports;

/**
 * A real broker with the plugin, on a free port of the loopback interface. Tests of a process share the brokers of
 * usual configurations: each test has a plugin and homes of its own, and finds no address of another test.
 */
public final class TestBroker implements AutoCloseable {
    private static final String PREFIXES = "&anycastPrefix=queue://,to-queue.&multicastPrefix=topic://,to-topic.";

    public final TestHomes homes;
    public final SignetPlugin plugin;
    final Path data;
    final int port;
    private final RunningBroker running;
    private final boolean isShared;
    private @Nullable QueueReader reader;
    private boolean isClosed;

    private TestBroker(Setup setup) throws Exception {
        this.homes = setup.homes();
        this.plugin = setup.plugin;
        Map<String, String> properties = new HashMap<>(
                Map.of("home", homes.broker.root().toString(), "password-file", homes.passwordFile.toString()));
        properties.putAll(setup.properties);
        plugin.init(properties);
        this.isShared = setup.isUsual();
        this.running = isShared ? RunningBroker.shared(setup) : new RunningBroker(setup);
        this.data = running.data;
        this.port = running.port;
        if (isShared) {
            if (!setup.bare) {
                server().registerBrokerPlugin(plugin);
            }
            setup.makeQueues(server());
        }
    }

    private boolean mayHaveStoredInClear() throws IOException {
        return !server().getBrokerPlugins().contains(plugin)
                || state().counts().passed() > 0
                || !Files.exists(homes.broker.policies())
                || Files.readString(homes.broker.policies()).matches("(?s).*\"(integrity|none)\".*");
    }

    /** A started broker. */
    private static final class RunningBroker {
        /** Those that no test has now, by their configuration. */
        private static final Map<String, Deque<RunningBroker>> FREE = new ConcurrentHashMap<>();

        private static final Path FOLDER = Path.of("target", "brokers");

        /** The part of the kind of brokers that have stored messages in clear. Tests without the plugin take them. */
        private static final String USED = " used";

        final EmbeddedBroker embedded;
        final Path data;
        final int port;
        private final String kind;

        RunningBroker(Setup setup) throws Exception {
            data = setup.data;
            port = setup.port;
            kind = kind(setup.secured, setup.policyRoles);
            embedded = new EmbeddedBroker(port, PREFIXES).storingIn(data);
            configure(embedded, setup);
            if (setup.backup) {
                embedded.launch();
            } else {
                embedded.start();
            }
        }

        /** Returns one of the configuration of a test. No earlier test has stored a message in clear in it. */
        static RunningBroker shared(Setup test) throws Exception {
            String kind = kind(test.secured, test.policyRoles);
            RunningBroker free = free(test.bare ? kind + USED : kind).poll();
            if (free != null) {
                return free;
            }
            Files.createDirectories(FOLDER);
            Setup setup = new Setup(null, Files.createTempDirectory(FOLDER.toAbsolutePath(), "data-")).bare();
            setup.secured = test.secured;
            setup.policyRoles = test.policyRoles;
            return new RunningBroker(setup);
        }

        private static String kind(boolean secured, boolean policyRoles) {
            return secured + " " + policyRoles;
        }

        private static Deque<RunningBroker> free(String kind) {
            return FREE.computeIfAbsent(kind, any -> new ConcurrentLinkedDeque<>());
        }

        ActiveMQServer server() {
            return embedded.server();
        }

        /** Removes all that a test has made, and gives it to the next test; stops it if that fails. */
        void giveBack(TestBroker test) throws Exception {
            try {
                ActiveMQServer server = server();
                boolean storedInClear = test.mayHaveStoredInClear();
                for (RemotingConnection connection : server.getRemotingService().getConnections()) {
                    connection.destroy();
                }
                for (ServerSession session : server.getSessions()) {
                    session.close(true);
                }
                server.unRegisterBrokerPlugin(test.plugin);
                removeAddresses(server);
                if (!new DiskScan(data).largeFiles().isEmpty()) { // as of a large request to the management
                    embedded.close();
                    return;
                }
                free(storedInClear ? kind + USED : kind).add(this);
            } catch (Exception unusable) {
                embedded.close();
            }
        }

        private static void removeAddresses(ActiveMQServer server) throws Exception {
            PostOffice office = server.getPostOffice();
            for (Binding binding : office.getAllBindings().toList()) {
                if (binding instanceof DivertBinding) {
                    server.destroyDivert(binding.getUniqueName(), true);
                } else if (binding instanceof LocalQueueBinding queue) {
                    queue.getQueue().deleteQueue(true);
                }
            }
            for (SimpleString address : Set.copyOf(office.getAddresses())) {
                server.removeAddressInfo(address, null, true);
            }
        }

        void stop() {
            embedded.close();
        }
    }

    public PluginStatus state() {
        return plugin.state();
    }

    /** Adds to a broker's configuration. */
    @FunctionalInterface
    public interface Change {
        void apply(Configuration configuration) throws Exception;
    }

    /** The settings that a broker is started with. */
    public static final class Setup {
        private final @Nullable TestHomes homes;
        private final Path data;
        private final int port = Ports.free();
        private final Map<String, String> properties = new HashMap<>();
        private SignetPlugin plugin = new SignetPlugin();
        private boolean secured;
        private boolean policyRoles;
        private boolean backup;
        private boolean bare;
        private boolean own;
        private final List<String> queues = new ArrayList<>();
        private final List<Change> changes = new ArrayList<>();

        public Setup(Path folder) {
            this.homes = new TestHomes(folder);
            this.data = folder.resolve("data");
        }

        /** A further broker with the keys and policies of another, which no other test uses. */
        Setup(@Nullable TestHomes homes, Path data) {
            this.homes = homes;
            this.data = data;
            this.own = true;
        }

        /** A broker that no other test uses, as one that the test stops, or of which it reads all files. */
        public Setup own() {
            own = true;
            return this;
        }

        private boolean isUsual() {
            return !own && !backup && changes.isEmpty();
        }

        public TestHomes homes() {
            return Objects.requireNonNull(homes);
        }

        /** Returns where its broker will be; no other test uses that broker. */
        String uri() {
            own = true;
            return "tcp://127.0.0.1:" + port;
        }

        public Setup plugin(SignetPlugin other) {
            plugin = other;
            return this;
        }

        Setup property(String key, String value) {
            own |= key.equals("policy-store"); // the next test would find the policies
            properties.put(key, value);
            return this;
        }

        /**
         * Users: alice may do all, and mallory may send nowhere. Anna and victor may do all that alice may, and have
         * roles for policies, to which {@link #policyRoles} gives rights.
         */
        Setup secured() {
            secured = true;
            return this;
        }

        /** Gives the role signet-admin the right to change policies, and signet-viewer the right to read them. */
        Setup policyRoles() {
            policyRoles = true;
            return secured();
        }

        private static Role policyRole(String name, boolean edits) {
            return new Role(name, false, false, false, false, false, false, false, false, false, false, true, edits);
        }

        /** A broker that waits for another to end: it is started when it is not active yet. */
        Setup backup() {
            backup = true;
            return this;
        }

        /** A broker without the plugin. */
        Setup bare() {
            bare = true;
            return this;
        }

        /** Adds queues for one consumer of each message. */
        public Setup queues(List<String> names) {
            queues.addAll(names);
            return this;
        }

        private Stream<QueueConfiguration> queues() {
            return queues.stream().map(name -> QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
        }

        private void makeQueues(ActiveMQServer server) throws Exception {
            for (QueueConfiguration queue : queues().toList()) {
                server.createQueue(queue);
            }
        }

        /** Pages the messages of an address beyond 50,000 bytes. */
        public Setup paging(String address) {
            return with(configuration -> configuration
                    .getAddressSettings()
                    .put(
                            address,
                            new AddressSettings()
                                    .setMaxSizeBytes(50_000)
                                    .setPageSizeBytes(20_000)
                                    .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)));
        }

        /** Connects the broker to another one by AMQP. */
        Setup connected(String uri, AMQPBrokerConnectionElement element) {
            String name = "other" + changes.size();
            return with(configuration -> configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration(name, uri)
                    .setRetryInterval(100)
                    .addElement(element)));
        }

        public Setup with(Change change) {
            changes.add(change);
            return this;
        }

        public TestBroker start() throws Exception {
            return new TestBroker(this);
        }
    }

    private static void configure(EmbeddedBroker broker, Setup setup) throws Exception {
        Configuration configuration =
                broker.configuration().setJournalMinFiles(2).setJournalFileSize(1 << 20);
        if (setup.secured) {
            broker.securedFor(users());
            configuration.putSecurityRoles(
                    "#",
                    Set.of(
                            new Role("all", true, true, true, true, true, true, true, true, true, true, false, false),
                            new Role(
                                    "none", false, true, true, true, true, true, false, true, true, true, false,
                                    false)));
        }
        if (setup.policyRoles) {
            configuration.putSecurityRoles(
                    "mops.signet.#",
                    Set.of(Setup.policyRole("signet-admin", true), Setup.policyRole("signet-viewer", false)));
        }
        setup.queues().forEach(configuration::addQueueConfiguration);
        if (!setup.bare) {
            configuration.registerBrokerPlugin(setup.plugin);
        }
        for (Change change : setup.changes) {
            change.apply(configuration);
        }
    }

    private static SecurityConfiguration users() {
        SecurityConfiguration users = new SecurityConfiguration();
        Map<String, List<String>> roles = Map.of(
                "alice", List.of("all"),
                "mallory", List.of("none"),
                "anna", List.of("all", "signet-admin"),
                "victor", List.of("all", "signet-viewer"));
        roles.forEach((user, names) -> {
            users.addUser(user, "secret");
            names.forEach(name -> users.addRole(user, name));
        });
        return users;
    }

    public ActiveMQServer server() {
        return running.server();
    }

    public String uri() {
        return "tcp://127.0.0.1:" + port;
    }

    /** A client that takes messages. It is connected when it is first asked for. */
    public QueueReader reader() throws Exception {
        if (reader == null) {
            reader = new QueueReader(this);
        }
        return reader;
    }

    /** The next message that is there now, or null. */
    @Nullable
    public ClientMessage poll(String queue) throws Exception {
        return reader().poll(queue);
    }

    /** The next message, waited for. */
    ClientMessage next(String queue) throws Exception {
        return reader().next(queue);
    }

    /** The body of the next message, waited for. */
    public byte[] nextBody(String queue) throws Exception {
        return reader().nextBody(queue);
    }

    /** The text of the next message, which was sealed for the address of this name. */
    String nextText(String queue) throws Exception {
        return nextText(queue, queue);
    }

    String nextText(String queue, String address) throws Exception {
        return homes.text(nextBody(queue), address);
    }

    /** The next message is sealed, once, for the address of its queue. */
    public void assertNext(String queue, String text) throws Exception {
        assertNext(queue, queue, text);
    }

    /** The next message of the queue is sealed for this address, once: what was sealed twice is no text. */
    public void assertNext(String queue, String address, String text) throws Exception {
        OpenedMessage opened = homes.open(nextBody(queue), address);
        assertThat(opened.entityIfProtected()).isPresent();
        assertThat(new String(opened.payload(), StandardCharsets.UTF_8).equals(text))
                .isTrue();
    }

    /** How many messages the plugin has sealed. */
    public long sealed() {
        return state().counts().sealed();
    }

    public long rejected() {
        return state().counts().rejected();
    }

    /** Makes a queue for one consumer of each message, with an address of its name. */
    public void createQueue(String name) throws Exception {
        running.embedded.createQueue(name);
    }

    public Queue queue(String name) {
        return Objects.requireNonNull(server().locateQueue(name), name);
    }

    /** How many messages are in a queue. */
    public long waiting(String queue) {
        return queue(queue).getMessageCount();
    }

    public QueueControl control(String queue) {
        return server().getManagementService().getQueueControl(queue);
    }

    public void awaitState(PluginStatus.State state) {
        Awaitility.await().untilAsserted(() -> assertThat(state().state()).isEqualTo(state));
    }

    /** Waits until there is a queue for the messages of an address, such as that of a federation. */
    void awaitBound(String address) {
        Awaitility.await().until(() -> server().getPostOffice().isAddressBound(SimpleString.of(address)));
    }

    /** The broker deletes files by threads of its own. */
    public void awaitNoLargeFiles() {
        Awaitility.await()
                .ignoreExceptions() // a file may go while the folder is read
                .untilAsserted(() -> assertThat(disk().largeFiles()).isEmpty());
    }

    /** Removes all messages of these queues. */
    public void empty(List<String> queues) throws Exception {
        for (String queue : queues) {
            int gone = queue(queue).deleteAllReferences();
            assertThat(gone).isNotNegative();
        }
    }

    /** Everything below the data folder. */
    public DiskScan disk() {
        return new DiskScan(data);
    }

    /** Ends at once: nothing more is written, and clients turn to the backup if there is one. */
    void crash() {
        try {
            server().fail(true);
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not crash", e);
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            if (reader != null) {
                reader.close();
            }
            if (isShared) {
                running.giveBack(this);
            } else {
                running.stop();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not stop", e);
        }
    }
}
