/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/**
 * Large messages that a core bridge brings from another broker: with Signet and policies, without policies, without
 * Signet.
 */
final class LargeBridgeIT extends OneBroker {
    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(policies);
    }

    /** Another broker, from which a bridge leads to this one. */
    private TestBroker.Setup from(TestHomes others, TestBroker to) {
        return new TestBroker.Setup(others, folder.resolve("other-data"))
                .queues(List.of("orders"))
                .with(configuration -> bridge(configuration, to));
    }

    private TestBroker startBare(TestBroker to) throws Exception {
        return start(from(homes, to).bare());
    }

    /** A bridge brings a sealed stream, or a sealed AMQP message as the body of a Core one. */
    @ParameterizedTest
    @Cases({"CORE, 1200000", "AMQP, 3000000", "AMQP, 200000", "STOMP_BYTES, 3000000"})
    void bringsWhatIsSealedAsItIs(Producers producer, int length) throws Exception {
        TestBroker to = start("orders");
        TestBroker from = start(from(homes, to));

        producer.send(from, "orders", LargeBodies.text(length));

        to.assertNext("orders", LargeBodies.text(length));
        assertThat(from.sealed()).isEqualTo(1);
        assertThat(to.sealed()).isZero();
    }

    /** The broker it comes from knows no policy. */
    @ParameterizedTest
    @Cases({"AMQP, 1200000", "CORE, 3000000", "AMQP, 200000", "STOMP_BYTES, 3000000"})
    void bringsWhatIsClear_andItIsSealed(Producers producer, int length) throws Exception {
        TestBroker to = start("orders");
        TestBroker from = start(from(TestHomes.withoutPolicies(folder), to));
        DiskWatch watch = closing(new DiskWatch(to.disk(), LargeBodies.MARK));

        producer.send(from, "orders", LargeBodies.text(length));

        to.assertNext("orders", LargeBodies.text(length));
        assertThat(watch.seen()).isEmpty();
        assertThat(to.sealed()).isEqualTo(1);
    }

    /** The broker it comes from has no Signet, and keeps large AMQP messages in files of their own kind. */
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"CORE, 1200000", "AMQP, 50000", "AMQP, 200000", "AMQP, 3000000", "OPENWIRE, 3000000"})
    void fromABrokerWithoutSignet_bringsWhatIsClear_andItIsSealed(Producers producer, int length) throws Exception {
        TestBroker to = start("orders");
        TestBroker from = startBare(to);
        DiskWatch watch = closing(new DiskWatch(to.disk(), LargeBodies.MARK));

        producer.send(from, "orders", LargeBodies.text(length));

        to.assertNext("orders", LargeBodies.text(length));
        assertThat(watch.seen()).isEmpty();
        assertThat(to.sealed()).isEqualTo(1);
        LargeBodies.awaitNothingLeft(to);
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void fromABrokerWithoutSignet_keepsMetadata(JmsClient client) throws Exception {
        TestBroker to = start("orders");
        TestBroker from = startBare(to);

        client.send(from, "orders", Letter.largeText("metadata"));

        byte[] stored = WayIn.take(to, "orders", message -> {
            Letter.assertDressed(message, 1);
            return WayIn.body(message);
        });
        assertThat(homes.text(stored, "orders").equals(Letter.largeText("metadata")))
                .isTrue();
        assertThat(to.poll("orders")).isNull();
    }

    /** A bridge drops rejected messages, except for one reason: then it sends the message again when it can. */
    @Tag(Tier.LONG)
    @ParameterizedTest
    @CsvSource({"CORE, 10", "CORE, 3000000", "AMQP, 3000000"})
    void messageThatIsRejected_isNotLost_andComesWhenItIsTaken(Producers producer, int length) throws Exception {
        homes.policies(1, LargeBodies.sealedByClients(policies.policies().get(0)));
        TestBroker to = start("orders");
        TestBroker from = startBare(to);
        DiskWatch watch = closing(new DiskWatch(to.disk(), LargeBodies.MARK));
        producer.send(from, "orders", LargeBodies.text(length));
        Awaitility.await().until(() -> to.rejected() > 0);
        assertKeepsNothing(to);

        homes.policies(PolicySet.of(2, UnmatchedAddress.PASS, policies.policies()));

        to.assertNext("orders", LargeBodies.text(length));
        Awaitility.await().until(() -> from.waiting("orders") == 0);
        assertThat(to.sealed()).isEqualTo(1);
        LargeBodies.awaitNothingLeft(to);
        assertThat(watch.seen()).isEmpty();
    }

    /** Now and then: the bridge tries again. */
    private static void assertKeepsNothing(TestBroker broker) throws Exception {
        assertThat(broker.poll("orders")).isNull();
        LargeBodies.awaitNothingLeft(broker);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(ints = {200_000, 3_000_000})
    void amqpMessageBeyondTheLimit_isRejectedAndNotLost(int length) throws Exception {
        setup.property("max-message-size", "100KiB");
        TestBroker to = start("orders");
        TestBroker from = startBare(to);
        DiskWatch watch = closing(new DiskWatch(to.disk(), LargeBodies.MARK));

        Producers.AMQP.send(from, "orders", LargeBodies.text(length));

        Awaitility.await().until(() -> to.rejected() > 0);
        assertThat(from.waiting("orders")).isEqualTo(1);
        assertKeepsNothing(to);
        assertThat(watch.seen()).isEmpty();
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void fromABrokerWithoutSignet_toAnOpenAddress_passesAsItIs(JmsClient client) throws Exception {
        homes.policies(1);
        TestBroker to = start();
        TestBroker from = startBare(to);

        client.send(from, "orders", Letter.largeText("an open address"));

        String text = WayIn.take(to, "orders", message -> message.getBody(String.class));
        assertThat(text.equals(Letter.largeText("an open address"))).isTrue();
        assertThat(to.sealed()).isZero();
    }

    private static void bridge(Configuration configuration, TestBroker to) throws Exception {
        configuration.addConnectorConfiguration("target", to.uri());
        configuration
                .getBridgeConfigurations()
                .add(new BridgeConfiguration()
                        .setName("bridge")
                        .setQueueName("orders")
                        .setForwardingAddress("orders")
                        .setRetryInterval(200)
                        .setStaticConnectors(List.of("target")));
    }
}
