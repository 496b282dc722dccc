/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.message.BodyKind;

/** On any way of consuming, a consumer gets the message as the producer sent it. */
final class ConsumptionIT extends BrokerTest {
    static Stream<Arguments> waysAndClients() {
        return Stream.of(Way.values())
                .flatMap(way -> Client.oneOrAll().filter(way::isOf).map(client -> Arguments.of(way, client)));
    }

    @ParameterizedTest
    @MethodSource("waysAndClients")
    void sealedMessage_takenAnyWay_isAsItWasSent(Way way, Client client) throws Exception {
        String address = address("privacy");
        try (Taking taking = way.open(signet(client), address);
                Producer producer = new Producer(broker.factory(client))) {
            var destination =
                    way.topic() ? producer.context.createTopic(address) : producer.context.createQueue(address);
            producer.send(destination, keys.sealText(address, "a secret"));

            Message message = taking.take();

            assertAsSent(message, address);
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            taking.done(message);
            if (!way.topic()) {
                awaitMessages(address, 0);
            }
        }
    }

    private static void assertAsSent(Message message, String address) throws Exception {
        assertThat(message).isInstanceOf(TextMessage.class);
        assertThat(((TextMessage) message).getText()).isEqualTo("a secret");
        assertThat(message.getBody(String.class)).isEqualTo("a secret");
        assertThat(message.isBodyAssignableTo(String.class)).isTrue();
        assertThat(message.getStringProperty("region")).isEqualTo("eu");
        assertThat(message.getIntProperty("weight")).isEqualTo(7);
        assertThat(message.getStringProperty("JMS_Signet_Quality")).isEqualTo("privacy");
        assertThat(message.getStringProperty("JMS_Signet_Signer")).isEqualTo(Keys.SIGNER);
        assertThat(message.getObjectProperty("JMS_Signet_Sender")).isEqualTo(Keys.SENDER);
        assertThat(message.propertyExists("JMS_Signet_Signer")).isTrue();
        assertThat(Collections.list((Enumeration<?>) message.getPropertyNames()).stream()
                        .map(Object::toString))
                .contains("region", "weight", "JMS_Signet_Quality", "JMS_Signet_Signer", "JMS_Signet_Sender")
                .doesNotHaveDuplicates();
        assertThat(message.getJMSCorrelationID()).isEqualTo("correlation-1");
        assertThat(message.getJMSType()).isEqualTo("order");
        assertThat(message.getJMSPriority()).isEqualTo(6);
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSExpiration()).isGreaterThan(message.getJMSTimestamp());
        assertThat(message.getJMSTimestamp()).isPositive();
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(((Queue) message.getJMSReplyTo()).getQueueName()).isEqualTo("replies");
        assertThat(message.getJMSDestination().toString()).contains(address);
        assertThat(message.toString()).doesNotContain("a secret");
        assertThatThrownBy(() -> ((TextMessage) message).setText("other"))
                .isInstanceOf(MessageNotWriteableException.class);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void browser_sealedMessage_showsItAndLeavesIt(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            producer.send(address, keys.sealText(address, "a secret"));

            Enumeration<?> shown =
                    context.createBrowser(context.createQueue(address)).getEnumeration();

            assertThat(shown.hasMoreElements()).isTrue();
            assertAsSent((Message) shown.nextElement(), address);
            assertThat(shown.hasMoreElements()).isFalse();
            assertThat(broker.messages(address)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void receiveBody_sealedMessage_givesBody(Client client) throws Exception {
        String address = address("confidential");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext();
                var consumer = context.createConsumer(context.createQueue(address))) {
            producer.send(
                    address,
                    keys.sealText(address, "one"),
                    keys.sealText(address, "two"),
                    keys.sealText(address, "three"));

            assertThat(consumer.receiveBody(String.class)).isEqualTo("one");
            assertThat(consumer.receiveBody(Object.class, Taking.PATIENCE)).isEqualTo("two");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(consumer.receiveBodyNoWait(CharSequence.class))
                            .isEqualTo("three"));

            awaitMessages(address, 0);
            assertThat(consumer.receiveBody(String.class, 50)).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"integrity,CORE", "integrity,AMQP", "integrity,OPENWIRE", "confidential,CORE", "confidential,AMQP"})
    void otherQualities_areNamedInProperties(String quality, Client client) throws Exception {
        String address = address(quality);
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(signet(client), address);
                Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "a secret"));

            Message message = taking.take();

            boolean signed = quality.equals("integrity");
            assertThat(message.getStringProperty("JMS_Signet_Quality")).startsWith(quality);
            assertThat(message.getStringProperty("JMS_Signet_Signer")).isEqualTo(signed ? Keys.SIGNER : null);
            assertThat(message.propertyExists("JMS_Signet_Signer")).isEqualTo(signed);
            assertThat(message.getStringProperty("JMS_Signet_Sender"))
                    .as("under confidentiality nothing proves it")
                    .isEqualTo(signed ? Keys.SENDER : null);
            assertThat(names(message).contains("JMS_Signet_Sender")).isEqualTo(signed);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void forgedSignetProperties_onUnprotectedMessage_areNotSeen(Client client) throws Exception {
        String address = address("unprotected");
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(signet(client), address);
                Producer producer = new Producer(broker.factory(client))) {
            producer.context
                    .createProducer()
                    .setProperty("JMS_Signet_Quality", "privacy")
                    .setProperty("JMS_Signet_Signer", "CN=mallory")
                    .setProperty("JMS_Signet_Sender", "root")
                    .setProperty("JMS_Signet_Address", "elsewhere")
                    .setProperty("JMS_Signet_later", "anything")
                    .setProperty("signet_quality", "privacy")
                    .setProperty("Signet_Sender", "root")
                    .setProperty("jms_signet_sender", "root")
                    .setProperty("colour", "blue")
                    .send(producer.context.createQueue(address), "plain");

            Message message = taking.take();

            assertThat(message.getBody(String.class)).isEqualTo("plain");
            assertThat(message.propertyExists("JMS_Signet_Quality")).isFalse();
            assertThat(message.getStringProperty("JMS_Signet_Signer")).isNull();
            assertThat(message.propertyExists("JMS_Signet_Sender")).isFalse();
            assertThat(message.getObjectProperty("JMS_Signet_later")).isNull();
            assertThat(message.getStringProperty("Signet_Sender")).isNull();
            assertThat(message.getStringProperty("colour")).isEqualTo("blue");
            assertThat(names(message))
                    .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("signet_"));
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void forgedSignetProperties_onAMessageThatDoesNotOpen_areNotSeen(Client client) throws Exception {
        String address = address("privacy");
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(throwing(client), address);
                Producer producer = new Producer(broker.factory(client))) {
            producer.context
                    .createProducer()
                    .setProperty("JMS_Signet_Sender", "root")
                    .setProperty("colour", "blue")
                    .send(producer.context.createQueue(address), "plain");

            MessageOpenException rejected = catchThrowableOfType(MessageOpenException.class, taking::take);

            Message arrived = rejected.arrived().orElseThrow();
            assertThat(arrived.getStringProperty("colour")).isEqualTo("blue");
            assertThat(arrived.propertyExists("JMS_Signet_Sender")).isFalse();
            assertThat(names(arrived)).doesNotContain("JMS_Signet_Sender");
        }
    }

    private static List<String> names(Message message) throws Exception {
        List<String> names = new ArrayList<>();
        Collections.list((Enumeration<?>) message.getPropertyNames()).forEach(name -> names.add((String) name));
        return names;
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void unprotectedMessage_whereTolerated_isHandedOnAsItIs(Client client) throws Exception {
        String address = address("tolerant");
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(signet(client), address);
                Producer producer = new Producer(broker.factory(client))) {
            producer.context
                    .createProducer()
                    .send(producer.context.createQueue(address), java.util.Map.of("answer", (Object) 42));

            Message message = taking.take();

            assertThat(message).isInstanceOf(jakarta.jms.MapMessage.class);
            assertThat(((jakarta.jms.MapMessage) message).getInt("answer")).isEqualTo(42);
            assertThat(message.getStringProperty("JMS_Signet_Quality")).isEqualTo("none");
        }
    }

    @Test
    void fullyQualifiedQueue_opensForItsAddress() throws Exception {
        String address = address("privacy");
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(signet(Client.CORE), address + "::other-name");
                Producer producer = new Producer(broker.core())) {
            producer.send(address, keys.sealText(address, "a secret"));

            assertThat(taking.take().getBody(String.class)).isEqualTo("a secret");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void wildcardConsumer_opensForTheAddressOfEachMessage(Client client) throws Exception {
        String address = address("privacy") + ".west";
        String pattern = address.replace(".west", ".*");
        try (Taking taking = Way.TOPIC.open(signet(client), pattern);
                Producer producer = new Producer(broker.factory(client))) {
            producer.send(producer.context.createTopic(address), keys.sealText(address, "a secret"));

            assertThat(taking.take().getBody(String.class)).isEqualTo("a secret");
        }
    }

    /** The client library has no address for it, so the one that is sealed in counts. */
    @Test
    void wildcardConsumer_amqpMessageWithoutTo_opensForTheSealedAddress() throws Exception {
        String address = address("privacy") + ".west";
        String pattern = address.replace(".west", ".*");
        try (Taking taking = Way.TOPIC.open(signet(Client.AMQP), pattern)) {
            broker.putAmqpWithoutTo(address, keys.sealText(address, "a secret"));
            broker.putAmqpWithoutTo(address, keys.sealLarge(address, BodyKind.JMS_TEXT, "large".getBytes(UTF_8)));

            assertThat(taking.take().getBody(String.class)).isEqualTo("a secret");
            assertThat(taking.take().getBody(String.class)).isEqualTo("large");
        }
    }

    @Test
    void wildcardConsumer_amqpMessageWithoutTo_sealedForAnAddressNotAskedFor_isRejected() throws Exception {
        String address = address("privacy") + ".west";
        try (Taking taking = Way.TOPIC.open(throwing(Client.AMQP), address.replace(".west", ".*"))) {
            broker.putAmqpWithoutTo(address, keys.sealText(address("privacy"), "from elsewhere"));

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThatThrownBy(taking::take)
                        .isInstanceOf(MessageOpenException.class)
                        .hasMessageContaining("sealed for another address");
            }
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void sessionMode_isWhatTheApplicationAskedFor(Client client) throws Exception {
        try (var connection = signet(client).createConnection();
                JMSContext context = signet(client).createContext()) {
            assertThat(connection.createSession().getAcknowledgeMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
            assertThat(connection
                            .createSession(false, JMSContext.DUPS_OK_ACKNOWLEDGE)
                            .getAcknowledgeMode())
                    .isEqualTo(JMSContext.DUPS_OK_ACKNOWLEDGE);
            assertThat(connection
                            .createSession(true, JMSContext.AUTO_ACKNOWLEDGE)
                            .getTransacted())
                    .isTrue();
            assertThat(context.getSessionMode()).isEqualTo(JMSContext.AUTO_ACKNOWLEDGE);
            assertThat(context.createContext(JMSContext.CLIENT_ACKNOWLEDGE).getSessionMode())
                    .isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void getMessageListener_givesTheApplicationsOwn(Client client) throws Exception {
        jakarta.jms.MessageListener listener = message -> {};
        try (var connection = signet(client).createConnection();
                JMSContext context = signet(client).createContext()) {
            var session = connection.createSession();
            var consumer = session.createConsumer(session.createQueue(address("privacy")));
            var jmsConsumer = context.createConsumer(context.createQueue(address("privacy")));

            consumer.setMessageListener(listener);
            jmsConsumer.setMessageListener(listener);

            assertThat(consumer.getMessageListener()).isSameAs(listener);
            assertThat(jmsConsumer.getMessageListener()).isSameAs(listener);
        }
    }
}
