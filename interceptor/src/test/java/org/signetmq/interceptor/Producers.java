/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;
import org.signetmq.testkit.Stomp;
import org.signetmq.testkit.Tier;

/** Ordinary clients that know nothing of Signet. */
public enum Producers {
    CORE((broker, address, text) -> jms(core(broker), address, session -> session.createTextMessage(text))),
    AMQP((broker, address, text) -> jms(amqp(broker), address, session -> session.createTextMessage(text))),
    MQTT_3((broker, address, text) ->
            mqtt3(broker, address, new org.eclipse.paho.client.mqttv3.MqttMessage(utf8(text)))),
    MQTT_5((broker, address, text) ->
            mqtt5(broker, address, new org.eclipse.paho.mqttv5.common.MqttMessage(utf8(text)))),
    STOMP_TEXT((broker, address, text) -> {
        try (Stomp client = Producers.stomp(broker)) {
            client.sendText(address, text);
        }
    }),
    STOMP_BYTES((broker, address, text) -> {
        try (Stomp client = Producers.stomp(broker)) {
            client.sendBytes(address, utf8(text));
        }
    }),
    OPENWIRE((broker, address, text) -> {
        OpenWire.inSession(broker, session -> {
            var producer = session.createProducer(session.createQueue(address));
            producer.send(session.createTextMessage(text));
        });
    });

    /** Makes the message to send. */
    @FunctionalInterface
    interface Making {
        Message make(Session session) throws JMSException;
    }

    @FunctionalInterface
    private interface Sending {
        void send(TestBroker broker, String address, String text) throws Exception;
    }

    @SuppressWarnings("ImmutableEnumChecker") // the ways of sending have no state
    private final Sending sending;

    Producers(Sending sending) {
        this.sending = sending;
    }

    /** Sends, and throws if the broker says no. */
    void send(TestBroker broker, String address, String text) throws Exception {
        sending.send(broker, address, text);
    }

    /** Returns one of each kind of message in the broker in the short tier, and all in the long one. */
    static Stream<Producers> few() {
        return Tier.cases(2, values());
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] deflated(byte[] body) throws IOException {
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
            out.write(body);
        }
        return deflated.toByteArray();
    }

    static ActiveMQConnectionFactory core(TestBroker broker) {
        return new ActiveMQConnectionFactory(broker.uri(), "alice", "secret");
    }

    static JmsConnectionFactory amqp(TestBroker broker) {
        return new JmsConnectionFactory("alice", "secret", "amqp://127.0.0.1:" + broker.port);
    }

    static void jms(ConnectionFactory factory, String address, Making making) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(session.createQueue(address))) {
            producer.send(making.make(session));
        }
    }

    /** Makes a message of bytes. */
    static Making bytes(byte[] body) {
        return session -> {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(body);
            return message;
        };
    }

    static void mqtt3(TestBroker broker, String topic, org.eclipse.paho.client.mqttv3.MqttMessage message)
            throws Exception {
        Mqtt3.publish(broker.uri(), Mqtt3.user("alice", "secret"), message, List.of(topic));
    }

    static void mqtt5(TestBroker broker, String topic, org.eclipse.paho.mqttv5.common.MqttMessage message)
            throws Exception {
        Mqtt5.publish(broker.uri(), Mqtt5.user("alice", "secret"), message, List.of(topic));
    }

    static Stomp stomp(TestBroker broker) throws IOException {
        return new Stomp(broker.port, "alice", "secret");
    }
}
