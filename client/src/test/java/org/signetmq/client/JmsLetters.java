/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.Letter.Routing;
import org.signetmq.client.TestBroker.Client;

/** Messages of the three JMS libraries. */
final class JmsLetters {
    private static final int KB = 1024;
    private static final int LARGE = 600 * KB;

    private JmsLetters() {}

    /** Makes a message, and may set up how it is sent. */
    @FunctionalInterface
    private interface Making {
        Message make(JMSContext context, JMSProducer producer) throws Exception;
    }

    static Stream<Letter> all() {
        return Stream.concat(
                Stream.of(Client.values()).flatMap(JmsLetters::of), Stream.of(compressed(), strangersNames()));
    }

    private static Stream<Letter> of(Client client) {
        Map<String, Making> all = new LinkedHashMap<>();
        bodies(all);
        headers(all, client);
        for (Kind kind : Kind.values()) {
            if (kind != Kind.EMPTY) {
                for (int size : new int[] {90 * KB, 101 * KB, LARGE}) {
                    all.put(kind + " of " + size + " bytes", (context, producer) -> kind.message(context, size));
                }
            }
        }
        all.put("text of 5 MB", (context, producer) -> Kind.TEXT.message(context, 5_000_000));
        all.put("bytes of 5 MB", (context, producer) -> Kind.BYTES.message(context, 5_000_000));
        List<Letter> letters = new ArrayList<>();
        all.forEach((name, making) -> letters.add(new Letter(
                client + " " + name, Routing.QUEUE, (broker, addresses) -> send(client, broker, addresses, making))));
        letters.add(new Letter(client + " to a topic", Routing.TOPIC, (broker, addresses) -> {
            try (JMSContext context = broker.factory(client).createContext()) {
                for (String address : addresses) {
                    context.createProducer().send(context.createTopic(address), "a text");
                }
            }
        }));
        return letters.stream();
    }

    private static void send(Client client, TestBroker broker, List<String> addresses, Making making) throws Exception {
        try (JMSContext context = broker.factory(client).createContext()) {
            for (String address : addresses) {
                JMSProducer producer = context.createProducer();
                producer.send(context.createQueue(address), making.make(context, producer));
            }
        }
    }

    private static void bodies(Map<String, Making> all) {
        all.put("text", (context, producer) -> context.createTextMessage("gr\u00fc\u00df \ud83d\ude00"));
        all.put("empty text", (context, producer) -> context.createTextMessage(""));
        all.put("text message without text", (context, producer) -> context.createTextMessage());
        all.put("bytes", (context, producer) -> Kind.BYTES.message(context, 7));
        all.put("no bytes", (context, producer) -> context.createBytesMessage());
        all.put("map of every type", (context, producer) -> everyType(context.createMapMessage()));
        all.put("empty map", (context, producer) -> context.createMapMessage());
        all.put("stream of every type", (context, producer) -> everyType(context.createStreamMessage()));
        all.put("empty stream", (context, producer) -> context.createStreamMessage());
        all.put("object", (context, producer) -> context.createObjectMessage("an object"));
        all.put("number", (context, producer) -> context.createObjectMessage(42));
        all.put("no object", (context, producer) -> context.createObjectMessage());
        all.put("message without body", (context, producer) -> context.createMessage());
    }

