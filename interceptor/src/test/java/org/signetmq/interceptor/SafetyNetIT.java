/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.DivertConfiguration;
import org.apache.activemq.artemis.core.server.ComponentConfigurationRoutingType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

final class SafetyNetIT {
    private static final String TEXT = "words on their way through the broker ".repeat(8);
    private static final List<String> CONSUMER = List.of(TestHomes.CONSUMER);

    @TempDir
    private Path folder;

    static DivertConfiguration divert(String from, String to) {
        return new DivertConfiguration()
                .setName(from + "-to-" + to)
                .setRoutingName(from + "-to-" + to)
                .setAddress(from)
                .setForwardingAddress(to)
                .setRoutingType(ComponentConfigurationRoutingType.STRIP);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void clearMessage_divertedIntoAProtectedAddress_isSealedThere(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(divert("open", "orders")));
        PolicySet policies = setup.homes().policies(1, Policy.privacy("orders", CONSUMER));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("open").queue("orders")) {

            producer.send(broker, "open", TEXT);

            assertThat(text(broker, reader.nextBody("orders"), "orders", policies))
                    .isEqualTo(TEXT);
            assertThat(reader.poll("open")).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void sealedMessage_divertedIntoAProtectedAddress_isSealedOnce(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(divert("orders", "audit")));
        PolicySet policies = setup.homes().policies(1, Policy.privacy("orders", CONSUMER), Policy.integrity("audit"));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("audit")) {

            producer.send(broker, "orders", TEXT);
            byte[] original = reader.nextBody("orders");
            byte[] copy = reader.nextBody("audit");

            assertThat(copy).isEqualTo(original);
            assertThat(text(broker, copy, "orders", policies)).isEqualTo(TEXT);
            assertThat(broker.sealed()).isEqualTo(1);
        }
    }

    @Test
    void weakerEnvelope_divertedWhereThePolicyWantsMore_isSealedAgain() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(divert("signed", "secret")));
        PolicySet policies = setup.homes().policies(1, Policy.integrity("signed"), Policy.privacy("secret", CONSUMER));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("signed").queue("secret")) {

            Producers.CORE.send(broker, "signed", TEXT);

            byte[] inner = broker.homes
                    .open(reader.nextBody("secret"), "secret", policies)
                    .payload();
            assertThat(text(broker, inner, "signed", policies)).isEqualTo(TEXT);
        }
    }

    @Test
    void clearMessage_movedByTheManagementIntoAProtectedAddress_isSealed() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, Policy.privacy("orders", CONSUMER));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("open").queue("orders")) {
            Producers.CORE.send(broker, "open", TEXT);
            QueueControl control = broker.control("open");

            control.moveMessages(null, "orders");

            assertThat(text(broker, reader.nextBody("orders"), "orders", policies))
                    .isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void messageSealedByItsProducer_passesUnchanged(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, Policy.privacy("orders", CONSUMER));
        byte[] sealed = seal(setup.homes(), "orders", policies);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            sendBytes(producer, broker, sealed);

            assertThat(reader.nextBody("orders")).isEqualTo(sealed);
            assertThat(broker.sealed()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void envelopeOfAnotherAddress_isRejected(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, Policy.integrity("orders"), Policy.integrity("others"));
        byte[] sealed = seal(setup.homes(), "others", policies);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> sendBytes(producer, broker, sealed))
                    .hasMessageContaining("sealed for address 'others', not for 'orders'");

            assertThat(reader.poll("orders")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void forgedProperties_doNotBypassTheGate(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes()
                .policies(
                        1,
                        Policy.confidentiality("orders", CONSUMER, KeyLimits.DEFAULT),
                        EveryProtocolIT.none("elsewhere"));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            var factory = producer == Producers.CORE ? Producers.core(broker) : Producers.amqp(broker);

            Producers.jms(factory, "orders", session -> {
                var message = session.createTextMessage(TEXT);
                message.setBooleanProperty("signet_sealed", true);
                message.setStringProperty("signet_quality", "privacy");
                message.setStringProperty("_AMQ_ORIG_ADDRESS", "elsewhere");
                message.setBooleanProperty("_AMQ_OperationSucceeded", true);
                return message;
            });

            assertThat(text(broker, reader.nextBody("orders"), "orders", policies))
                    .isEqualTo(TEXT);
        }
    }

    private static byte[] seal(TestHomes homes, String address, PolicySet policies) {
        try (Sealer sealer = homes.sealer()) {
            return sealer.seal(
                    ClearMessage.of(address, ClearMessage.Body.TEXT, Producers.utf8(TEXT)),
                    policies.find(address).orElseThrow(),
                    homes.brokerIdentity());
        }
    }

    private static void sendBytes(Producers producer, TestBroker broker, byte[] bytes) throws Exception {
        var factory = producer == Producers.CORE ? Producers.core(broker) : Producers.amqp(broker);
        Producers.jms(factory, "orders", Producers.bytes(bytes));
    }

    private static String text(TestBroker broker, byte[] stored, String address, PolicySet policies) {
        return broker.homes.text(stored, address, policies);
    }
}
