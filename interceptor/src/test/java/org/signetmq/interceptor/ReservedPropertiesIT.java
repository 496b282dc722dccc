/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.spi.core.protocol.EmbedMessageUtil;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Mqtt5;
import org.signetmq.testkit.Stomp;
import org.signetmq.testkit.Tier;

/**
 * No selector on a protected address sees a producer's values under names that begin with {@code JMS_Signet_} or
 * {@code signet_}.
 */
final class ReservedPropertiesIT extends WayIn {
    private static final List<String> NAMES = List.of(
            "signet_sender", "signet_quality", "Signet_Signer", "SIGNET_x", "JMS_Signet_Sender", "jms_SIGNET_Quality");
    private static final String FORGED = "signet_sender = 'root' OR signet_quality IS NOT NULL"
            + " OR Signet_Signer IS NOT NULL OR SIGNET_x IS NOT NULL"
            + " OR JMS_Signet_Sender = 'root' OR jms_SIGNET_Quality IS NOT NULL";

    @Override
    void configure(Configuration configuration) throws Exception {
        configuration.addDivertConfiguration(SafetyNetIT.divert("open.diverted", "safe.from-divert"));
    }

    private static <M extends Message> M forged(M message) throws JMSException {
        for (String name : NAMES) {
            message.setStringProperty(name, "root");
        }
        message.setStringProperty("colour", "blue");
        message.setIntProperty("signetless", 3);
        return message;
    }

    /** A queue that takes only messages with a forged property, beside one that takes all. */
    private String forgedQueue(String address) throws Exception {
        String name = address + "-forged";
        broker.server()
                .createQueue(QueueConfiguration.of(name)
                        .setAddress(address)
                        .setFilterString(FORGED)
                        .setRoutingType(RoutingType.ANYCAST));
        return name;
    }

    /** The message is stored without the names, its other properties are kept, and it opens. */
    private void assertNoneLeft(String address, String text) throws Exception {
        awaitWaiting(address, 1);
        QueueControl control = broker.control(address);
        assertThat(control.countMessages(FORGED)).isZero();
        try (JMSContext context = Producers.core(broker).createContext();
                JMSConsumer selecting = context.createConsumer(context.createQueue(address), FORGED)) {
            assertThat(selecting.receive(50)).isNull();
        }
        try (JMSContext context = Producers.amqp(broker).createContext();
                JMSConsumer selecting = context.createConsumer(context.createQueue(address), FORGED)) {
            assertThat(selecting.receive(50)).isNull();
        }
        take(broker, address, stored -> {
            assertThat(Collections.list((Enumeration<?>) stored.getPropertyNames()))
                    .noneMatch(name -> ProducerProperties.isReserved((String) name));
            assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
            assertThat(open(stored, address).equals(text)).isTrue();
            return text;
        });
    }

    static Stream<Arguments> clientsAndWords() {
        return Tier.cases(
                1,
                Arguments.of(JmsClient.CORE, 10),
                Arguments.of(JmsClient.AMQP, 10_000),
                Arguments.of(JmsClient.AMQP, 10),
                Arguments.of(JmsClient.CORE, 10_000));
    }

    static Stream<Integer> words() {
        return Tier.cases(1, 10, 10_000);
    }

