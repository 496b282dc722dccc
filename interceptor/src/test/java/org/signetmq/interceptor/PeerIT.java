/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationQueuePolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** Messages between brokers that do not agree, or with one that is not ready. */
final class PeerIT {
    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @TempDir
    private Path folder;

    private TestBroker.Setup setup(TestHomes homes, String data) {
        return new TestBroker.Setup(homes, folder.resolve(data))
                .with(configuration -> configuration.addQueueConfiguration(
                        QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST)));
    }

    /** A broker that is connected to the other one by AMQP. */
    private static TestBroker.Setup connected(
            TestBroker.Setup setup, TestBroker other, AMQPBrokerConnectionElement element) {
        return setup.with(configuration ->
                configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration("other", other.uri())
                        .setRetryInterval(100)
                        .addElement(element)));
    }

    private TestBroker.Setup mirroring(TestBroker.Setup setup, TestBroker mirror) {
        return connected(
                setup,
                mirror,
                new AMQPMirrorBrokerConnectionElement().setDurable(true).setAddressFilter("orders"));
    }

    private static long waiting(TestBroker broker) {
        return broker.waiting("orders");
    }

    private static void awaitMessage(TestBroker broker) {
        Awaitility.await().until(() -> waiting(broker) == 1);
    }

    private void assertOpens(TestHomes homes, byte[] stored, String text) {
        String opened = homes.text(stored, "orders", policies);
        assertThat(opened.equals(text)).isTrue();
    }

    private TestHomes homes() throws Exception {
        TestHomes homes = new TestHomes(folder);
        homes.policies(policies);
        return homes;
    }

    /** The mirror has another identity and another policy: it would not know the message for a sealed one. */
    @ParameterizedTest
    @MethodSource("mirrored")
    void mirrorWithAnotherPolicy_keepsWhatIsSealedAsItIs(Producers producer, int length) throws Exception {
        TestHomes others = TestHomes.withoutPolicies(folder);
        others.policies(1, Policy.integrity("orders"));

        assertMirroredAsItIs(others, producer, length);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("messages")
    void mirrorThatIsNotReady_losesNothing(Producers producer, int length) throws Exception {
        TestHomes others = TestHomes.withoutPolicies(folder);
        Files.delete(others.broker.policies());

        assertMirroredAsItIs(others, producer, length);
    }

    private void assertMirroredAsItIs(TestHomes others, Producers producer, int length) throws Exception {
        TestHomes homes = homes();
        try (TestBroker mirror = setup(others, "mirror").start();
                TestBroker source = mirroring(setup(homes, "source"), mirror).start()) {

            producer.send(source, "orders", LargeBodies.text(length));

            awaitMessage(mirror);
            try (QueueReader reader = new QueueReader(mirror)) {
                assertOpens(homes, reader.nextBody("orders"), LargeBodies.text(length));
            }
            assertThat(mirror.sealed()).isZero();
            assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"CORE, 100", "AMQP, 3000000", "CORE, 3000000", "AMQP, 100", "AMQP, 200000"})
    void mirrorOfABrokerWithoutSignet_losesNothing_andKeepsNothingInClear(Producers producer, int length)
            throws Exception {
        TestHomes homes = homes();
        try (TestBroker mirror = setup(homes, "mirror").start();
                TestBroker source =
                        mirroring(setup(homes, "source").bare(), mirror).start()) {

            producer.send(source, "orders", LargeBodies.text(length));

            awaitMessage(mirror);
            assertThat(mirror.rejected()).isZero();
            assertThat(mirror.sealed()).isEqualTo(1);
            assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
            try (QueueReader reader = new QueueReader(mirror)) {
                assertOpens(homes, reader.nextBody("orders"), LargeBodies.text(length));
            }
        }
    }

    /** A client that poses as the broker of a mirror must not get plaintext to the disk while no policy is known. */
    @ParameterizedTest
    @CsvSource({"CORE, 100", "AMQP, 100", "AMQP, 200000"})
    void mirrorThatIsNotReady_rejectsWhatABrokerWithoutSignetBringsInClear(Producers producer, int length)
            throws Exception {
        TestHomes homes = TestHomes.withoutPolicies(folder);
        Files.delete(homes.broker.policies());
        try (TestBroker mirror = setup(homes, "mirror").start();
                TestBroker source =
                        mirroring(setup(homes, "source").bare(), mirror).start()) {

            producer.send(source, "orders", LargeBodies.text(length));

            Awaitility.await().until(() -> mirror.rejected() == 1);
            assertThat(waiting(mirror)).isZero();
            assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
        }
    }

    private TestBroker.Setup federating(TestBroker.Setup setup, TestBroker source) {
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addLocalQueuePolicy(
                new AMQPFederationQueuePolicyElement().setName("queues").addToIncludes("#", "orders"));
        return connected(setup, source, federation);
    }

    static Stream<Arguments> messages() {
        return Tier.cases(
                2,
                Arguments.of(Producers.CORE, 10),
                Arguments.of(Producers.AMQP, 3_000_000),
                Arguments.of(Producers.CORE, 3_000_000),
                Arguments.of(Producers.AMQP, 10));
    }

    static Stream<Arguments> mirrored() {
        return Stream.concat(messages(), Tier.cases(0, Arguments.of(Producers.MQTT_3, 3_000_000)));
    }

    static Stream<Arguments> federated() {
        return Stream.concat(messages(), Tier.cases(0, Arguments.of(Producers.AMQP, 200_000)));
    }

    /** The broker without Signet keeps large AMQP messages in files of their own kind. */
    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("federated")
    void federationFromABrokerWithoutSignet_bringsWhatIsClear_andItIsSealed(Producers producer, int length)
            throws Exception {
        TestHomes homes = homes();
        try (TestBroker source = setup(homes, "source").bare().start();
                TestBroker to = federating(setup(homes, "data"), source).start();
                DiskWatch watch = new DiskWatch(to.disk(), LargeBodies.MARK)) {
            producer.send(source, "orders", LargeBodies.text(length));

            try (QueueReader reader = new QueueReader(to)) {
                assertOpens(homes, reader.nextBody("orders"), LargeBodies.text(length));
            }

            assertThat(watch.seen()).isEmpty();
            assertThat(to.sealed()).isEqualTo(1);
        }
    }

    /** By AMQP, the sending broker keeps a rejected message. */
    @ParameterizedTest
    @MethodSource("messages")
    void federationThatRejects_leavesWhatIsRejectedInTheDeadLettersOfTheOtherBroker(Producers producer, int length)
            throws Exception {
        TestHomes homes = homes();
        homes.policies(1, LargeBodies.sealedByClients(policies.policies().get(0)));
        try (TestBroker source =
                        setup(homes, "source").bare().with(this::deadLetters).start();
                TestBroker to = federating(setup(homes, "data"), source).start();
                QueueReader dead = new QueueReader(source);
                JMSContext context = Producers.core(to).createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            producer.send(source, "orders", LargeBodies.text(length));

            assertThat(dead.nextBody("dead").length).isGreaterThanOrEqualTo(length);

            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(to.rejected()).isPositive();
            assertThat(to.disk().filesWith(LargeBodies.MARK)).isEmpty();
            to.awaitNoLargeFiles();
        }
    }

    private void deadLetters(Configuration configuration) {
        configuration.addQueueConfiguration(QueueConfiguration.of("dead").setRoutingType(RoutingType.ANYCAST));
        configuration.addAddressSetting("orders", new AddressSettings().setDeadLetterAddress(SimpleString.of("dead")));
    }
}
