/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.Entity;

final class BodyKindIT extends OneBroker {
    private TestBroker broker;

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(1, TestHomes.privacy("orders"));
        broker = start("orders");
    }

    @Test
    void coreMessages_keepTheirKind() throws Exception {
        ConnectionFactory core = Producers.core(broker);

        assertKind(core, BodyKind.JMS_EMPTY, Session::createMessage);
        assertKind(core, BodyKind.JMS_TEXT_NULL, Session::createTextMessage);
        assertKind(core, BodyKind.JMS_TEXT, session -> session.createTextMessage(""));
        assertKind(core, BodyKind.JMS_TEXT_UTF16, session -> session.createTextMessage("\udc00"));
        assertKind(core, BodyKind.JMS_BYTES, Session::createBytesMessage);
        assertKind(core, BodyKind.JMS_MAP, session -> {
            var map = session.createMapMessage();
            map.setString("name", "value");
            return map;
        });
        assertKind(core, BodyKind.JMS_STREAM, session -> {
            var stream = session.createStreamMessage();
            stream.writeLong(42);
            return stream;
        });
        assertKind(core, BodyKind.JMS_OBJECT, session -> session.createObjectMessage("serialised"));
        assertKind(core, BodyKind.JMS_OBJECT, Session::createObjectMessage);
    }

    @Test
    void amqpMessages_keepTheirKind() throws Exception {
        ConnectionFactory amqp = Producers.amqp(broker);

        assertKind(amqp, BodyKind.JMS_TEXT, session -> session.createTextMessage("text"));
        assertKind(amqp, BodyKind.AMQP_SECTIONS, Session::createTextMessage);
        assertKind(amqp, BodyKind.JMS_BYTES, Producers.bytes(new byte[] {0, 1, -1}));
        assertKind(amqp, BodyKind.AMQP_SECTIONS, session -> {
            var map = session.createMapMessage();
            map.setString("name", "value");
            return map;
        });
        assertKind(amqp, BodyKind.AMQP_SECTIONS, session -> {
            var stream = session.createStreamMessage();
            stream.writeLong(42);
            return stream;
        });
        assertKind(amqp, BodyKind.JMS_OBJECT, session -> session.createObjectMessage("serialised"));
        assertKind(amqp, BodyKind.AMQP_SECTIONS, Session::createMessage);
    }

    private void assertKind(ConnectionFactory factory, BodyKind kind, Producers.Making making) throws Exception {
        Producers.jms(factory, "orders", making);

        assertThat(entity(broker.nextBody("orders")).bodyKind()).contains(kind);
    }

    /** Compression is for large messages, but turns some of them into small ones. */
    @Test
    void compressedCoreText_isSealedInflated() throws Exception {
        String text = "a text that compresses well ".repeat(5000);
        var compressing = new ActiveMQConnectionFactory(broker.uri() + "?compressLargeMessage=true");

        Producers.jms(compressing, "orders", session -> session.createTextMessage(text));

        Entity entity = entity(broker.nextBody("orders"));
        assertThat(entity.bodyKind()).contains(BodyKind.JMS_TEXT);
        assertThat(new String(entity.payload(), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CORE", "AMQP"})
    void headersAndProperties_stayAsTheyWere(String protocol) throws Exception {
        ConnectionFactory factory = protocol.equals("CORE") ? Producers.core(broker) : Producers.amqp(broker);
        long before = System.currentTimeMillis();
        try (var context = factory.createContext()) {
            Message message = context.createTextMessage("hello");
            message.setStringProperty("colour", "blue");
            message.setJMSType("greeting");
            context.createProducer()
                    .setPriority(7)
                    .setTimeToLive(3_600_000)
                    .setDeliveryMode(DeliveryMode.PERSISTENT)
                    .setJMSCorrelationID("correlation")
                    .setJMSReplyTo(context.createQueue("replies"))
                    .send(context.createQueue("orders"), message);
        }

        try (var context = factory.createContext();
                var consumer = context.createConsumer(context.createQueue("orders"))) {
            Message received = consumer.receive(180_000);

            assertThat(received).isInstanceOf(jakarta.jms.BytesMessage.class);
            assertThat(received.getStringProperty("colour")).isEqualTo("blue");
            assertThat(received.getJMSType()).isEqualTo("greeting");
            assertThat(received.getJMSPriority()).isEqualTo(7);
            assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(received.getJMSCorrelationID()).isEqualTo("correlation");
            assertThat(received.getJMSReplyTo())
                    .hasToString(context.createQueue("replies").toString());
            assertThat(received.getJMSExpiration()).isBetween(before + 3_500_000, before + 3_700_000);
        }
    }

    @Test
    void userPropertiesOfMqtt5_stay_whileContentTypeAndFormatAreHidden() throws Exception {
        var message = new org.eclipse.paho.mqttv5.common.MqttMessage(Producers.utf8("{}"));
        var properties = new org.eclipse.paho.mqttv5.common.packet.MqttProperties();
        properties.setContentType("application/json");
        properties.setPayloadFormat(true);
        properties.setUserProperties(List.of(new org.eclipse.paho.mqttv5.common.packet.UserProperty("colour", "blue")));
        message.setProperties(properties);

        Producers.mqtt5(broker, "orders", message);

        ClientMessage stored = broker.next("orders");
        assertThat(stored.getPropertyNames().stream().map(Object::toString))
                .doesNotContain("mqtt.content.type", "mqtt.payload.format.indicator")
                .anyMatch(name -> name.endsWith("colour"));
        Entity entity = entity(QueueReader.body(stored));
        assertThat(entity.properties())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("Payload-Format", "1");
        assertThat(entity.contentType()).isEqualTo("application/json");
    }

    private Entity entity(byte[] stored) {
        return broker.homes.open(stored, "orders").entityIfProtected().orElseThrow();
    }
}
