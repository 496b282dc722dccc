/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.queue;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ObjectInputFilter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.Failures;
import org.signetmq.client.MessageOpenException;

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
        return text == null ? List.of() : text.lines().map(Failures::oneLine).toList();
    }
}
