/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ObjectInputFilter;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.message.BrowsedMessage.BrowsedPayload.AmqpText;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.LabelledLines;
import org.signetmq.client.MessageOpenException;
import org.signetmq.client.OpenFailure;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.policy.QualityOfProtection;

/**
 * A message on a queue, as it is shown. The components have the names of the JSON keys; null stands for an unknown
 * value.
 *
 * @param sent in ISO 8601
 * @param correlationId a text, or bytes as base64
 * @param sealedFor the address that it was sealed for, if it lies on another
 * @param payload null if the message cannot be opened
 * @param failure why it cannot be opened; null if it can
 */
record BrowsedMessage(
        @Nullable String id,
        @Nullable String sent,
        @Nullable String correlationId,
        Map<String, Object> properties,
        @Nullable String quality,
        @Nullable String signer,
        @Nullable String sender,
        @Nullable String sealedFor,
        @Nullable BrowsedPayload payload,
        @Nullable Failure failure) {
    /** The reason for which a message cannot be opened. */
    record Failure(String cause, String reason) {
        private static Failure of(MessageOpenException e) {
            return new Failure(e.failure().name(), Failures.inWords(e));
        }
    }

    static BrowsedMessage opened(Message message, int mostPayload) throws JMSException {
        try {
            return of(message, BrowsedPayload.of(message, mostPayload), null);
        } catch (MessageOpenException e) { // the beginning of a large message was right
            return of(message, null, Failure.of(e));
        }
    }

    static BrowsedMessage closed(MessageOpenException e) throws JMSException {
        return e.arrived().isPresent()
                ? of(e.arrived().get(), null, Failure.of(e))
                : new BrowsedMessage(null, null, null, Map.of(), null, null, null, null, null, Failure.of(e));
    }

    private static BrowsedMessage of(Message message, @Nullable BrowsedPayload payload, @Nullable Failure failure)
            throws JMSException {
        long sent = message.getJMSTimestamp();
        byte[] correlation = message.getJMSCorrelationIDAsBytes();
        boolean opened = failure == null;
        return new BrowsedMessage(
                message.getJMSMessageID(),
                sent == 0 ? null : Instant.ofEpochMilli(sent).toString(),
                correlation == null ? message.getJMSCorrelationID() : AmqpText.of(correlation),
                properties(message),
                opened ? quality(message) : null,
                opened ? message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY) : null,
                opened ? message.getStringProperty(SignetConnectionFactory.SENDER_PROPERTY) : null,
                opened ? message.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY) : null,
                payload,
                failure);
    }

    /** Returns the quality; a message that no policy covers has no property for it. */
    private static String quality(Message message) throws JMSException {
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        return quality == null ? QualityOfProtection.NONE.label() : quality;
    }

    @SuppressWarnings("unchecked") // names are raw in JMS
    private static Map<String, Object> properties(Message message) throws JMSException {
        Map<String, Object> properties = new TreeMap<>();
        for (Object name : Collections.list(message.getPropertyNames())) {
            Object value = message.getObjectProperty((String) name);
            if (value != null && !((String) name).startsWith("JMS_Signet_")) {
                boolean plain = value instanceof Number || value instanceof Boolean;
                properties.put((String) name, plain ? value : AmqpText.of(value));
            }
        }
        return properties;
    }

    /** Whether the message was sealed for another address than the one that it lies on, and so was not opened. */
    boolean isSealedForAnotherAddress() {
        return failure != null && failure.cause().equals(OpenFailure.ADDRESS_MISMATCH.name());
    }

    /** Returns lines for people. Control characters in them are blanks. */
    List<String> lines(int number) {
        LabelledLines lines = new LabelledLines(13)
                .addAll(List.of("message " + number))
                .add("  id", id)
                .add("  sent", sent)
                .add("  correlation", correlationId);
        properties.forEach((name, value) -> lines.add("  property", name + "=" + value));
        lines.add("  not opened", failure == null ? null : failure.reason())
                .add("  quality", quality)
                .add("  signer", signer)
                .add("  sender", sender)
                .add("  sealed for", sealedFor);
        if (payload != null) {
            lines.add("  payload", payload.summary())
                    .addAll(payload.lines().stream().map(text -> "    " + text).toList());
        }
        return lines.lines().stream().map(Failures::printable).toList();
    }

    /**
     * The part of a payload that is shown. The names of the components are those in JSON.
     *
     * @param kind text, bytes, map, stream, object or none
     * @param length of the whole, in bytes or, of text, characters; null if it is not known
     * @param text the payload as text, or null if it is not text
     * @param base64 the bytes that cannot, or null
     * @param truncated whether there is more
     */
    record BrowsedPayload(
            String kind, @Nullable Long length, @Nullable String text, byte @Nullable [] base64, boolean truncated) {
        private static final int CHARS_PER_LINE = 120;

        private static final int BLOCK = 64 << 10;

        static BrowsedPayload of(Message message, int most) throws JMSException {
            if (message instanceof BytesMessage bytes) {
                return ofBytes(bytes, most);
            } else if (message instanceof TextMessage text && text.getText() != null) {
                return ofText("text", text.getText(), most);
            } else if (message instanceof MapMessage map) {
                return ofValue(entries(map), most);
            } else if (message instanceof StreamMessage stream) {
                return ofValue(items(stream), most);
            } else if (message instanceof ObjectMessage object) {
                return ofValue(object(object), most);
            }
            return ofText("none", "", most);
        }

        /**
         * Has messages of a factory reject serialised Java objects: their senders choose classes and sizes. The factory
         * admits arrays, which the whole process rejects from now on.
         */
        static synchronized void rejectSerializedObjects(ActiveMQConnectionFactory factory) {
            factory.setDeserializationDenyList("*");
            if (ObjectInputFilter.Config.getSerialFilter() == null) {
                ObjectInputFilter.Config.setSerialFilter(reading -> ObjectInputFilter.Status.REJECTED);
            }
        }

        /** Returns the value of a message; null if its classes are not to be loaded: see rejectSerializedObjects. */
        private static @Nullable Object object(ObjectMessage message) throws JMSException {
            try {
                return message.getObject();
            } catch (MessageOpenException e) {
                throw e;
            } catch (JMSException e) {
                return null;
            }
        }

        /** AMQP values are objects in JMS where no other kind of message can hold them: a map of maps, a number. */
        private static BrowsedPayload ofValue(@Nullable Object value, int most) {
            if (value == null) {
                return new BrowsedPayload("object", null, null, null, false);
            }
            String kind = value instanceof Map ? "map" : value instanceof List ? "stream" : "object";
            return ofText(kind, AmqpText.lines(value), most);
        }

        private static BrowsedPayload ofText(String kind, String text, int most) {
            boolean truncated = text.length() > most;
            return new BrowsedPayload(
                    kind, (long) text.length(), truncated ? text.substring(0, most) : text, null, truncated);
        }

        private static BrowsedPayload ofBytes(BytesMessage message, int most) throws JMSException {
            byte[] buffer = new byte[most + 1];
            int read = Math.max(message.readBytes(buffer), 0);
            boolean truncated = read > most;
            byte[] shown = Arrays.copyOf(buffer, Math.min(read, most));
            String text = asText(shown, truncated);
            byte[] rest = new byte[BLOCK];
            long length = 0;
            for (int count = read; count > 0; count = message.readBytes(rest)) { // only at its end it is verified
                length += count;
            }
            return new BrowsedPayload("bytes", length, text, text == null ? shown : null, truncated);
        }

        /** Returns null if the bytes are not UTF-8 or have control characters. A character may be cut at the end. */
        private static @Nullable String asText(byte[] bytes, boolean cut) {
            CharBuffer text = CharBuffer.allocate(bytes.length);
            if (StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes), text, !cut)
                    .isError()) {
                return null;
            }
            String decoded = text.flip().toString();
            return decoded.chars().allMatch(c -> (c >= ' ' && c != 0x7f) || "\n\r\t".indexOf(c) >= 0) ? decoded : null;
        }

        @SuppressWarnings("unchecked") // names are raw in JMS
        private static Map<Object, Object> entries(MapMessage map) throws JMSException {
            Map<Object, Object> entries = new LinkedHashMap<>();
            for (Object name : Collections.list(map.getMapNames())) {
                entries.put(name, map.getObject((String) name));
            }
            return entries;
        }

        private static List<Object> items(StreamMessage stream) throws JMSException {
            List<Object> items = new ArrayList<>();
            try {
                while (true) {
                    items.add(stream.readObject());
                }
            } catch (MessageEOFException end) {
                return items;
            }
        }

        String summary() {
            String unit = kind.equals("bytes") ? " bytes" : " characters";
            return kind
                    + (length == null ? "" : ", " + length + unit)
                    + (truncated ? ", not all of it shown" : "")
                    + (base64 == null ? "" : ", as base64");
        }

        /** Returns lines that cannot steer a terminal. */
        List<String> lines() {
            if (base64 != null) {
                return Base64.getMimeEncoder(CHARS_PER_LINE, new byte[] {'\n'})
                        .encodeToString(base64)
                        .lines()
                        .toList();
            }
            return text == null
                    ? List.of()
                    : text.lines().map(Failures::oneLine).toList();
        }

        /** Values of messages as text: bytes as base64, times as in ISO 8601, maps and lists with their elements. */
        static final class AmqpText {
            private AmqpText() {}

            /** Returns a value as text in one line. */
            static String of(@Nullable Object value) {
                if (value instanceof byte[] bytes) {
                    return Base64.getEncoder().encodeToString(bytes);
                } else if (value instanceof Date time) {
                    return time.toInstant().toString();
                } else if (value instanceof Map<?, ?> map) {
                    return "{" + elements(map, ", ") + "}";
                } else if (value instanceof List
                        || (value != null && value.getClass().isArray())) {
                    return "[" + elements(value, ", ") + "]";
                }
                return String.valueOf(value);
            }

            /** Returns a value as text, with the elements of a map or list in a line each. */
            static String lines(Object value) {
                return value instanceof Map || value instanceof List ? elements(value, "\n") : of(value);
            }

            private static String elements(Object value, String delimiter) {
                Stream<String> elements = value instanceof Map<?, ?> map
                        ? map.entrySet().stream().map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
                        : value instanceof List<?> list
                                ? list.stream().map(AmqpText::of)
                                : IntStream.range(0, Array.getLength(value)).mapToObj(i -> of(Array.get(value, i)));
                return elements.collect(Collectors.joining(delimiter));
            }
        }
    }
}
