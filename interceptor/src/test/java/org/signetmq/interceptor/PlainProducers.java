/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.engine.Sender;
import org.signetmq.testkit.RawAmqp;

/**
 * Clients that send messages of every kind that their protocol has, of a length, to a multicast address. They set all
 * identifiers that they can, so that two brokers get the same.
 */
enum PlainProducers {
    /** The client of Artemis's own protocol. */
    CORE((broker, address, length) -> core(broker, address, length, false)),
    /** The same, with compression of large messages. */
    CORE_COMPRESSING((broker, address, length) -> core(broker, address, length, true)),
    JMS_CORE((broker, address, length) -> jms(Producers.core(broker), address, length)),
    JMS_CORE_COMPRESSING((broker, address, length) -> {
        ActiveMQConnectionFactory factory = Producers.core(broker);
        factory.setCompressLargeMessage(true);
        return jms(factory, address, length);
    }),
    JMS_AMQP((broker, address, length) -> jms(Producers.amqp(broker), address, length)),
    /** AMQP with every section and type. */
    AMQP((broker, address, length) -> {
        try (RawAmqp client = new RawAmqp(broker.port)) {
            Sender sender = client.topicSender(address);
            List<AmqpSamples.Sample> samples = AmqpSamples.of(length);
            for (AmqpSamples.Sample sample : samples) {
                assertThat(client.send(sender, sample.encoded())).isInstanceOf(Accepted.class);
            }
            return samples.size();
        }
    }),
    STOMP((broker, address, length) -> PlainStomp.send(broker, address, length)),
    OPENWIRE((broker, address, length) -> PlainOpenWire.send(broker, address, length, false)),
    OPENWIRE_COMPRESSING((broker, address, length) -> PlainOpenWire.send(broker, address, length, true)),
    MQTT_3((broker, address, length) -> PlainMqtt3.send(broker, address, length)),
    MQTT_5((broker, address, length) -> PlainMqtt5.send(broker, address, length));

    /** A value of each type that all clients have. */
    static final Map<String, Object> PROPERTIES = Map.of(
            "boolean",
            true,
            "byte",
            (byte) -7,
            "short",
            (short) -700,
            "int",
            -70_000,
            "long",
            -7_000_000_000L,
            "float",
            1.5f,
            "double",
            -2.25,
            "string",
            "tschüß, κόσμε",
            "signet_signer",
            "written by a producer");

    private static final long DAY = TimeUnit.DAYS.toMillis(1);

    @FunctionalInterface
    private interface Sending {
        int send(TestBroker broker, String address, int length) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // the ways of sending have no state
    private final Sending sending;

    PlainProducers(Sending sending) {
        this.sending = sending;
    }

    /** Sends messages of about this length, and says how many. */
    int send(TestBroker broker, String address, int length) throws Exception {
        return sending.send(broker, address, length);
    }

    /** The management's view, without values that depend on the length of an identifier of the client. */
    List<String> comparable(List<String> managed) {
        return this == OPENWIRE || this == OPENWIRE_COMPRESSING
                ? managed.stream()
                        .map(line -> line.replaceAll("ersistent ?[sS]ize[= ](Long )?\\d+|(durable \\d+), \\d+", "$2"))
                        .toList()
                : managed;
    }

    private static int core(TestBroker broker, String address, int length, boolean compressing) throws Exception {
        try (ServerLocator locator =
                        ActiveMQClient.createServerLocator(broker.uri()).setCompressLargeMessage(compressing);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(false, false, false);
                ClientProducer producer = session.createProducer(address)) {
            byte[] types = {
                org.apache.activemq.artemis.api.core.Message.DEFAULT_TYPE,
                org.apache.activemq.artemis.api.core.Message.BYTES_TYPE,
                org.apache.activemq.artemis.api.core.Message.TEXT_TYPE,
                99
            };
            for (byte type : types) {
                ClientMessage message = dressed(session.createMessage(type, type != 99));
                if (type == org.apache.activemq.artemis.api.core.Message.TEXT_TYPE) {
                    message.getBodyBuffer().writeNullableSimpleString(SimpleString.of(LargeBodies.text(length)));
                } else {
                    message.getBodyBuffer().writeBytes(LargeBodies.text(length).getBytes(StandardCharsets.UTF_8));
                }
                producer.send(message);
            }
            ClientMessage stream =
                    dressed(session.createMessage(org.apache.activemq.artemis.api.core.Message.BYTES_TYPE, true));
            stream.setBodyInputStream(
                    new ByteArrayInputStream(LargeBodies.text(length).getBytes(StandardCharsets.UTF_8)));
            producer.send(stream);
            session.commit();
            return types.length + 1;
        }
    }

    private static ClientMessage dressed(ClientMessage message) {
        message.setTimestamp(1_600_000_000_000L);
        message.setExpiration(4_000_000_000_000L);
        message.setPriority((byte) 7);
        message.putBytesProperty("bytes", new byte[] {0, -1});
        message.putCharProperty("char", 'x');
        PROPERTIES.forEach(message::putObjectProperty);
        message.putStringProperty("null", null);
        return message;
    }

    private static int jms(ConnectionFactory factory, String address, int length) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createTopic(address))) {
            producer.setDisableMessageID(true);
            producer.setDisableMessageTimestamp(true);
            producer.setTimeToLive(DAY);
            producer.setPriority(3);
            int number = 0;
            for (Message message : messages(session, length)) {
                dress(session, message);
                producer.setDeliveryMode(number++ % 3 == 2 ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT);
                producer.send(message);
            }
            session.commit();
            return number;
        }
    }

    private static List<Message> messages(Session session, int length) throws JMSException {
        String text = LargeBodies.text(length);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var binary = session.createBytesMessage();
        binary.writeBytes(bytes);
        List<Message> all = new ArrayList<>(List.of(session.createTextMessage(text), binary));
        if (length > LONG) {
            return all;
        }
        MapMessage map = session.createMapMessage();
        map.setString("text", text);
        map.setBytes("bytes", new byte[] {1, 2});
        map.setObject("null", null);
        StreamMessage stream = session.createStreamMessage();
        stream.writeString(LargeBodies.text(length / 4));
        stream.writeLong(7);
        all.addAll(List.of(map, stream, session.createObjectMessage(text), session.createMessage()));
        return all;
    }

    /** From this length on only some kinds are sent, so that the tests end in time. */
    static final int LONG = 1_000_000;

    private static void dress(Session session, Message message) throws JMSException {
        message.setJMSCorrelationID("a correlation");
        message.setJMSType("a type");
        message.setJMSReplyTo(session.createQueue("replies"));
        message.setStringProperty("JMSXGroupID", "a group");
        message.setIntProperty("JMSXGroupSeq", 3);
        for (Map.Entry<String, Object> property : PROPERTIES.entrySet()) {
            message.setObjectProperty(property.getKey(), property.getValue());
        }
    }
}