    private static void headers(Map<String, Making> all, Client client) {
        all.put("properties of every type", (context, producer) -> {
            Message message = context.createTextMessage("a text");
            message.setBooleanProperty("boolean", true);
            message.setByteProperty("byte", (byte) -7);
            message.setShortProperty("short", (short) -700);
            message.setIntProperty("int", -70_000);
            message.setLongProperty("long", -7_000_000_000L);
            message.setFloatProperty("float", 1.5f);
            message.setDoubleProperty("double", -2.25);
            message.setStringProperty("string", "tsch\u00fc\u00df");
            message.setObjectProperty("null", null);
            return message;
        });
        all.put("type", (context, producer) -> {
            producer.setJMSType("order");
            return context.createMapMessage();
        });
        text(all, "correlation id", (context, producer) -> producer.setJMSCorrelationID("a correlation"));
        text(all, "correlation with an id", (context, producer) -> producer.setJMSCorrelationID("ID:a-correlation"));
        all.put("correlation id in bytes", (context, producer) -> {
            Message message = context.createTextMessage("a text");
            message.setJMSCorrelationIDAsBytes("a correlation".getBytes(UTF_8));
            return message;
        });
        text(all, "reply to a queue", (context, producer) -> producer.setJMSReplyTo(context.createQueue("replies")));
        text(
                all,
                "reply to a topic",
                (context, producer) -> producer.setJMSReplyTo(context.createTopic("replies.topic")));
        text(
                all,
                "reply to a temporary queue",
                (context, producer) -> producer.setJMSReplyTo(context.createTemporaryQueue()));
        text(
                all,
                "reply to a temporary topic",
                (context, producer) -> producer.setJMSReplyTo(context.createTemporaryTopic()));
        all.put("group", (context, producer) -> {
            Message message = context.createObjectMessage("an object");
            message.setStringProperty("JMSXGroupID", "a group");
            message.setIntProperty("JMSXGroupSeq", 3);
            return message;
        });
        text(all, "time to live", (context, producer) -> producer.setTimeToLive(600_000));
        text(all, "not persistent", (context, producer) -> producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT));
        text(all, "priority", (context, producer) -> producer.setPriority(9));
        if (client != Client.OPENWIRE) { // which has no delay
            text(all, "delay", (context, producer) -> producer.setDeliveryDelay(20));
        }
    }

    /** Adds a text that is sent with some setting. */
    private static void text(Map<String, Making> all, String name, BiConsumer<JMSContext, JMSProducer> setting) {
        all.put(name, (context, producer) -> {
            setting.accept(context, producer);
            return context.createTextMessage("a text");
        });
    }

    private static Message everyType(MapMessage map) throws Exception {
        map.setBoolean("boolean", true);
        map.setByte("byte", (byte) -7);
        map.setShort("short", (short) -700);
        map.setChar("char", '\u20ac');
        map.setInt("int", -70_000);
        map.setLong("long", -7_000_000_000L);
        map.setFloat("float", 1.5f);
        map.setDouble("double", -2.25);
        map.setString("string", "tsch\u00fc\u00df");
        map.setString("null", null);
        map.setBytes("bytes", new byte[] {0, (byte) 0xff, 7});
        return map;
    }

    private static Message everyType(StreamMessage stream) throws Exception {
        stream.writeBoolean(true);
        stream.writeByte((byte) -7);
        stream.writeShort((short) -700);
        stream.writeChar('\u20ac');
        stream.writeInt(-70_000);
        stream.writeLong(-7_000_000_000L);
        stream.writeFloat(1.5f);
        stream.writeDouble(-2.25);
        stream.writeString("tsch\u00fc\u00df");
        stream.writeString(null);
        stream.writeBytes(new byte[] {0, (byte) 0xff, 7});
        return stream;
    }

    private static Letter compressed() {
        return new Letter("CORE compressed text", Routing.QUEUE, (broker, addresses) -> {
            ActiveMQConnectionFactory factory = broker.core();
            factory.setCompressLargeMessage(true);
            try (JMSContext context = factory.createContext()) {
                for (String address : addresses) {
                    context.createProducer().send(context.createQueue(address), Kind.text(LARGE));
                }
            }
        });
    }

    /** A producer uses the names that the broker itself uses for converted properties. */
    private static Letter strangersNames() {
        return new Letter("CORE names of other protocols", Routing.QUEUE, (broker, addresses) -> {
            try (JMSContext context = broker.core().createContext()) {
                for (String address : addresses) {
                    BytesMessage message = context.createBytesMessage();
                    message.writeBytes(new byte[] {1, 2});
                    message.setStringProperty("JMS_AMQP_ContentType", "text/plain");
                    message.setStringProperty("JMS_AMQP_FT_footer", "a footer");
                    message.setShortProperty("JMS_AMQP_ORIGINAL_ENCODING", (short) 2);
                    context.createProducer().send(context.createQueue(address), message);
                }
            }
        });
    }
}
