/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import jakarta.jms.BytesMessage;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.client.internal.body.AmqpBodies;
import org.signetmq.client.internal.body.CoreBodies;
import org.signetmq.client.internal.body.CoreBufferTest;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.testkit.Tier;

/** Every kind of body becomes a message of the type that it was sent as, on either client. */
final class BodyIT extends BrokerTest {
    private Message receive(Client client, BodyKind kind, byte[] payload, Map<String, String> properties)
            throws Exception {
        String address = address("privacy");
        var signet = SignetConnectionFactory.wrap(Objects.trusting(broker, client), keys.opener())
                .withOpenFailuresThrown();
        try (Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.CONTEXT.open(signet, address)) {
            producer.send(address, keys.seal(address, kind, payload, properties));
            return taking.take();
        }
    }

    private Message receive(Client client, BodyKind kind, byte[] payload) throws Exception {
        return receive(client, kind, payload, Map.of());
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void texts(Client client) throws Exception {
        byte[] utf8 = "gr\u00fc\u00df \ud83d\ude00".getBytes(StandardCharsets.UTF_8);
        byte[] loneSurrogate = {(byte) 0xd8, 0, 0, 'a'};

        assertThat(((TextMessage) receive(client, BodyKind.JMS_TEXT, utf8)).getText())
                .isEqualTo("gr\u00fc\u00df \ud83d\ude00");
        assertThat(((TextMessage) receive(client, BodyKind.JMS_TEXT, new byte[0])).getText())
                .isEmpty();
        assertThat(((TextMessage) receive(client, BodyKind.JMS_TEXT_NULL, new byte[0])).getText())
                .isNull();
        assertThat(((TextMessage) receive(client, BodyKind.JMS_TEXT_UTF16, loneSurrogate)).getText())
                .isEqualTo("\ud800a");
    }

    @ParameterizedTest
    @CsvSource({
        "CORE,JMS_BYTES",
        "AMQP,JMS_BYTES",
        "OPENWIRE,JMS_BYTES",
        "CORE,BYTES",
        "AMQP,BYTES",
        "CORE,MQTT",
        "AMQP,MQTT"
    })
    void bytes(Client client, BodyKind kind) throws Exception {
        byte[] payload = {0, (byte) 0xff, 0, 0, 0, 7};

        BytesMessage message = (BytesMessage) receive(client, kind, payload);

        assertThat(message.getBodyLength()).isEqualTo(6);
        assertThat(message.readByte()).isZero();
        assertThat(message.readUnsignedByte()).isEqualTo(255);
        assertThat(message.readInt()).isEqualTo(7);
        message.reset();
        assertThat(message.getBody(byte[].class)).isEqualTo(payload);
        assertThatThrownBy(() -> message.writeByte((byte) 1)).isInstanceOf(MessageNotWriteableException.class);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void maps(Client client) throws Exception {
        Map<String, Object> values = new java.util.HashMap<>(CoreBufferTest.everyValue());
        values.remove(""); // not a name that Jakarta Messaging allows

        MapMessage message = (MapMessage) receive(client, BodyKind.JMS_MAP, CoreBodies.map(values));

        assertThat(Collections.list((java.util.Enumeration<?>) message.getMapNames()).stream()
                        .map(Object::toString))
                .containsExactlyInAnyOrderElementsOf(values.keySet());
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            assertThat(message.getObject(entry.getKey())).as(entry.getKey()).isEqualTo(entry.getValue());
        }
        assertThat(message.getInt("byte")).isEqualTo(-7);
        assertThat(message.getLong("int")).isEqualTo(Integer.MAX_VALUE);
        assertThat(message.getString("double")).isEqualTo("-2.25");
        assertThat(message.getChar("char")).isEqualTo('\u20ac');
        assertThat(message.getDouble("float")).isEqualTo(1.5);
        assertThatThrownBy(() -> message.getByte("int")).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.getBoolean("int")).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setInt("int", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThat(message.itemExists("null")).isTrue();
        message.clearBody();
        message.setInt("int", 1);
        assertThat(message.getInt("int")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void streams(Client client) throws Exception {
        List<Object> items = List.of(true, (byte) 1, (short) 2, 'c', 3, 4L, 0.5f, 0.25, "text", "x".repeat(5000));

        StreamMessage message = (StreamMessage) receive(client, BodyKind.JMS_STREAM, CoreBodies.stream(items));

        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readInt()).isEqualTo(1);
        assertThat(message.readString()).isEqualTo("2");
        assertThat(message.readChar()).isEqualTo('c');
        for (Object item : items.subList(4, items.size())) {
            assertThat(message.readObject()).isEqualTo(item);
        }
        assertThatThrownBy(message::readObject).isInstanceOf(jakarta.jms.MessageEOFException.class);
        assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void emptyAndObjects(Client client) throws Exception {
        Message empty = receive(client, BodyKind.JMS_EMPTY, new byte[0]);
        Message object = receive(client, BodyKind.JMS_OBJECT, Objects.serialized(new Objects.Order("pump", 3)));

        assertThat(empty).isNotInstanceOfAny(TextMessage.class, BytesMessage.class, ObjectMessage.class);
        assertThat(empty.getStringProperty("region")).isEqualTo("eu");
        assertThat(((ObjectMessage) object).getObject()).isEqualTo(new Objects.Order("pump", 3));
        assertThatThrownBy(() -> ((ObjectMessage) object).setObject("other"))
                .isInstanceOf(MessageNotWriteableException.class);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void amqpMap_isWhatTheBrokerConvertsItTo_andAnObjectToQpid(Client client) throws Exception {
        byte[] map = AmqpBodies.sections(new AmqpValue(Map.of("answer", UnsignedInteger.valueOf(42))));

        Message annotated = receive(client, BodyKind.AMQP_SECTIONS, map, Map.of("Jms-Type", "2"));
        Message plain = receive(client, BodyKind.AMQP_SECTIONS, map);

        if (client == Client.AMQP) {
            assertThat(((MapMessage) annotated).getObject("answer")).isEqualTo(UnsignedInteger.valueOf(42));
            assertThat(((ObjectMessage) plain).getObject()).isEqualTo(Map.of("answer", UnsignedInteger.valueOf(42)));
            assertThat((Object) plain.getBody(Map.class)).isEqualTo(Map.of("answer", UnsignedInteger.valueOf(42)));
        } else {
            assertThat(((MapMessage) annotated).getInt("answer")).isEqualTo(42);
            assertThat(((MapMessage) plain).getObject("answer")).isEqualTo(42);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void amqpMapOfMaps_isAMapToQpid_andElseAnObject(Client client) throws Exception {
        byte[] nested = AmqpBodies.sections(new AmqpValue(Map.of("inner", Map.of("a", 1))));

        Message deep = receive(client, BodyKind.AMQP_SECTIONS, nested, Map.of("Jms-Type", "2"));

        if (client == Client.AMQP) {
            MapMessage message = (MapMessage) deep;
            assertThat(message.getObject("inner")).isEqualTo(Map.of("a", 1));
            assertThat(message.getString("inner")).isEqualTo("{a=1}");
            assertThat(message.itemExists("inner")).isTrue();
            assertThat((Object) message.getBody(Map.class)).isEqualTo(Map.of("inner", Map.of("a", 1)));
            assertThatThrownBy(() -> message.getInt("inner")).isInstanceOf(MessageFormatException.class);
            message.clearBody();
            assertThat(message.getMapNames().hasMoreElements()).isFalse();
        } else {
            assertThat(((ObjectMessage) deep).getObject()).isEqualTo(Map.of("inner", Map.of("a", 1)));
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(
            value = Client.class,
            names = {"CORE", "OPENWIRE"})
    void footerOfManyValues_isRestoredFast(Client client) throws Exception {
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            values.put("name" + i, new UUID(i, i));
        }
        byte[] sections = AmqpBodies.sections(4 << 20, new AmqpValue("a text"), new Footer(values));

        Message message = assertTimeout(Duration.ofMinutes(3), () -> receive(client, BodyKind.AMQP_SECTIONS, sections));

        assertThat(message.propertyExists("JMS_AMQP_ENCODED_FT_name7")).isTrue();
        assertThat(Collections.list((java.util.Enumeration<?>) message.getPropertyNames()))
                .hasSizeGreaterThan(50_000);
    }

    /** Names of the broker's own, in clear, beside an envelope that says otherwise. */
    @ParameterizedTest
    @CsvSource({"text/plain", "''"})
    void namesOfAStranger_doNotHideWhatTheEnvelopeSays(String contentType) throws Exception {
        String address = address("privacy");
        Map<String, String> properties = contentType.isEmpty() ? Map.of() : Map.of("Content-Type", contentType);
        byte[] envelope = keys.seal(address, BodyKind.MQTT, new byte[4], properties);
        try (Producer producer = new Producer(broker.factory(Client.OPENWIRE));
                Taking taking = Way.CONTEXT.open(signet(Client.CORE), address)) {
            BytesMessage forged = producer.context.createBytesMessage();
            forged.writeBytes(envelope);
            forged.setStringProperty("mqtt.content.type", "forged");
            forged.setIntProperty("mqtt.payload.format.indicator", 1);
            producer.context.createProducer().send(producer.context.createQueue(address), forged);

            Message message = taking.take();

            assertThat(message.getStringProperty("mqtt.content.type"))
                    .isEqualTo(contentType.isEmpty() ? null : contentType);
            assertThat(message.propertyExists("mqtt.payload.format.indicator")).isFalse();
            assertThat(Collections.list((java.util.Enumeration<?>) message.getPropertyNames()).stream()
                            .map(Object::toString))
                    .doesNotContain("mqtt.payload.format.indicator");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void propertyOfTheEnvelopeThatIsNoNumber_isMalformed(Client client) {
        assertFails(
                () -> receive(client, BodyKind.MQTT, new byte[4], Map.of("Payload-Format", "text")),
                MessageOpenRuntimeException.class,
                OpenFailure.MALFORMED);
    }

    @ParameterizedTest
    @CsvSource({"CORE,text/plain,true", "AMQP,application/json,true", "AMQP,image/png,false"})
    void dataOfAmqpProducer_withContentType(Client client, String contentType, boolean text) throws Exception {
        Message message = receive(
                client,
                BodyKind.JMS_BYTES,
                "abc".getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", contentType));

        assertThat(message).isInstanceOf(text ? TextMessage.class : BytesMessage.class);
    }

    @ParameterizedTest
    @CsvSource({"JMS_MAP", "JMS_TEXT_NULL", "JMS_TEXT_UTF16", "JMS_TEXT", "JMS_TEXT_CORE", "AMQP_SECTIONS", "JMS_EMPTY"
    })
    void payloadThatIsNotWhatItSays_isMalformed(BodyKind kind) {
        byte[] nonsense = {(byte) 0xc3, 0x28, 0x55};

        assertFails(
                () -> receive(Client.CORE, kind, nonsense), MessageOpenRuntimeException.class, OpenFailure.MALFORMED);
    }

    @Test
    void contentTypeOfAmqpProducer_isRestoredForCoreConsumer() throws Exception {
        String address = address("privacy");
        byte[] envelope = keys.seal(address, BodyKind.JMS_BYTES, new byte[4], Map.of("Content-Type", "image/png"));
        try (Producer producer = new Producer(broker.factory(Client.AMQP));
                Taking taking = Way.CONTEXT.open(signet(Client.CORE), address)) {
            producer.send(address, envelope);

            Message message = taking.take();

            assertThat(message.getStringProperty("JMS_AMQP_ContentType")).isEqualTo("image/png");
        }
    }
}
