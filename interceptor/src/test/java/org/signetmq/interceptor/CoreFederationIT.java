/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.core.config.FederationConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationAddressPolicyConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationQueuePolicyConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationUpstreamConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/**
 * The federation of Core, which fetches messages by a client within the broker. It copies the file of a large message
 * before it routes the message. The broker keeps a history of its journal, which gets each part of such a file.
 */
final class CoreFederationIT {
    private static final String PROTECTED = "safe.orders";
    private static final String OPEN = "open.orders";
    private static final List<String> CONSUMER = List.of(TestHomes.CONSUMER);

    @TempDir
    private Path folder;

    /** A client's threads keep the context of the broker for which they worked last, and all clients share them. */
    @BeforeEach
    void useNewThreads() {
        ActiveMQClient.clearThreadPools();
    }

    /** What is federated. */
    enum Kind {
        QUEUE {
            @Override
            void federate(FederationConfiguration federation, String address) {
                federation.addFederationPolicy(new FederationQueuePolicyConfiguration()
                        .setName(POLICY)
                        .addInclude(new FederationQueuePolicyConfiguration.Matcher()
                                .setQueueMatch("#")
                                .setAddressMatch(address)));
            }

            @Override
            void prepare(TestBroker upstream, TestBroker broker, String address) throws Exception {
                queue(upstream, address, address, RoutingType.ANYCAST);
                queue(broker, address, address, RoutingType.ANYCAST);
            }

            @Override
            Destination destination(JMSContext context, String address) {
                return context.createQueue(address);
            }

            @Override
            String queueOf(String address) {
                return address;
            }
        },
        ADDRESS {
            @Override
            void federate(FederationConfiguration federation, String address) {
                federation.addFederationPolicy(new FederationAddressPolicyConfiguration()
                        .setName(POLICY)
                        .setMaxHops(1)
                        .addInclude(new FederationAddressPolicyConfiguration.Matcher().setAddressMatch(address)));
            }

            @Override
            void prepare(TestBroker upstream, TestBroker broker, String address) throws Exception {
                queue(broker, queueOf(address), address, RoutingType.MULTICAST);
                Awaitility.await()
                        .until(() -> upstream.server().getPostOffice().isAddressBound(SimpleString.of(address)));
            }

            @Override
            Destination destination(JMSContext context, String address) {
                return context.createTopic(address);
            }

            @Override
            String queueOf(String address) {
                return address + ".subscription";
            }
        };

        static final String POLICY = "policy";

        /** The window of a federation must hold a whole message, because Artemis asks for no more within one. */
        private static final String WINDOW = "?consumerWindowSize=16777216";

        abstract void federate(FederationConfiguration federation, String address);

        /** Makes the queues. The federation connects, or will when a consumer comes. */
        abstract void prepare(TestBroker upstream, TestBroker broker, String address) throws Exception;

        abstract Destination destination(JMSContext context, String address);

        /** The queue that has the messages after their way. */
        abstract String queueOf(String address);

        /** A broker that fetches the messages of this address from the broker at the URI. */
        TestBroker.Setup fetching(TestBroker.Setup setup, String address, String uri) {
            return setup.with(configuration -> {
                configuration.addConnectorConfiguration("upstream", uri + WINDOW);
                FederationUpstreamConfiguration upstream = new FederationUpstreamConfiguration().setName("upstream");
                upstream.setStaticConnectors(List.of("upstream"));
                upstream.getConnectionConfiguration().setCircuitBreakerTimeout(-1);
                upstream.addPolicyRef(POLICY);
                FederationConfiguration federation = new FederationConfiguration().setName("federation");
                federate(federation, address);
                federation.addUpstreamConfiguration(upstream);
                configuration.getFederationConfigurations().add(federation);
                configuration.setJournalRetentionDirectory(Path.of(configuration.getJournalDirectory())
                        .resolveSibling("history")
                        .toString());
            });
        }

        private static void queue(TestBroker broker, String name, String address, RoutingType type) throws Exception {
            broker.server()
                    .createQueue(QueueConfiguration.of(name).setAddress(address).setRoutingType(type));
        }
    }

