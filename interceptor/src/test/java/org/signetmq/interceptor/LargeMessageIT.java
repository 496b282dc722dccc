/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.JMSException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

final class LargeMessageIT extends OneBroker {
    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
    }

    @ParameterizedTest
    @EnumSource(Producers.class)
    void messageOfEverySize_arrivesSealedOnceAndOpens(Producers producer) throws Exception {
        TestBroker broker = start("orders");
        int record = (int) broker.server().getStorageManager().getMaxRecordSize();
        int[] sizes = Tier.isLong()
                ? new int[] {
                    100 << 10, record - 600, record - 1, record, record + 1, 501_760, 1 << 20, (1 << 20) + 1, 3_000_000
                }
                : new int[] {100 << 10, record, (1 << 20) + 1};
        int sealed = 0;
        for (int size : sizes) {
            String text = LargeBodies.text(size);

            try (DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK)) {
                producer.send(broker, "orders", text);
                assertThat(watch.seen()).as("while %d bytes were sent", size).isEmpty();
            }

            assertThat(broker.disk().filesWith(LargeBodies.MARK))
                    .as("%d bytes", size)
                    .isEmpty();
            broker.assertNext("orders", text);
            assertThat(broker.sealed()).isEqualTo(++sealed);
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "MQTT_5", "STOMP_BYTES"})
    void sixtyFourMegabytes_arriveSealedAndOpen(Producers producer) throws Exception {
        String text = LargeBodies.text(64_000_000);
        TestBroker broker = start("orders");
        producer.send(broker, "orders", text);

        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        broker.assertNext("orders", text);
    }

    @ParameterizedTest
    @Cases({"CORE, integrity", "AMQP, confidentiality", "CORE, confidentiality", "AMQP, integrity"})
    void otherQualities_arriveSealedAndOpen(Producers producer, String label) throws Exception {
        QualityOfProtection quality = QualityOfProtection.valueOf(label.toUpperCase(Locale.ROOT));
        homes.policies(LargeBodies.policies(quality));
        TestBroker broker = start("orders");

        producer.send(broker, "orders", LargeBodies.TEXT);

        OpenedMessage opened = broker.homes.open(broker.nextBody("orders"), "orders");
        assertThat(opened.quality()).isEqualTo(quality);
        assertThat(new String(opened.payload(), StandardCharsets.UTF_8).equals(LargeBodies.TEXT))
                .isTrue();
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void sender_isTheAuthenticatedUser(Producers producer) throws Exception {
        TestBroker broker = start(setup.secured(), "orders");

        producer.send(broker, "orders", LargeBodies.TEXT);

        Entity entity = broker.homes
                .open(broker.nextBody("orders"), "orders")
                .entityIfProtected()
                .orElseThrow();
        assertThat(entity.sender()).contains("alice");
    }

    @Test
    void senderWithoutPermission_isRejectedBeforeAnythingIsSealed() throws Exception {
        CountingCryptoService counting = CountingCryptoService.working();
        setup.secured().plugin(new SignetPlugin(counting));
        TestBroker broker = start("orders");
        var factory = new ActiveMQConnectionFactory(broker.uri(), "mallory", "secret");

        assertThatThrownBy(
                        () -> Producers.jms(factory, "orders", session -> session.createTextMessage(LargeBodies.TEXT)))
                .isInstanceOf(JMSException.class);

        assertLeavesNothing(broker);
        assertThat(counting.calls).hasValue(0);
    }

    @Test
    void bodyInMemoryBeyondTheLimit_isRejectedAndLeavesNoFile() throws Exception {
        setup.property("max-message-size", "1MiB");
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> Producers.AMQP.send(broker, "orders", LargeBodies.text(1_100_000)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("max-message-size");
        assertLeavesNothing(broker);

        Producers.AMQP.send(broker, "orders", LargeBodies.text(1_000_000));
        assertThat(broker.nextText("orders")).hasSize(1_000_000);
    }

    /** A Core body comes as a stream and needs no memory. */
    @Test
    void coreBodyBeyondTheLimitInMemory_isTaken() throws Exception {
        setup.property("max-message-size", "1MiB");
        TestBroker broker = start("orders");

        Producers.CORE.send(broker, "orders", LargeBodies.TEXT);

        broker.assertNext("orders", LargeBodies.TEXT);
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void fullyQualifiedAndPrefixedAddress_isProtected(Producers producer) throws Exception {
        TestBroker broker = start("orders");
        for (String address : List.of("orders::orders", "queue://orders")) {

            producer.send(broker, address, LargeBodies.TEXT);

            assertThat(broker.disk().filesWith(LargeBodies.MARK)).as(address).isEmpty();
            broker.assertNext("orders", LargeBodies.TEXT);
        }
    }

    @Test
    void policyThatWantsSealedMessages_rejectsClearOnes() throws Exception {
        Policy policy =
                LargeBodies.policies(QualityOfProtection.PRIVACY).policies().get(0);
        Policy strict = LargeBodies.sealedByClients(policy);
        homes.policies(1, strict);
        TestBroker broker = start("orders");

        for (Producers producer : Producers.values()) {
            Throwable noticed = catchThrowable(() -> producer.send(broker, "orders", LargeBodies.TEXT));

            assertThat(noticed != null || producer == Producers.MQTT_5)
                    .as(producer.name())
                    .isTrue();
            assertLeavesNothing(broker);
        }
    }

    @Test
    void largeMessage_onAnOpenAddressDivertedIntoAProtectedOne_isSealedThere() throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("open", "orders")));
        TestBroker broker = start("orders", "open");

        Producers.CORE.send(broker, "open", LargeBodies.TEXT);

        broker.assertNext("orders", LargeBodies.TEXT);
        assertThat(broker.nextBody("open")).hasSizeGreaterThan(2 * LargeBodies.TEXT.length());
    }

    @Test
    void withoutPersistence_isRejectedAndThePluginSaysSo() throws Exception {
        setup.with(configuration -> configuration.setPersistenceEnabled(false));
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", LargeBodies.TEXT))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("without persistence");

        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.state().largeMessages().mode()).isEqualTo(PluginStatus.LargeMessages.Mode.REFUSED);
        Producers.CORE.send(broker, "orders", "small");
        broker.assertNext("orders", "small");
    }

    static void assertLeavesNothing(TestBroker broker) throws Exception {
        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.rejected()).isPositive();
        // files are deleted by the broker's own threads
        broker.awaitNoLargeFiles();
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }
}
