/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.DivertConfiguration;
import org.apache.activemq.artemis.core.server.ComponentConfigurationRoutingType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

final class SafetyNetIT extends OneBroker {
    private static final String TEXT = "words on their way through the broker ".repeat(8);
    private static final List<String> CONSUMER = List.of(TestHomes.CONSUMER);

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
        setup.with(configuration -> configuration.addDivertConfiguration(divert("open", "orders")));
        homes.policies(1, Policy.privacy("orders", CONSUMER));
        TestBroker broker = start("open", "orders");

        producer.send(broker, "open", TEXT);

        broker.assertNext("orders", TEXT);
        assertThat(broker.poll("open")).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void sealedMessage_divertedIntoAProtectedAddress_isSealedOnce(Producers producer) throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(divert("orders", "audit")));
        PolicySet policies = homes.policies(1, Policy.privacy("orders", CONSUMER), Policy.integrity("audit"));
        TestBroker broker = start("orders", "audit");

        producer.send(broker, "orders", TEXT);
        byte[] original = broker.nextBody("orders");
        byte[] copy = broker.nextBody("audit");

        assertThat(copy).isEqualTo(original);
        assertThat(text(broker, copy, "orders", policies)).isEqualTo(TEXT);
        assertThat(broker.sealed()).isEqualTo(1);
    }

    @Test
    void weakerEnvelope_divertedWhereThePolicyWantsMore_isSealedAgain() throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(divert("signed", "secret")));
        PolicySet policies = homes.policies(1, Policy.integrity("signed"), Policy.privacy("secret", CONSUMER));
        TestBroker broker = start("signed", "secret");

        Producers.CORE.send(broker, "signed", TEXT);

        byte[] inner =
                broker.homes.open(broker.nextBody("secret"), "secret", policies).payload();
        assertThat(text(broker, inner, "signed", policies)).isEqualTo(TEXT);
    }

    @Test
    void clearMessage_movedByTheManagementIntoAProtectedAddress_isSealed() throws Exception {
        homes.policies(1, Policy.privacy("orders", CONSUMER));
        TestBroker broker = start("open", "orders");
        Producers.CORE.send(broker, "open", TEXT);
        QueueControl control = broker.control("open");

        control.moveMessages(null, "orders");

        broker.assertNext("orders", TEXT);
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void messageSealedByItsProducer_passesUnchanged(Producers producer) throws Exception {
        PolicySet policies = homes.policies(1, Policy.privacy("orders", CONSUMER));
        byte[] sealed = seal(homes, "orders", policies);
        TestBroker broker = start("orders");

        sendBytes(producer, broker, sealed);

        assertThat(broker.nextBody("orders")).isEqualTo(sealed);
        assertThat(broker.sealed()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void envelopeOfAnotherAddress_isRejected(Producers producer) throws Exception {
        PolicySet policies = homes.policies(1, Policy.integrity("orders"), Policy.integrity("others"));
        byte[] sealed = seal(homes, "others", policies);
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> sendBytes(producer, broker, sealed))
                .hasMessageContaining("sealed for address 'others', not for 'orders'");

        assertThat(broker.poll("orders")).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void forgedProperties_doNotBypassTheGate(Producers producer) throws Exception {
        homes.policies(
                1, Policy.confidentiality("orders", CONSUMER, KeyLimits.DEFAULT), EveryProtocolIT.none("elsewhere"));
        TestBroker broker = start("orders");
        var factory = producer == Producers.CORE ? Producers.core(broker) : Producers.amqp(broker);

        Producers.jms(factory, "orders", session -> {
            var message = session.createTextMessage(TEXT);
            message.setBooleanProperty("signet_sealed", true);
            message.setStringProperty("signet_quality", "privacy");
            message.setStringProperty("_AMQ_ORIG_ADDRESS", "elsewhere");
            message.setBooleanProperty("_AMQ_OperationSucceeded", true);
            return message;
        });

        broker.assertNext("orders", TEXT);
    }

    private static byte[] seal(TestHomes homes, String address, PolicySet policies) {
        ClearMessage message = ClearMessage.of(address, ClearMessage.Body.TEXT, Producers.utf8(TEXT));
        return homes.sealed(message, policies, homes.brokerIdentity());
    }

    private static void sendBytes(Producers producer, TestBroker broker, byte[] bytes) throws Exception {
        var factory = producer == Producers.CORE ? Producers.core(broker) : Producers.amqp(broker);
        Producers.jms(factory, "orders", Producers.bytes(bytes));
    }

    private static String text(TestBroker broker, byte[] stored, String address, PolicySet policies) {
        return broker.homes.text(stored, address, policies);
    }
}