    static Stream<Arguments> messages() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Tier.cases(1, 400_000, 200, 3_000_000).map(length -> Arguments.of(kind, length)));
    }

    private TestBroker.Setup upstreamWithoutSignet() throws Exception {
        return new TestBroker.Setup(TestHomes.withoutPolicies(folder), folder.resolve("upstream")).bare();
    }

    private static void send(TestBroker upstream, Kind kind, String address, String text) {
        try (JMSContext context = Producers.core(upstream).createContext()) {
            context.createProducer().send(kind.destination(context, address), text);
        }
    }

    private static void assertOpens(TestBroker broker, byte[] stored, String address, PolicySet policies, String text) {
        String opened = broker.homes.text(stored, address, policies);
        assertThat(opened.equals(text)).isTrue();
    }

    /** No part of a message waits, in memory or in a file. */
    private static void assertNothingWaits(TestBroker broker) throws Exception {
        assertThat(LargeBodies.openMessages(broker)).isZero();
        assertThat(LargeBodies.heldBytes(broker)).isZero();
        assertThat(broker.disk().largeFiles()).noneMatch(file -> file.toString().endsWith(".tmp"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void clearMessage_isSealedBeforeItIsCopied(Kind kind, int length) throws Exception {
        TestBroker.Setup there = upstreamWithoutSignet();
        TestBroker.Setup setup = kind.fetching(new TestBroker.Setup(folder), PROTECTED, there.uri());
        PolicySet policies = setup.homes().policies(1, Policy.privacy("safe.#", CONSUMER));
        try (TestBroker upstream = there.start();
                TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                QueueReader reader = new QueueReader(broker)) {
            kind.prepare(upstream, broker, PROTECTED);

            send(upstream, kind, PROTECTED, LargeBodies.text(length));

            assertOpens(
                    broker, reader.nextBody(kind.queueOf(PROTECTED)), PROTECTED, policies, LargeBodies.text(length));
            assertThat(watch.seen()).isEmpty();
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            assertThat(broker.sealed()).isOne();
            assertThat(broker.rejected()).isZero();
            assertNothingWaits(broker);
        }
    }

    /** The policies of the broker, none of which covers the address. */
    enum Elsewhere {
        NONE,
        OTHERS,
        OTHERS_AND_CLIENTS_REJECTED;

        PolicySet policies() {
            return PolicySet.of(
                    1,
                    this == OTHERS_AND_CLIENTS_REJECTED ? UnmatchedAddress.REJECT : UnmatchedAddress.PASS,
                    this == NONE ? List.of() : List.of(Policy.privacy("safe.#", CONSUMER)));
        }
    }

    static Stream<Arguments> openMessages() {
        return messages()
                .flatMap(message -> Tier.cases(1, Elsewhere.values())
                        .map(elsewhere -> Arguments.of(message.get()[0], message.get()[1], elsewhere)));
    }

    @ParameterizedTest
    @MethodSource("openMessages")
    void messageWithoutAPolicy_arrivesAsItIs(Kind kind, int length, Elsewhere elsewhere) throws Exception {
        TestBroker.Setup there = upstreamWithoutSignet();
        TestBroker.Setup setup = kind.fetching(new TestBroker.Setup(folder), OPEN, there.uri());
        setup.homes().policies(elsewhere.policies());
        byte[] body = Producers.utf8(LargeBodies.text(length));
        try (TestBroker upstream = there.start();
                TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker)) {
            kind.prepare(upstream, broker, OPEN);

            try (JMSContext context = Producers.core(upstream).createContext()) {
                context.createProducer().send(kind.destination(context, OPEN), body);
            }

            assertThat(reader.nextBody(kind.queueOf(OPEN))).isEqualTo(body);
            assertThat(broker.sealed()).isZero();
            assertThat(broker.rejected()).isZero();
            assertNothingWaits(broker);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void messageThatTheOtherBrokerSealed_passesAsItIs(Kind kind) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, Policy.privacy("safe.#", CONSUMER));
        TestBroker.Setup there = new TestBroker.Setup(setup.homes(), folder.resolve("upstream"));
        kind.fetching(setup, PROTECTED, there.uri());
        try (TestBroker upstream = there.start();
                TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                QueueReader reader = new QueueReader(broker)) {
            kind.prepare(upstream, broker, PROTECTED);

            send(upstream, kind, PROTECTED, LargeBodies.TEXT);

            assertOpens(broker, reader.nextBody(kind.queueOf(PROTECTED)), PROTECTED, policies, LargeBodies.TEXT);
            assertThat(watch.seen()).isEmpty();
            assertThat(upstream.sealed()).isOne();
            assertThat(broker.sealed()).isZero();
            assertThat(broker.rejected()).isZero();
            assertNothingWaits(broker);
        }
    }

    static Stream<Integer> rejectedLengths() {
        return Tier.cases(1, 400_000, 200, 3_000_000);
    }

    @ParameterizedTest
    @MethodSource("rejectedLengths")
    void messageThatIsRejected_staysWithTheOtherBroker(int length) throws Exception {
        TestBroker.Setup there = upstreamWithoutSignet();
        TestBroker.Setup setup = Kind.QUEUE.fetching(new TestBroker.Setup(folder), PROTECTED, there.uri());
        setup.homes().policies(1, LargeBodies.sealedByClients(Policy.privacy("safe.#", CONSUMER)));
        try (TestBroker upstream = there.start()) {
            try (TestBroker broker = setup.start();
                    DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                    JMSContext context = Producers.core(broker).createContext()) {
                Kind.QUEUE.prepare(upstream, broker, PROTECTED);
                var consumer = context.createConsumer(context.createQueue(PROTECTED));

                send(upstream, Kind.QUEUE, PROTECTED, LargeBodies.text(length));

                Awaitility.await()
                        .untilAsserted(() -> assertThat(broker.rejected()).isPositive());
                assertThat(consumer.receiveNoWait()).isNull();
                assertThat(watch.seen()).isEmpty();
            }
            // while a message comes back from the federation, its queue counts it twice for a moment
            Awaitility.await()
                    .untilAsserted(() -> assertThat(upstream.waiting(PROTECTED)).isOne());
        }
    }
}
