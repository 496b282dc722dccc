/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

final class LargeMessageIT {
    @TempDir
    private Path folder;

    private PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    private TestBroker.Setup setup(QualityOfProtection quality) throws Exception {
        policies = LargeBodies.policies(quality);
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(policies);
        return setup;
    }

    private TestBroker broker() throws Exception {
        return setup(QualityOfProtection.PRIVACY).start();
    }

    private String opened(TestBroker broker, byte[] stored) {
        return broker.homes.text(stored, "orders", policies);
    }

    @ParameterizedTest
    @EnumSource(Producers.class)
    void messageOfEverySize_arrivesSealedOnceAndOpens(Producers producer) throws Exception {
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            int record = (int) broker.server().getStorageManager().getMaxRecordSize();
            int[] sizes = Tier.isLong()
                    ? new int[] {
                        100 << 10,
                        record - 600,
                        record - 1,
                        record,
                        record + 1,
                        501_760,
                        1 << 20,
                        (1 << 20) + 1,
                        3_000_000
                    }
                    : new int[] {100 << 10, record, (1 << 20) + 1};
            int sealed = 0;
            for (int size : sizes) {
                String text = LargeBodies.text(size);

                try (DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK)) {
                    producer.send(broker, "orders", text);
                    assertThat(watch.seen())
                            .as("while %d bytes were sent", size)
                            .isEmpty();
                }

                assertThat(broker.disk().filesWith(LargeBodies.MARK))
                        .as("%d bytes", size)
                        .isEmpty();
                assertThat(opened(broker, reader.nextBody("orders")).equals(text))
                        .as("%d bytes", size)
                        .isTrue();
                assertThat(broker.sealed()).isEqualTo(++sealed);
            }
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "MQTT_5", "STOMP_BYTES"})
    void sixtyFourMegabytes_arriveSealedAndOpen(Producers producer) throws Exception {
        String text = LargeBodies.text(64_000_000);
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            producer.send(broker, "orders", text);

            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            assertThat(opened(broker, reader.nextBody("orders")).equals(text)).isTrue();
        }
    }

    @ParameterizedTest
    @Cases({"CORE, integrity", "AMQP, confidentiality", "CORE, confidentiality", "AMQP, integrity"})
    void otherQualities_arriveSealedAndOpen(Producers producer, String label) throws Exception {
        QualityOfProtection quality = QualityOfProtection.valueOf(label.toUpperCase(Locale.ROOT));
        try (TestBroker broker = setup(quality).start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            producer.send(broker, "orders", LargeBodies.TEXT);

            OpenedMessage opened = broker.homes.open(reader.nextBody("orders"), "orders", policies);
            assertThat(opened.quality()).isEqualTo(quality);
            assertThat(new String(opened.payload(), StandardCharsets.UTF_8).equals(LargeBodies.TEXT))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void sender_isTheAuthenticatedUser(Producers producer) throws Exception {
        try (TestBroker broker = setup(QualityOfProtection.PRIVACY).secured().start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            producer.send(broker, "orders", LargeBodies.TEXT);

            Entity entity = broker.homes
                    .open(reader.nextBody("orders"), "orders", policies)
                    .entityIfProtected()
                    .orElseThrow();
            assertThat(entity.sender()).contains("alice");
        }
    }

    @Test
    void senderWithoutPermission_isRejectedBeforeAnythingIsSealed() throws Exception {
        CountingCryptoService counting = CountingCryptoService.working();
        TestBroker.Setup setup = setup(QualityOfProtection.PRIVACY).secured().plugin(new SignetPlugin(counting));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            var factory = new ActiveMQConnectionFactory(broker.uri(), "mallory", "secret");

            assertThatThrownBy(() ->
                            Producers.jms(factory, "orders", session -> session.createTextMessage(LargeBodies.TEXT)))
                    .isInstanceOf(JMSException.class);

            assertLeavesNothing(broker, reader);
            assertThat(counting.calls).hasValue(0);
        }
    }

    @Test
    void bodyInMemoryBeyondTheLimit_isRejectedAndLeavesNoFile() throws Exception {
        TestBroker.Setup setup = setup(QualityOfProtection.PRIVACY).property("max-message-size", "2MiB");
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> Producers.AMQP.send(broker, "orders", LargeBodies.text(2_200_000)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("max-message-size");
            assertLeavesNothing(broker, reader);

            Producers.AMQP.send(broker, "orders", LargeBodies.text(2_000_000));
            assertThat(opened(broker, reader.nextBody("orders"))).hasSize(2_000_000);
        }
    }

    /** A Core body comes as a stream and needs no memory. */
    @Test
    void coreBodyBeyondTheLimitInMemory_isTaken() throws Exception {
        TestBroker.Setup setup = setup(QualityOfProtection.PRIVACY).property("max-message-size", "2MiB");
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            Producers.CORE.send(broker, "orders", LargeBodies.TEXT);

            assertThat(opened(broker, reader.nextBody("orders")).equals(LargeBodies.TEXT))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void fullyQualifiedAndPrefixedAddress_isProtected(Producers producer) throws Exception {
        try (TestBroker broker = broker();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            for (String address : List.of("orders::orders", "queue://orders")) {

                producer.send(broker, address, LargeBodies.TEXT);

                assertThat(broker.disk().filesWith(LargeBodies.MARK))
                        .as(address)
                        .isEmpty();
                assertThat(opened(broker, reader.nextBody("orders")).equals(LargeBodies.TEXT))
                        .as(address)
                        .isTrue();
            }
        }
    }

    @Test
    void policyThatWantsSealedMessages_rejectsClearOnes() throws Exception {
        Policy policy =
                LargeBodies.policies(QualityOfProtection.PRIVACY).policies().get(0);
        Policy strict = LargeBodies.sealedByClients(policy);
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(1, strict);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            for (Producers producer : Producers.values()) {
                Throwable noticed = catchThrowable(() -> producer.send(broker, "orders", LargeBodies.TEXT));

                assertThat(noticed != null || producer == Producers.MQTT_5)
                        .as(producer.name())
                        .isTrue();
                assertLeavesNothing(broker, reader);
            }
        }
    }

    @Test
    void largeMessage_onAnOpenAddressDivertedIntoAProtectedOne_isSealedThere() throws Exception {
        TestBroker.Setup setup = setup(QualityOfProtection.PRIVACY)
                .with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("open", "orders")));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("open")) {

            Producers.CORE.send(broker, "open", LargeBodies.TEXT);

            assertThat(opened(broker, reader.nextBody("orders")).equals(LargeBodies.TEXT))
                    .isTrue();
            assertThat(reader.nextBody("open")).hasSizeGreaterThan(2 * LargeBodies.TEXT.length());
        }
    }

    @Test
    void withoutPersistence_isRejectedAndThePluginSaysSo() throws Exception {
        TestBroker.Setup setup =
                setup(QualityOfProtection.PRIVACY).with(configuration -> configuration.setPersistenceEnabled(false));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", LargeBodies.TEXT))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("without persistence");

            assertThat(reader.poll("orders")).isNull();
            assertThat(broker.state().largeMessages().mode()).isEqualTo(PluginStatus.LargeMessages.Mode.REFUSED);
            Producers.CORE.send(broker, "orders", "small");
            assertThat(opened(broker, reader.nextBody("orders"))).isEqualTo("small");
        }
    }

    static void assertLeavesNothing(TestBroker broker, QueueReader reader) throws Exception {
        assertThat(reader.poll("orders")).isNull();
        assertThat(broker.rejected()).isPositive();
        // files are deleted by the broker's own threads
        broker.awaitNoLargeFiles();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }
}
