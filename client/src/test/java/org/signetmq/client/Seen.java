/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All that an application sees of a message, as texts: its interface, its body, its headers and its properties. Values
 * that differ from one sending to the next, such as times and identifiers, stand there by their form.
 */
final class Seen {
    private static final long AN_HOUR = 3_600_000;
    private static final int LONGEST = 200;

    /** Java's own names of values in properties and bodies, which all of a message's readers give. */
    private static final List<Class<?>> INTERFACES =
            List.of(TextMessage.class, BytesMessage.class, MapMessage.class, StreamMessage.class, ObjectMessage.class);

    /** Properties that not every library lists. */
    private static final List<String> UNLISTED = List.of("mqtt.content.type", "mqtt.payload.format.indicator");

    private static final String NOT_DELIVERED = "not delivered";

    private final Map<String, String> facts = new TreeMap<>();

    private Seen() {}

    /** A question that a provider may answer with an exception, which is an answer as well. */
    private interface Question {
        @Nullable
        Object ask() throws Exception;
    }

    /** The same of every message. */
    static Map<String, String> of(@Nullable Message message) {
        Seen seen = new Seen();
        if (message == null) {
            return nothing();
        }
        seen.facts.put("interface", interfaceOf(message));
        seen.headers(message);
        seen.properties(message);
        seen.conversions(message);
        seen.put("body", () -> content(message));
        if (message instanceof BytesMessage bytes) {
            seen.put("bytes read", () -> {
                bytes.reset();
                return bytes.readBytes(new byte[(int) bytes.getBodyLength()]);
            });
        }
        return seen.facts;
    }

    /** Where the broker or the library throws in place of delivering. */
    static Map<String, String> nothing() {
        return new TreeMap<>(Map.of("interface", NOT_DELIVERED));
    }

    private static String interfaceOf(Message message) {
        return INTERFACES.stream()
                .filter(type -> type.isInstance(message))
                .map(Class::getSimpleName)
                .findFirst()
                .orElse("Message");
    }

    private void put(String fact, Question question) {
        String answer;
        try {
            answer = text(question.ask());
        } catch (Exception e) { // of all kinds: providers throw unchecked ones as well
            answer = "throws " + e.getClass().getSimpleName();
        }
        facts.put(fact, answer);
    }

    private void headers(Message message) {
        put("JMSType", message::getJMSType);
        put("JMSCorrelationID", () -> form(message.getJMSCorrelationID()));
        put("JMSCorrelationIDAsBytes", message::getJMSCorrelationIDAsBytes);
        put("JMSReplyTo", () -> destination(message.getJMSReplyTo()));
        put("JMSDestination", () -> destination(message.getJMSDestination()));
        put("JMSPriority", message::getJMSPriority);
        put("JMSDeliveryMode", message::getJMSDeliveryMode);
        put("JMSExpiration", message::getJMSExpiration);
        put("JMSDeliveryTime", message::getJMSDeliveryTime);
        put("JMSTimestamp", message::getJMSTimestamp);
        put("JMSRedelivered", message::getJMSRedelivered);
        put("JMSMessageID", () -> form(message.getJMSMessageID()));
    }

    private static @Nullable String destination(@Nullable Destination destination) throws JMSException {
        if (destination instanceof TemporaryQueue || destination instanceof TemporaryTopic) {
            return destination instanceof TemporaryQueue ? "temporary queue" : "temporary topic";
        } else if (destination instanceof Queue queue) {
            return "queue " + queue.getQueueName();
        } else if (destination instanceof Topic topic) {
            return "topic " + topic.getTopicName();
        }
        return destination == null ? null : destination.toString();
    }

