/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** Policies that a broker publishes to its clients. */
final class PolicyFetchIT extends BrokerTest {
    private static final String QUEUE = BrokerAddresses.POLICIES;
    private static final Duration IN_FORCE = Duration.ofSeconds(2);

    private final List<SignetConnectionFactory> opened = new ArrayList<>();

    @Override
    TestBroker started(@TempDir Path data) throws Exception {
        return new TestBroker(null, null); // with policies of its own
    }

    @BeforeEach
    void begin() throws Exception {
        broker.keepLast(QUEUE);
        Files.deleteIfExists(home().fetchedPolicies());
        Files.deleteIfExists(home().policies());
    }

    @AfterEach
    void end() {
        opened.forEach(SignetConnectionFactory::close);
        opened.clear();
    }

    private Home home() {
        return new Home(keys.folder);
    }

    private void file(PolicySet policies) throws Exception {
        Files.write(home().policies(), PolicyFile.bytes(policies));
    }

    private static PolicySet set(long version, Policy... policies) {
        return PolicySet.of(version, UnmatchedAddress.PASS, List.of(policies));
    }

    private static Policy none(String address) {
        Policy strict = Policy.integrity(address);
        return new Policy(
                address, QualityOfProtection.NONE, strict.signing(), strict.encryption(), strict.acceptance());
    }

    private SignetConnectionFactory open(ConnectionFactory provider) {
        try (Password password = Keys.password()) {
            SignetConnectionFactory factory = SignetConnectionFactory.open(provider, keys.folder, "alice", password)
                    .withOpenFailuresThrown();
            opened.add(factory);
            return factory;
        }
    }

