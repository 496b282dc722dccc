/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationAddressPolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationQueuePolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** Messages that go to another broker over AMQP: mirrored there, and fetched from there by federation. */
final class BrokerConnectionIT extends TwoBrokers {
    private static final String MIRRORED = "safe.mirrored";
    private static final String FEDERATED_QUEUE = "safe.federated.queue";
    private static final String FEDERATED_ADDRESS = "safe.federated.address";

    @Override
    void configure(Configuration configuration) {
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addLocalQueuePolicy(
                new AMQPFederationQueuePolicyElement().setName("queues").addToIncludes("#", FEDERATED_QUEUE));
        federation.addLocalAddressPolicy(
                new AMQPFederationAddressPolicyElement().setName("addresses").addToIncludes(FEDERATED_ADDRESS));
        AMQPMirrorBrokerConnectionElement mirror =
                new AMQPMirrorBrokerConnectionElement().setDurable(true).setAddressFilter(MIRRORED);
        AMQPBrokerConnectConfiguration connection =
                new AMQPBrokerConnectConfiguration(CONNECTOR, other().uri()).setRetryInterval(100);
        configuration.addAMQPConnection(connection.addFederation(federation).addMirror(mirror));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void mirror_getsWhatIsSealed(Producers producer) throws Exception {
        String queue = MIRRORED + "." + producer;
        mirroredQueue(queue);
        String text = Letter.text("a mirror by " + producer);

        producer.send(broker, queue, text);

        awaitThere(queue, 1);
        assertThat(open(take(other(), queue), queue)).isEqualTo(text);
        assertSealedOnce(queue, text);
        assertThat(other().rejected()).isZero();
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void mirror_getsALargeMessageSealed(Producers producer) throws Exception {
        String queue = MIRRORED + ".large." + producer;
        mirroredQueue(queue);
        long before = sealedByBoth();
        String text = Letter.largeText("a mirror by " + producer);

        producer.send(broker, queue, text);

        awaitThere(queue, 1);
        assertThat(openLarge(other(), queue).equals(text)).isTrue();
        assertThat(openLarge(broker, queue).equals(text)).isTrue();
        assertSealedByOneBroker(before);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void mirror_keepsMetadata(JmsClient client) throws Exception {
        String queue = MIRRORED + ".dressed." + client;
        mirroredQueue(queue);

        client.send(broker, queue, Letter.text("metadata"));

        awaitThere(queue, 1);
        Letter.assertDressed(take(other(), queue), 1);
        Letter.assertDressed(take(queue), 1);
    }

    /**
     * A queue that the other broker has too. A message that is sent at once overtakes the command that makes the queue
     * there, and is dropped for want of one: Artemis does not order the messages that its threads give to a mirror.
     */
    private void mirroredQueue(String queue) throws Exception {
        queueOnce(queue);
        awaitThere(queue, 0);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void federatedQueue_isFilledWithWhatIsSealed(JmsClient client) throws Exception {
        federateQueue();
        long before = sealedByBoth();
        client.send(other(), FEDERATED_QUEUE, Letter.text("a federated queue"));

        Message stored = take(FEDERATED_QUEUE);

        assertThat(open(stored, FEDERATED_QUEUE)).isEqualTo(Letter.text("a federated queue"));
        Letter.assertDressed(stored, 1);
        assertSealedByOneBroker(before);
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void federatedQueue_isFilledWithALargeMessage(Producers producer) throws Exception {
        federateQueue();
        long before = sealedByBoth();
        String text = Letter.largeText("a federated queue by " + producer);
        producer.send(other(), FEDERATED_QUEUE, text);
        assertNothingInClearThere();

        assertThat(openLarge(broker, FEDERATED_QUEUE).equals(text)).isTrue();

        assertSealedByOneBroker(before);
    }

    private void federateQueue() throws Exception {
        queueOnce(FEDERATED_QUEUE);
        if (other().server().locateQueue(FEDERATED_QUEUE) == null) {
            other().createQueue(FEDERATED_QUEUE);
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void federatedAddress_isFilledWithWhatIsSealed(JmsClient client) throws Exception {
        assertFederatedAddressCarries(client, Letter.text("a federated address"));
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void federatedAddress_isFilledWithALargeMessage(JmsClient client) throws Exception {
        assertFederatedAddressCarries(client, Letter.largeText("a federated address"));
    }

    private void assertFederatedAddressCarries(JmsClient client, String text) throws Exception {
        try (JMSContext context = client.factory(broker).createContext()) {
            var consumer = context.createConsumer(context.createTopic(FEDERATED_ADDRESS));
            other().awaitBound(FEDERATED_ADDRESS);
            long before = sealedByBoth();

            try (JMSContext there = client.factory(other()).createContext()) {
                there.createProducer().send(there.createTopic(FEDERATED_ADDRESS), text);
            }

            assertThat(open(consumer.receive(180_000), FEDERATED_ADDRESS).equals(text))
                    .isTrue();
            assertSealedByOneBroker(before);
        }
        Awaitility.await()
                .until(() -> !other().server().getPostOffice().isAddressBound(SimpleString.of(FEDERATED_ADDRESS)));
    }
}