    private void properties(Message message) {
        try {
            Set<String> names = new TreeSet<>(UNLISTED);
            for (Object name : Collections.list((Enumeration<?>) message.getPropertyNames())) {
                names.add((String) name);
                facts.put("property " + name + " is listed", "yes");
            }
            for (String name : names) {
                put("property " + name, () -> value(name, message.getObjectProperty(name)));
                put("property " + name + " as text", () -> value(name, message.getStringProperty(name)));
                put("property " + name + " as long", () -> message.getLongProperty(name));
                put("property " + name + " exists", () -> message.propertyExists(name));
            }
        } catch (JMSException e) {
            facts.put("properties", "throws " + e.getClass().getSimpleName());
        }
    }

    /** Identifiers that a library or the broker makes differ each time. */
    private static @Nullable Object value(String name, @Nullable Object value) {
        if (value instanceof String text && text.matches("[0-9]{13}")) {
            return "as text, " + time(Long.valueOf(text));
        }
        return value instanceof String text && (name.startsWith("__") || text.startsWith("ID:")) ? form(text) : value;
    }

    private static @Nullable String form(@Nullable String identifier) {
        return identifier == null
                ? null
                : identifier
                        .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID")
                        .replaceAll("[0-9]{3,}|(?<=[:-])[0-9]+", "#");
    }

    private void conversions(Message message) {
        for (Class<?> type :
                List.of(String.class, byte[].class, Map.class, Serializable.class, Object.class, Number.class)) {
            put("assignable to " + type.getSimpleName(), () -> message.isBodyAssignableTo(type));
            put("body as " + type.getSimpleName(), () -> message.getBody(type));
        }
    }

    /** The content: a text, bytes, a map, a list of items, an object; null where there is no body. */
    static @Nullable Object content(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return text.getText();
        } else if (message instanceof BytesMessage bytes) {
            bytes.reset();
            byte[] body = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(body);
            return body;
        } else if (message instanceof MapMessage map) {
            Map<String, @Nullable Object> values = new TreeMap<>();
            for (Object name : Collections.list((Enumeration<?>) map.getMapNames())) {
                values.put(String.valueOf(name), map.getObject(String.valueOf(name)));
            }
            return values;
        } else if (message instanceof StreamMessage stream) {
            return items(stream);
        } else if (message instanceof ObjectMessage object) {
            return object.getObject();
        }
        return null;
    }

    private static List<@Nullable Object> items(StreamMessage stream) throws JMSException {
        List<@Nullable Object> items = new ArrayList<>();
        stream.reset();
        try {
            while (true) {
                items.add(stream.readObject());
            }
        } catch (MessageEOFException end) {
            return items;
        }
    }

    /** A value with the types of all its members, independent of the order in maps. */
    static String text(@Nullable Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof Map<?, ?> map) {
            return "map "
                    + map.entrySet().stream()
                            .map(entry -> text(entry.getKey()) + " -> " + text(entry.getValue()))
                            .sorted()
                            .toList();
        } else if (value instanceof List<?> list) {
            return "list " + list.stream().map(Seen::text).toList();
        } else if (value instanceof byte[] bytes) {
            return "byte[" + bytes.length + "] " + digest(bytes);
        } else if (value instanceof Object[] array) {
            return "array " + text(Arrays.asList(array));
        } else if (value.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(Array.get(value, i));
            }
            return value.getClass().getSimpleName() + " " + elements;
        } else if (value instanceof Long || value instanceof Date) {
            return value.getClass().getSimpleName() + " " + time(value);
        }
        String text = value.getClass().getSimpleName() + " " + value;
        if (text.length() <= LONGEST) {
            return text;
        }
        ByteBuffer characters = ByteBuffer.allocate(2 * text.length()); // an encoder would replace lone surrogates
        characters.asCharBuffer().put(text);
        return text.length() + " characters " + digest(characters.array());
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("JavaUtilDate") // proton-j has timestamps so
    private static Object time(Object value) {
        long time = value instanceof Date date ? date.getTime() : (Long) value;
        return Math.abs(time - System.currentTimeMillis()) < AN_HOUR ? "now" : value;
    }
}
