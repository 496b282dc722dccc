/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * Presents the body sections of AMQP 1.0 messages as Qpid JMS does. The annotation of the producer's client decides, or
 * else the kind of section and the content type.
 */
final class AmqpBodyDecoder {
    static final String SERIALIZED_OBJECT = "application/x-java-serialized-object";
    static final String OCTETS = "application/octet-stream";

    /** Content types of data that AMQP clients of Jakarta Messaging present as text. */
    private static final Set<String> TEXTUAL = Set.of(
            "application/xml",
            "application/xml-dtd",
            "application/json",
            "application/javascript",
            "application/ecmascript");

    private AmqpBodyDecoder() {}

    /**
     * Decodes the section that Qpid JMS uses.
     *
     * @throws MalformedEnvelopeException if Qpid JMS cannot decode it
     */
    static Body body(AmqpSections sections, Map<String, String> properties) {
        return body(sections.last(), properties);
    }

    /** Decodes a body of one data section. */
    static Body data(byte[] bytes, Map<String, String> properties) {
        return body(new Data(new Binary(bytes)), properties);
    }

    /** Returns whether {@link #data} always returns bytes. */
    static boolean areBytes(Map<String, String> properties) {
        String type = properties.get(BodyDecoder.JMS_TYPE);
        String contentType = properties.get(BodyDecoder.CONTENT_TYPE);
        return type == null
                ? !SERIALIZED_OBJECT.equals(contentType) && charset(contentType).isEmpty()
                : type.equals("3");
    }

    private static Body body(@Nullable Section section, Map<String, String> properties) {
        String contentType = properties.get(BodyDecoder.CONTENT_TYPE);
        String type = properties.get(BodyDecoder.JMS_TYPE);
        if (type == null) {
            return bySection(section, contentType);
        }
        return switch (type) {
            case "0" -> new Body.Empty();
            case "1" -> object(section);
            case "2" -> map(section);
            case "3" -> new Body.Bytes(bytes(section));
            case "4" -> stream(section);
            case "5" -> text(section);
            default -> throw malformed("an unknown message type");
        };
    }

    private static Body bySection(@Nullable Section section, @Nullable String contentType) {
        if (section instanceof Data data) {
            return data(AmqpSections.bytes(data), contentType);
        } else if (section instanceof AmqpSequence sequence) {
            return new Body.Typed(sequence.getValue());
        } else if (section instanceof AmqpValue value) {
            return value(value.getValue());
        }
        return nothing(contentType);
    }

    /** Decodes a body without sections, by its content type. */
    static Body nothing(@Nullable String contentType) {
        if (contentType == null || contentType.equals(OCTETS)) {
            return new Body.Bytes(new byte[0]);
        } else if (contentType.equals(SERIALIZED_OBJECT)) {
            return Body.Serialized.NOTHING;
        } else if (charset(contentType).isPresent()) {
            return new Body.Text(null);
        } else {
            return new Body.Empty();
        }
    }

    private static Body data(byte[] data, @Nullable String contentType) {
        if (SERIALIZED_OBJECT.equals(contentType)) {
            return new Body.Serialized(data);
        }
        Optional<Charset> charset = charset(contentType);
        return charset.isPresent() ? new Body.Text(BodyDecoder.text(data, charset.get())) : new Body.Bytes(data);
    }

    private static Body value(@Nullable Object value) {
        if (value == null) {
            return new Body.Text(null);
        } else if (value instanceof String text) {
            return new Body.Text(text);
        } else if (value instanceof Binary bytes) {
            return new Body.Bytes(AmqpSections.bytes(bytes));
        } else {
            return new Body.Typed(value);
        }
    }

    private static Body object(@Nullable Section section) {
        if (section instanceof Data data) {
            return new Body.Serialized(AmqpSections.bytes(data));
        } else if (section instanceof AmqpSequence sequence) {
            return new Body.Typed(sequence.getValue());
        } else if (section instanceof AmqpValue value && value.getValue() != null) {
            return new Body.Typed(value.getValue());
        }
        return Body.Serialized.NOTHING;
    }

    private static Body map(@Nullable Section section) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Map<?, ?> map = value(section, Map.class, "no map");
        for (Map.Entry<?, ?> entry : map == null ? Set.<Map.Entry<?, ?>>of() : map.entrySet()) {
            if (!(entry.getKey() instanceof String name)) {
                throw malformed("a name that is not a string");
            }
            values.put(name, item(entry.getValue()));
        }
        return new Body.Named(values);
    }

    private static Body stream(@Nullable Section section) {
        List<@Nullable Object> items = new ArrayList<>();
        List<?> list =
                section instanceof AmqpSequence sequence ? sequence.getValue() : value(section, List.class, "no list");
        if (list != null) {
            list.forEach(item -> items.add(item(item)));
        }
        return new Body.Items(items);
    }

    private static @Nullable Object item(@Nullable Object value) {
        return value instanceof Binary binary ? AmqpSections.bytes(binary) : value;
    }

    /** Returns the value of a value section, which must be of this type; null if there is no section. */
    private static <T> @Nullable T value(@Nullable Section section, Class<T> type, String otherwise) {
        Object found = section instanceof AmqpValue value ? value.getValue() : section;
        if (found != null && !type.isInstance(found)) {
            throw malformed(otherwise);
        }
        return type.cast(found);
    }

    private static byte[] bytes(@Nullable Section section) {
        Binary binary = section instanceof Data data ? data.getValue() : value(section, Binary.class, "no bytes");
        return binary == null ? new byte[0] : AmqpSections.bytes(binary);
    }

    /** Decodes a text. Data becomes text if it is UTF-8, for any content type. */
    private static Body text(@Nullable Section section) {
        return new Body.Text(
                section instanceof Data data
                        ? BodyDecoder.text(AmqpSections.bytes(data), StandardCharsets.UTF_8)
                        : value(section, String.class, "no text"));
    }

    static MalformedEnvelopeException malformed(String what) {
        return new MalformedEnvelopeException("payload: not a body of AMQP, has " + what);
    }

    /** Returns the charset of a textual content type, UTF-8 if it names none; empty if the type is not textual. */
    static Optional<Charset> charset(@Nullable String contentType) {
        if (contentType == null) {
            return Optional.empty();
        }
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
        String type = parts[0].trim();
        boolean textual = type.startsWith("text/")
                || TEXTUAL.contains(type)
                || (type.startsWith("application/") && (type.endsWith("+xml") || type.endsWith("+json")));
        return textual ? charset(parts) : Optional.empty();
    }

    private static Optional<Charset> charset(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].trim();
            if (parameter.startsWith("charset=")) {
                return named(parameter.substring("charset=".length()).replace("\"", ""));
            }
        }
        return Optional.of(StandardCharsets.UTF_8);
    }

    private static Optional<Charset> named(String name) {
        try {
            return Optional.of(Charset.forName(name.trim()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
