/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationQueuePolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
final class PeerIT extends OneBroker {
    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    private TestBroker.Setup setup(TestHomes others, String data) {
        return new TestBroker.Setup(others, folder.resolve(data)).queues(List.of("orders"));
    }

    private static TestBroker.Setup mirroring(TestBroker.Setup setup, TestBroker mirror) {
        return setup.connected(
                mirror.uri(),
                new AMQPMirrorBrokerConnectionElement().setDurable(true).setAddressFilter("orders"));
    }

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(policies);
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
        TestBroker mirror = start(setup(others, "mirror"));
        TestBroker source = start(mirroring(setup(homes, "source"), mirror));

        producer.send(source, "orders", LargeBodies.text(length));

        String opened = homes.text(mirror.nextBody("orders"), "orders");
        assertThat(opened.equals(LargeBodies.text(length))).isTrue();
        assertThat(mirror.sealed()).isZero();
        assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"CORE, 100", "AMQP, 1200000", "CORE, 3000000", "AMQP, 100", "AMQP, 200000"})
    void mirrorOfABrokerWithoutSignet_losesNothing_andKeepsNothingInClear(Producers producer, int length)
            throws Exception {
        TestBroker mirror = start(setup(homes, "mirror"));
        TestBroker source = start(mirroring(setup(homes, "source").bare(), mirror));

        producer.send(source, "orders", LargeBodies.text(length));

        Awaitility.await().until(() -> mirror.waiting("orders") == 1);
        assertThat(mirror.rejected()).isZero();
        assertThat(mirror.sealed()).isEqualTo(1);
        assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
        mirror.assertNext("orders", LargeBodies.text(length));
    }

    /** A client that poses as the broker of a mirror must not get plaintext to the disk while no policy is known. */
    @ParameterizedTest
    @CsvSource({"CORE, 100", "AMQP, 100", "AMQP, 200000"})
    void mirrorThatIsNotReady_rejectsWhatABrokerWithoutSignetBringsInClear(Producers producer, int length)
            throws Exception {
        Files.delete(homes.broker.policies());
        TestBroker mirror = start(setup(homes, "mirror"));
        TestBroker source = start(mirroring(setup(homes, "source").bare(), mirror));

        producer.send(source, "orders", LargeBodies.text(length));

        Awaitility.await().until(() -> mirror.rejected() == 1);
        assertThat(mirror.waiting("orders")).isZero();
        assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
    }

    private static TestBroker.Setup federating(TestBroker.Setup setup, TestBroker source) {
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addLocalQueuePolicy(
                new AMQPFederationQueuePolicyElement().setName("queues").addToIncludes("#", "orders"));
        return setup.connected(source.uri(), federation);
    }

    static Stream<Arguments> messages() {
        return Tier.cases(
                2,
                Arguments.of(Producers.CORE, 10),
                Arguments.of(Producers.AMQP, LargeBodies.LENGTH),
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
        TestBroker source = start(setup(homes, "source").bare());
        TestBroker to = start(federating(setup(homes, "data"), source));
        DiskWatch watch = closing(new DiskWatch(to.disk(), LargeBodies.MARK));
        producer.send(source, "orders", LargeBodies.text(length));

        to.assertNext("orders", LargeBodies.text(length));

        assertThat(watch.seen()).isEmpty();
        assertThat(to.sealed()).isEqualTo(1);
    }

    /** By AMQP, the sending broker keeps a rejected message. */
    @ParameterizedTest
    @MethodSource("messages")
    void federationThatRejects_leavesWhatIsRejectedInTheDeadLettersOfTheOtherBroker(Producers producer, int length)
            throws Exception {
        homes.policies(1, LargeBodies.sealedByClients(policies.policies().get(0)));
        TestBroker source = start(setup(homes, "source").bare().with(PeerIT::deadLetters));
        TestBroker to = start(federating(setup(homes, "data"), source));
        JMSContext context = closing(Producers.core(to).createContext());
        JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
        producer.send(source, "orders", LargeBodies.text(length));

        assertThat(source.nextBody("dead").length).isGreaterThanOrEqualTo(length);

        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(to.rejected()).isPositive();
        assertThat(to.disk().filesWith(LargeBodies.MARK)).isEmpty();
        to.awaitNoLargeFiles();
    }

    private static void deadLetters(Configuration configuration) {
        configuration.addQueueConfiguration(QueueConfiguration.of("dead").setRoutingType(RoutingType.ANYCAST));
        configuration.addAddressSetting("orders", new AddressSettings().setDeadLetterAddress(SimpleString.of("dead")));
    }
}