    @ParameterizedTest
    @MethodSource("clientsAndWords")
    void messageByJms_smallAndLarge_losesThem(JmsClient client, int words) throws Exception {
        String address = safeQueue();
        String text = Letter.text("by " + client).repeat(words);

        Producers.jms(client.factory(broker), address, session -> forged(session.createTextMessage(text)));

        assertNoneLeft(address, text);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void everyBodyOfAmqpAndCore_keepsItsOtherProperties(JmsClient client) throws Exception {
        String address = safeQueue();

        Producers.jms(client.factory(broker), address, session -> {
            var map = forged(session.createMapMessage());
            map.setString("a", Letter.MARK);
            return map;
        });

        Message stored = take(address);
        assertThat(stored.propertyExists("signet_sender")).isFalse();
        assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void queueWithAFilter_getsNone() throws Exception {
        String address = safeAddress();
        String forged = forgedQueue(address);

        for (JmsClient client : JmsClient.values()) {
            Producers.jms(client.factory(broker), address, session -> forged(session.createTextMessage("text")));
        }

        assertThat(waiting(forged)).isZero();
    }

    @ParameterizedTest
    @MethodSource("words")
    void messageByOpenWire_losesThem(int words) throws Exception {
        String address = safeQueue();
        String text = Letter.text("by OpenWire").repeat(words);

        OpenWire.inSession(broker, session -> {
            var message = session.createTextMessage(text);
            for (String name : NAMES) {
                message.setStringProperty(name, "root");
            }
            message.setStringProperty("colour", "blue");
            session.createProducer(session.createQueue(address)).send(message);
        });

        assertNoneLeft(address, text);
    }

    @ParameterizedTest
    @MethodSource("words")
    void messageByStomp_losesThem(int words) throws Exception {
        String address = safeQueue();
        String text = Letter.text("by STOMP").repeat(words);

        try (Stomp client = Producers.stomp(broker)) {
            client.sendText(address + "\ncolour:blue\n" + String.join(":root\n", NAMES) + ":root", text);
        }

        assertNoneLeft(address, text);
    }

    @ParameterizedTest
    @MethodSource("words")
    void userPropertiesOfMqtt5_loseThem_andKeepTheirOrder(int words) throws Exception {
        String address = safeAddress();
        byte[] payload = Producers.utf8(Letter.text("by MQTT 5").repeat(words));
        MqttMessage message = new MqttMessage(payload, 1, false, new MqttProperties());
        List<UserProperty> sent = new ArrayList<>();
        sent.add(new UserProperty("signet_quality", "privacy"));
        sent.add(new UserProperty("colour", "blue"));
        sent.add(new UserProperty("Signet_Sender", "root"));
        sent.add(new UserProperty("JMS_Signet_Sender", "root"));
        sent.add(new UserProperty("a.b", "dots"));
        sent.add(new UserProperty("colour", "green"));
        message.getProperties().setUserProperties(sent);

        MqttMessage taken = throughMqtt(address, message);

        assertThat(taken.getProperties().getUserProperties())
                .extracting(property -> property.getKey() + "=" + property.getValue())
                .containsExactly("colour=blue", "a.b=dots", "colour=green");
        assertThat(open(taken.getPayload(), address)).isEqualTo(new String(payload, StandardCharsets.UTF_8));
    }

    @Test
    void userPropertiesOfMqtt5_thatAreAllReserved_areGone() throws Exception {
        String address = safeAddress();
        MqttMessage message = new MqttMessage(Producers.utf8("text"), 1, false, new MqttProperties());
        message.getProperties().setUserProperties(List.of(new UserProperty("signet_sender", "root")));

        assertThat(throughMqtt(address, message).getProperties().getUserProperties())
                .isEmpty();
    }

    private MqttMessage throughMqtt(String address, MqttMessage message) throws Exception {
        BlockingQueue<MqttMessage> taken = new ArrayBlockingQueue<>(1);
        MqttClient client = Mqtt5.connect(broker.uri(), "taker5", new MqttConnectionOptions());
        try {
            Mqtt5.subscribe(client, address, (topic, arrived) -> taken.add(arrived));
            Producers.mqtt5(broker, address, message);
            return Objects.requireNonNull(taken.poll(3, TimeUnit.MINUTES));
        } finally {
            Mqtt5.end(client);
        }
    }

    /** A producer that seals can write properties too: they are outside the envelope. */
    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void envelopeOfTheProducer_losesThem_andStaysAsItIs(JmsClient client) throws Exception {
        String address = safeQueue();
        PolicySet policies = PolicyFile.read(setup.homes().broker.policies(), PartyValidator.acceptAll());
        byte[] envelope = setup.homes()
                .sealed(
                        ClearMessage.of(address, ClearMessage.Body.TEXT, Producers.utf8("sealed before")),
                        policies,
                        setup.homes().brokerIdentity());
        Producers.jms(client.factory(broker), address, session -> {
            var message = forged(session.createBytesMessage());
            message.writeBytes(envelope);
            return message;
        });

        assertThat(sealed()).isZero();
        assertNoneLeft(address, "sealed before");
    }

    /** The broker stores an AMQP message that a Core client embedded as the AMQP message that it is. */
    @Test
    void amqpMessageWithinACoreMessage_losesThem_whereverTheyStand() throws Exception {
        String address = safeQueue();
        MessageImpl proton = new MessageImpl();
        proton.setAddress(address);
        proton.setBody(new AmqpValue("text"));
        Map<String, Object> properties = new HashMap<>(Map.of("signet_sender", "root", "colour", "blue"));
        proton.setApplicationProperties(new ApplicationProperties(properties));
        proton.setMessageAnnotations(
                new MessageAnnotations(new HashMap<>(Map.of(Symbol.valueOf("signet_quality"), "privacy"))));
        byte[] bytes = new byte[1024];
        byte[] encoded = Arrays.copyOf(bytes, proton.encode(bytes, 0, bytes.length));
        AMQPStandardMessage embedded = new AMQPStandardMessage(0, encoded, null);
        embedded.createExtraProperties().putSimpleStringProperty(SimpleString.of("SIGNET_x"), SimpleString.of("root"));
        embedded.setAddress(address);
        ActiveMQBuffer carried = EmbedMessageUtil.embedAsCoreMessage(embedded).getReadOnlyBodyBuffer();
        byte[] body = new byte[carried.readableBytes()];
        carried.readBytes(body);

        var session = broker.reader().session();
        try (var producer = session.createProducer(address)) {
            var carrier = session.createMessage(org.apache.activemq.artemis.api.core.Message.EMBEDDED_TYPE, true);
            carrier.getBodyBuffer().writeBytes(body);
            producer.send(carrier);
        }

        QueueControl control = broker.control(address);
        assertThat(control.countMessages("\"m.signet_quality\" IS NOT NULL")).isZero();
        assertNoneLeft(address, "text");
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void clearMessageFromADivert_losesThem_andTheOpenAddressKeepsThem(JmsClient client) throws Exception {
        queueOnce("open.diverted");
        queueOnce("safe.from-divert");

        Producers.jms(client.factory(broker), "open.diverted", session -> forged(session.createTextMessage("text")));

        assertNoneLeft("safe.from-divert", "text");
        Message untouched = take("open.diverted");
        assertThat(untouched.getStringProperty("signet_sender")).isEqualTo("root");
        assertThat(untouched.getStringProperty("Signet_Signer")).isEqualTo("root");
    }

    @Test
    void messageOfTheManagement_losesThem() throws Exception {
        String address = safeQueue();
        QueueControl control = broker.control(address);

        control.sendMessage(
                Map.of("signet_sender", "root", "colour", "blue"),
                org.apache.activemq.artemis.api.core.Message.TEXT_TYPE,
                "text",
                true,
                "user",
                "password");

        assertNoneLeft(address, "text");
    }
}
