/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
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
final class LargeBridgeIT {
    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @TempDir
    private Path folder;

    private TestBroker.Setup setup() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(policies);
        return setup;
    }

    /** A bridge brings a sealed stream, or a sealed AMQP message as the body of a Core one. */
    @ParameterizedTest
    @Cases({"CORE, 3000000", "AMQP, 3000000", "AMQP, 200000", "STOMP_BYTES, 3000000"})
    void bringsWhatIsSealedAsItIs(Producers producer, int length) throws Exception {
        TestBroker.Setup target = setup();
        try (TestBroker to = target.start();
                QueueReader arrived = new QueueReader(to).queue("orders")) {
            TestBroker.Setup source = new TestBroker.Setup(target.homes(), folder.resolve("other-data"))
                    .with(configuration -> bridge(configuration, to));
            try (TestBroker from = source.start()) {

                producer.send(from, "orders", LargeBodies.text(length));

                assertOpens(to, arrived.nextBody("orders"), LargeBodies.text(length));
                assertThat(from.sealed()).isEqualTo(1);
                assertThat(to.sealed()).isZero();
            }
        }
    }

    /** The broker it comes from knows no policy. */
    @ParameterizedTest
    @Cases({"AMQP, 3000000", "CORE, 3000000", "AMQP, 200000", "STOMP_BYTES, 3000000"})
    void bringsWhatIsClear_andItIsSealed(Producers producer, int length) throws Exception {
        TestBroker.Setup target = setup();
        try (TestBroker to = target.start();
                QueueReader arrived = new QueueReader(to).queue("orders")) {
            TestBroker.Setup source = new TestBroker.Setup(
                            TestHomes.withoutPolicies(folder), folder.resolve("other-data"))
                    .with(configuration -> bridge(configuration, to));
            try (TestBroker from = source.start();
                    DiskWatch watch = new DiskWatch(to.disk(), LargeBodies.MARK)) {

                producer.send(from, "orders", LargeBodies.text(length));

                assertOpens(to, arrived.nextBody("orders"), LargeBodies.text(length));
                assertThat(watch.seen()).isEmpty();
                assertThat(to.sealed()).isEqualTo(1);
            }
        }
    }

    /** The broker it comes from has no Signet, and keeps large AMQP messages in files of their own kind. */
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"CORE, 3000000", "AMQP, 50000", "AMQP, 200000", "AMQP, 3000000", "OPENWIRE, 3000000"})
    void fromABrokerWithoutSignet_bringsWhatIsClear_andItIsSealed(Producers producer, int length) throws Exception {
        TestBroker.Setup target = setup();
        try (TestBroker to = target.start();
                QueueReader arrived = new QueueReader(to).queue("orders")) {
            try (TestBroker from = bare(target, to).start();
                    DiskWatch watch = new DiskWatch(to.disk(), LargeBodies.MARK)) {

                producer.send(from, "orders", LargeBodies.text(length));

                assertOpens(to, arrived.nextBody("orders"), LargeBodies.text(length));
                assertThat(watch.seen()).isEmpty();
                assertThat(to.sealed()).isEqualTo(1);
                assertLeftNothingBehind(to);
            }
        }
    }

    private TestBroker.Setup bare(TestBroker.Setup target, TestBroker to) {
        return new TestBroker.Setup(target.homes(), folder.resolve("other-data"))
                .bare()
                .with(configuration -> bridge(configuration, to));
    }

    private void assertOpens(TestBroker broker, byte[] stored, String text) {
        String opened = broker.homes.text(stored, "orders", policies);
        assertThat(opened.equals(text)).isTrue();
    }

    private static void assertLeftNothingBehind(TestBroker broker) throws Exception {
        Awaitility.await().ignoreExceptions().untilAsserted(() -> {
            assertThat(LargeBodies.openMessages(broker)).isZero();
            assertThat(broker.disk().largeFiles()).isEmpty();
        });
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void fromABrokerWithoutSignet_keepsMetadata(JmsClient client) throws Exception {
        TestBroker.Setup target = setup();
        try (TestBroker to = target.start();
                QueueReader arrived = new QueueReader(to).queue("orders");
                TestBroker from = bare(target, to).start()) {

            client.send(from, "orders", Letter.largeText("metadata"));

            byte[] stored = WayIn.take(to, "orders", message -> {
                Letter.assertDressed(message, 1);
                return WayIn.body(message);
            });
            assertOpens(to, stored, Letter.largeText("metadata"));
            assertThat(arrived.poll("orders")).isNull();
        }
    }

    /** A bridge drops rejected messages, except for one reason: then it sends the message again when it can. */
    @Tag(Tier.LONG)
    @ParameterizedTest
    @CsvSource({"CORE, 10", "CORE, 3000000", "AMQP, 3000000"})
    void messageThatIsRejected_isNotLost_andComesWhenItIsTaken(Producers producer, int length) throws Exception {
        TestBroker.Setup target = new TestBroker.Setup(folder);
        target.homes()
                .policies(1, LargeBodies.sealedByClients(policies.policies().get(0)));
        try (TestBroker to = target.start();
                QueueReader arrived = new QueueReader(to).queue("orders");
                TestBroker from = bare(target, to).start();
                DiskWatch watch = new DiskWatch(to.disk(), LargeBodies.MARK)) {
            producer.send(from, "orders", LargeBodies.text(length));
            Awaitility.await().until(() -> to.rejected() > 0);
            assertKeepsNothing(to, arrived);

            target.homes().policies(PolicySet.of(2, UnmatchedAddress.PASS, policies.policies()));

            assertOpens(to, arrived.nextBody("orders"), LargeBodies.text(length));
            Awaitility.await().until(() -> waiting(from) == 0);
            assertThat(to.sealed()).isEqualTo(1);
            assertLeftNothingBehind(to);
            assertThat(watch.seen()).isEmpty();
        }
    }

    /** Now and then: the bridge tries again. */
    private static void assertKeepsNothing(TestBroker broker, QueueReader reader) throws Exception {
        assertThat(reader.poll("orders")).isNull();
        Awaitility.await()
                .pollInterval(10, TimeUnit.MILLISECONDS)
                .ignoreExceptions() // a file may go while it is looked at
                .until(() -> LargeBodies.openMessages(broker) == 0
                        && broker.disk().largeFiles().isEmpty());
    }

    private static long waiting(TestBroker broker) {
        return broker.waiting("orders");
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(ints = {200_000, 3_000_000})
    void amqpMessageBeyondTheLimit_isRejectedAndNotLost(int length) throws Exception {
        TestBroker.Setup target = setup().property("max-message-size", "100KiB");
        try (TestBroker to = target.start();
                QueueReader arrived = new QueueReader(to).queue("orders");
                TestBroker from = bare(target, to).start();
                DiskWatch watch = new DiskWatch(to.disk(), LargeBodies.MARK)) {

            Producers.AMQP.send(from, "orders", LargeBodies.text(length));

            Awaitility.await().until(() -> to.rejected() > 0);
            assertThat(waiting(from)).isEqualTo(1);
            assertKeepsNothing(to, arrived);
            assertThat(watch.seen()).isEmpty();
        }
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void fromABrokerWithoutSignet_toAnOpenAddress_passesAsItIs(JmsClient client) throws Exception {
        TestBroker.Setup target = new TestBroker.Setup(folder);
        target.homes().policies(1);
        try (TestBroker to = target.start();
                TestBroker from = bare(target, to).start()) {

            client.send(from, "orders", Letter.largeText("an open address"));

            String text = WayIn.take(to, "orders", message -> message.getBody(String.class));
            assertThat(text.equals(Letter.largeText("an open address"))).isTrue();
            assertThat(to.sealed()).isZero();
        }
    }

    private static void bridge(Configuration configuration, TestBroker to) throws Exception {
        configuration.addConnectorConfiguration("target", to.uri());
        configuration.addQueueConfiguration(QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST));
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