    private void publish(String... texts) {
        try (JMSContext context = broker.core().createContext()) {
            for (String text : texts) {
                BytesMessage message = context.createBytesMessage();
                message.writeBytes(text.getBytes(StandardCharsets.UTF_8));
                publish(context, message);
            }
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static void publish(JMSContext context, Message message) throws JMSException {
        message.setStringProperty("_AMQ_LVQ_NAME", "policies");
        context.createProducer().send(context.createQueue(QUEUE), message);
    }

    private void publish(PolicySet set) {
        publish(PolicyFile.format(set));
    }

    private void sendClear(String address) {
        try (JMSContext context = broker.core().createContext()) {
            context.createProducer().send(context.createQueue(address), "in clear");
        }
    }

    private static long version(SignetConnectionFactory factory) {
        return Objects.requireNonNull(factory.opener.policies()).version();
    }

    private static void awaitVersion(SignetConnectionFactory factory, long version) {
        Awaitility.await().until(() -> version(factory) == version);
    }

    private static void awaitTrouble(String text) {
        Awaitility.await().until(() -> !RecordingLogs.troubleWith(text).isEmpty());
    }

    @Test
    void change_isInForceWithinTwoSeconds_overEachLibrary() throws Exception {
        String address = address("fetched");
        file(set(1));
        publish(set(2));
        List<SignetConnectionFactory> factories = new ArrayList<>();
        List<JMSContext> contexts = new ArrayList<>();
        for (Client client : Client.values()) {
            factories.add(open(broker.factory(client)).withPoliciesOfBroker());
            contexts.add(factories.get(factories.size() - 1).createContext());
        }
        factories.forEach(factory -> awaitVersion(factory, 2));

        publish(set(3, Policy.integrity(address)));
        Awaitility.await()
                .atMost(IN_FORCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> factories.stream().allMatch(factory -> version(factory) == 3));

        for (JMSContext context : contexts) {
            sendClear(address);
            JMSConsumer consumer = context.createConsumer(context.createQueue(address));
            assertFails(
                    () -> consumer.receive(Taking.PATIENCE),
                    MessageOpenRuntimeException.class,
                    OpenFailure.UNPROTECTED);
            context.close();
            broker.deleteMessages(address);
        }
    }

    /** The broker has a home of its own, with the policies. */
    @Test
    void policiesOfThePlugin_reachAClientWithoutAFile(@TempDir Path brokers, @TempDir Path data) throws Exception {
        try (Stream<Path> files = Files.walk(keys.folder)) {
            for (Path file : (Iterable<Path>) files.skip(1)::iterator) {
                Files.copy(
                        file,
                        brokers.resolve(keys.folder.relativize(file).toString()),
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Path policies = new Home(brokers).policies();
        Files.write(policies, PolicyFile.bytes(keys.policies()));
        String address = address("privacy");
        try (TestBroker sealing = new TestBroker(data, brokers)) {
            SignetConnectionFactory factory = open(sealing.core()).withPoliciesOfBroker();
            try (JMSContext context = factory.createContext();
                    JMSContext plain = sealing.core().createContext();
                    JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
                plain.createProducer().send(plain.createQueue(address), "a secret");

                assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("a secret");
                assertThat(version(factory)).isEqualTo(keys.policies().version());

                Files.write(policies, PolicyFile.bytes(keys.policies().with(Policy.integrity("more"))));
                awaitVersion(factory, keys.policies().version() + 1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void firstReceive_waitsForThePolicies_ifThereIsNoFile(Client client) throws Exception {
        String address = address("fetched");
        sendClear(address);
        try (JMSContext context =
                open(broker.factory(client)).withPoliciesOfBroker().createContext()) {
            Thread later = new Thread(() -> publish(set(7, Policy.integrity(address))));
            later.start();

            assertFails(() -> take(context, address), MessageOpenRuntimeException.class, OpenFailure.UNPROTECTED);
            later.join();
        }
    }

    @Test
    void withoutFile_andWithoutFetching_consumersAndProducersAreRefused() throws Exception {
        try (JMSContext context = open(broker.core()).createContext()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("any"), "in clear"))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("policies.json is missing");
            assertThat(broker.messages("any")).isZero();
            assertThatThrownBy(() -> context.createConsumer(context.createQueue("any")))
                    .isInstanceOf(MessageOpenRuntimeException.class)
                    .hasMessageContaining("policies.json is missing")
                    .hasMessageContaining("withPoliciesOfBroker()");
        }
    }

    @Tag(Tier.LONG)
    @Test
    void brokerWithoutPolicies_refusesConsumersWithoutFile() throws Exception {
        try (JMSContext context = open(broker.core()).withPoliciesOfBroker().createContext()) {
            assertFails(
                    () -> context.createConsumer(context.createQueue("any")),
                    MessageOpenRuntimeException.class,
                    OpenFailure.KEYSTORE);
        }
    }

    @Test
    void producer_sealsAsTheFetchedPolicySays() throws Exception {
        String address = address("fetched");
        Policy sealed = Policy.privacy(address, List.of("alice"))
                .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT));
        file(set(1));
        publish(set(2, sealed));
        SignetConnectionFactory factory = open(broker.core()).withPoliciesOfBroker();
        try (JMSContext context = factory.createContext();
                JMSContext plain = broker.core().createContext()) {
            awaitVersion(factory, 2);

            context.createProducer().send(context.createQueue(address), "a secret");

            assertThat(take(plain, address)).isInstanceOf(BytesMessage.class);
            publish(set(3, Policy.privacy(address, List.of("nobody-known")).with(sealed.acceptance())));
            awaitVersion(factory, 3);
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(address), "a secret"))
                    .isInstanceOf(JMSRuntimeException.class);
        }
    }

    @Test
    void weakerSet_leavesThePolicyOfTheFile_withOneWarning() throws Exception {
        String address = address("fetched");
        file(set(1, Policy.integrity(address)));
        publish(set(9, none(address)));
        SignetConnectionFactory factory = open(broker.core()).withPoliciesOfBroker();
        try (JMSContext context = factory.createContext()) {
            awaitVersion(factory, 9);
            sendClear(address);
            sendClear(address);
            JMSConsumer consumer = context.createConsumer(context.createQueue(address));

            for (int i = 0; i < 2; i++) {
                assertFails(
                        () -> consumer.receive(Taking.PATIENCE),
                        MessageOpenRuntimeException.class,
                        OpenFailure.UNPROTECTED);
            }

            assertThat(RecordingLogs.troubleOf(address))
                    .filteredOn(line -> line.contains("weaker"))
                    .hasSize(1);
        }
    }

    @Test
    void uselessMessages_areRefused_andTheLastOfManyCounts() throws Exception {
        file(set(1));
        publish("{ \u001b[31m no JSON");
        SignetConnectionFactory factory = open(broker.core()).withPoliciesOfBroker();
        try (JMSContext context = factory.createContext();
                JMSContext producer = broker.core().createContext()) {
            context.start();
            awaitTrouble("refused");
            assertThat(RecordingLogs.lines()).noneMatch(line -> line.contains("\u001b"));
            RecordingLogs.forget();

            publish(producer, producer.createTextMessage(PolicyFile.format(set(100))));
            awaitTrouble("no bytes message");
            assertThat(version(factory)).isEqualTo(1);

            String[] flood = new String[300];
            for (int i = 0; i < flood.length; i++) {
                flood[i] = PolicyFile.format(set(10 + i));
            }
            publish(flood);
            awaitVersion(factory, 9 + flood.length);

            assertThat(RecordingLogs.lines())
                    .filteredOn(line -> line.contains("in force"))
                    .hasSizeLessThan(flood.length / 5);
        }
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void restartedBroker_isAskedAgain_andItsPoliciesStayInForceMeanwhile(Client client) throws Exception {
        file(set(1));
        publish(set(2));
        SignetConnectionFactory factory = open(broker.factory(client)).withPoliciesOfBroker();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new SignetMetrics(factory).bindTo(registry);
        try (Connection connection = factory.createConnection()) {
            connection.start();
            awaitVersion(factory, 2);

            broker.restart();
            assertThat(version(factory)).isEqualTo(2);
            broker.keepLast(QUEUE);
            publish(set(3));

            awaitVersion(factory, 3);
            assertThat(registry.get("signet.client.policies.version").gauge().value())
                    .isEqualTo(3);
            assertThat(registry.get("signet.client.policies.in.force")
                            .tag("source", "broker")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(registry.get("signet.client.policies.age").gauge().value())
                    .isBetween(0.0, 60.0);
        }
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void replacedQueue_isNoticed(Client client) throws Exception {
        file(set(1));
        publish(set(2));
        SignetConnectionFactory factory = open(broker.factory(client)).withPoliciesOfBroker();
        try (Connection connection = factory.createConnection()) {
            connection.start();
            awaitVersion(factory, 2);

            broker.keepLast(QUEUE);
            publish(set(3));

            awaitVersion(factory, 3);
        }
    }

    @Test
    void brokerThatIsAway_leavesTheLastGoodPoliciesInForce() throws Exception {
        file(set(1));
        publish(set(5));
        SignetConnectionFactory before = open(broker.core()).withPoliciesOfBroker();
        try (JMSContext context = before.createContext()) {
            context.start();
            awaitVersion(before, 5);
            Awaitility.await().until(() -> Files.exists(home().fetchedPolicies()));
        }
        before.close();

        SignetConnectionFactory after =
                open(new ActiveMQConnectionFactory("tcp://127.0.0.1:1")).withPoliciesOfBroker();

        assertThat(version(after)).isEqualTo(5);
        assertThat(Objects.requireNonNull(after.opener.policies()).get().version())
                .isEqualTo(1); // the file's, made stricter
    }

    @Test
    void fetching_hasTheUserOfTheApplication_andEndsWithTheFactory() throws Exception {
        file(set(1));
        publish(set(2));
        Queue<String> users = new ConcurrentLinkedQueue<>();
        @SuppressWarnings("serial")
        ActiveMQConnectionFactory provider = new ActiveMQConnectionFactory(broker.url()) {
            @Override
            public Connection createConnection(String user, String password) throws JMSException {
                users.add(user + ":" + password);
                return super.createConnection(user, password);
            }
        };
        SignetConnectionFactory factory = open(provider).withPoliciesOfBroker();
        try (JMSContext context = factory.createContext("sam", "a password")) {
            context.start();
            awaitVersion(factory, 2);
            assertThat(users).containsOnly("sam:a password");
            assertThat(fetchers()).isPositive();
        }
        opened.forEach(SignetConnectionFactory::close);

        Awaitility.await().until(() -> fetchers() == 0);
        assertThat(RecordingLogs.lines()).noneMatch(line -> line.contains("a password"));
    }

    private static long fetchers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("signet-policies"))
                .count();
    }
}
