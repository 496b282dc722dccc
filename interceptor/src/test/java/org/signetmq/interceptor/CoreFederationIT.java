/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.core.config.FederationConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationAddressPolicyConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationPolicy;
import org.apache.activemq.artemis.core.config.federation.FederationQueuePolicyConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationUpstreamConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/**
 * The federation of Core, which fetches messages by a client within the broker. It copies the file of a large message
 * before it routes the message. The broker keeps a history of its journal, which gets each part of such a file.
 */
final class CoreFederationIT extends OneBroker {
    private static final String PROTECTED = "safe.orders";
    private static final String OPEN = "open.orders";

    /** A client's threads keep the context of the broker for which they worked last, and all clients share them. */
    @BeforeEach
    void useNewThreads() {
        ActiveMQClient.clearThreadPools();
    }

    /** What is federated. */
    enum Kind {
        QUEUE,
        ADDRESS;

        private static final String POLICY = "policy";

        /** The window of a federation must hold a whole message, because Artemis asks for no more within one. */
        private static final String WINDOW = "?consumerWindowSize=16777216";

        private FederationPolicy<?> policy(String address) {
            return this == QUEUE
                    ? new FederationQueuePolicyConfiguration()
                            .setName(POLICY)
                            .addInclude(new FederationQueuePolicyConfiguration.Matcher()
                                    .setQueueMatch("#")
                                    .setAddressMatch(address))
                    : new FederationAddressPolicyConfiguration()
                            .setName(POLICY)
                            .setMaxHops(1)
                            .addInclude(new FederationAddressPolicyConfiguration.Matcher().setAddressMatch(address));
        }

        /** Makes the queues. The federation connects, or will when a consumer comes. */
        void prepare(TestBroker upstream, TestBroker broker, String address) throws Exception {
            if (this == QUEUE) {
                upstream.createQueue(address);
                broker.createQueue(address);
            } else {
                broker.reader().subscription(queueOf(address), address);
                upstream.awaitBound(address);
            }
        }

        Destination destination(JMSContext context, String address) {
            return this == QUEUE ? context.createQueue(address) : context.createTopic(address);
        }

        /** The queue that has the messages after their way. */
        String queueOf(String address) {
            return this == QUEUE ? address : address + ".subscription";
        }

        /** A broker that fetches the messages of this address from the broker at the URI. */
        TestBroker.Setup fetching(TestBroker.Setup setup, String address, String uri) {
            return setup.with(configuration -> {
                configuration.addConnectorConfiguration("upstream", uri + WINDOW);
                FederationUpstreamConfiguration upstream = new FederationUpstreamConfiguration().setName("upstream");
                upstream.setStaticConnectors(List.of("upstream"));
                upstream.getConnectionConfiguration().setCircuitBreakerTimeout(-1);
                upstream.addPolicyRef(POLICY);
                FederationConfiguration federation = new FederationConfiguration().setName("federation");
                federation.addFederationPolicy(policy(address));
                federation.addUpstreamConfiguration(upstream);
                configuration.getFederationConfigurations().add(federation);
                configuration.setJournalRetentionDirectory(Path.of(configuration.getJournalDirectory())
                        .resolveSibling("history")
                        .toString());
            });
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

    /** No part of a message waits, in memory or in a file. */
    private static void assertNothingWaits(TestBroker broker) throws Exception {
        assertThat(LargeBodies.openMessages(broker)).isZero();
        assertThat(LargeBodies.heldBytes(broker)).isZero();
        assertThat(broker.disk().scratchFiles()).isZero();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void clearMessage_isSealedBeforeItIsCopied(Kind kind, int length) throws Exception {
        TestBroker.Setup there = upstreamWithoutSignet();
        kind.fetching(setup, PROTECTED, there.uri());
        homes.policies(1, TestHomes.privacy("safe.#"));
        TestBroker upstream = start(there);
        TestBroker broker = start();
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        kind.prepare(upstream, broker, PROTECTED);

        send(upstream, kind, PROTECTED, LargeBodies.text(length));

        broker.assertNext(kind.queueOf(PROTECTED), PROTECTED, LargeBodies.text(length));
        assertThat(watch.seen()).isEmpty();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(broker.sealed()).isOne();
        assertThat(broker.rejected()).isZero();
        assertNothingWaits(broker);
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
                    this == NONE ? List.of() : List.of(TestHomes.privacy("safe.#")));
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
        kind.fetching(setup, OPEN, there.uri());
        homes.policies(elsewhere.policies());
        byte[] body = Producers.utf8(LargeBodies.text(length));
        TestBroker upstream = start(there);
        TestBroker broker = start();
        kind.prepare(upstream, broker, OPEN);

        try (JMSContext context = Producers.core(upstream).createContext()) {
            context.createProducer().send(kind.destination(context, OPEN), body);
        }

        assertThat(broker.nextBody(kind.queueOf(OPEN))).isEqualTo(body);
        assertThat(broker.sealed()).isZero();
        assertThat(broker.rejected()).isZero();
        assertNothingWaits(broker);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void messageThatTheOtherBrokerSealed_passesAsItIs(Kind kind) throws Exception {
        homes.policies(1, TestHomes.privacy("safe.#"));
        TestBroker.Setup there = new TestBroker.Setup(homes, folder.resolve("upstream"));
        kind.fetching(setup, PROTECTED, there.uri());
        TestBroker upstream = start(there);
        TestBroker broker = start();
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        kind.prepare(upstream, broker, PROTECTED);

        send(upstream, kind, PROTECTED, LargeBodies.TEXT);

        broker.assertNext(kind.queueOf(PROTECTED), PROTECTED, LargeBodies.TEXT);
        assertThat(watch.seen()).isEmpty();
        assertThat(upstream.sealed()).isOne();
        assertThat(broker.sealed()).isZero();
        assertThat(broker.rejected()).isZero();
        assertNothingWaits(broker);
    }

    static Stream<Integer> rejectedLengths() {
        return Tier.cases(1, 400_000, 200, 3_000_000);
    }

    @ParameterizedTest
    @MethodSource("rejectedLengths")
    void messageThatIsRejected_staysWithTheOtherBroker(int length) throws Exception {
        TestBroker.Setup there = upstreamWithoutSignet();
        Kind.QUEUE.fetching(setup, PROTECTED, there.uri());
        homes.policies(1, LargeBodies.sealedByClients(TestHomes.privacy("safe.#")));
        TestBroker upstream = start(there);
        try (TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                JMSContext context = Producers.core(broker).createContext()) {
            Kind.QUEUE.prepare(upstream, broker, PROTECTED);
            var consumer = context.createConsumer(context.createQueue(PROTECTED));

            send(upstream, Kind.QUEUE, PROTECTED, LargeBodies.text(length));

            Awaitility.await().untilAsserted(() -> assertThat(broker.rejected()).isPositive());
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(watch.seen()).isEmpty();
        }
        // while a message comes back from the federation, its queue counts it twice for a moment
        Awaitility.await().until(() -> upstream.waiting(PROTECTED) == 1);
    }
}
