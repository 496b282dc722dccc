/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.Serializable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.MalformedEnvelopeException;

/**
 * Reads the body sections of AMQP 1.0 messages as Qpid JMS presents them: by the type that the producer's client
 * annotated, else by the kind of section and the content type.
 */
final class AmqpBodyDecoder {
    private static final String SERIALIZED_OBJECT = "application/x-java-serialized-object";
    private static final String OCTETS = "application/octet-stream";

    private AmqpBodyDecoder() {}

    /** @throws MalformedEnvelopeException if these are none */
    static Body decode(byte[] payload, Map<String, String> properties) {
        AmqpSections sections = AmqpSections.read(payload);
        String contentType = properties.get(BodyDecoder.CONTENT_TYPE);
        String type = properties.get(BodyDecoder.JMS_TYPE);
        if (type == null) {
            return bySection(sections, contentType);
        }
        return switch (type) {
            case "0" -> new Body.Empty();
            case "1" -> object(sections);
            case "2" -> map(sections);
            case "3" -> new Body.Bytes(bytes(sections));
            case "4" -> stream(sections);
            case "5" -> text(sections, TextualContent.charset(contentType).orElse(StandardCharsets.UTF_8));
            default -> throw malformed("an unknown message type");
        };
    }

    private static Body bySection(AmqpSections sections, @Nullable String contentType) {
        return switch (sections.kind()) {
            case NONE -> emptyData(contentType);
            case DATA -> data(sections.data(), contentType);
            case SEQUENCE -> new Body.Typed(new ArrayList<>(sections.sequence()));
            case VALUE -> value(sections.value());
        };
    }

    private static Body emptyData(@Nullable String contentType) {
        if (contentType == null || contentType.equals(OCTETS)) {
            return new Body.Bytes(new byte[0]);
        } else if (contentType.equals(SERIALIZED_OBJECT)) {
            return new Body.Serialized(new byte[0]);
        } else if (TextualContent.charset(contentType).isPresent()) {
            return new Body.Text(null);
        } else {
            return new Body.Empty();
        }
    }

    private static Body data(byte[] data, @Nullable String contentType) {
        if (SERIALIZED_OBJECT.equals(contentType)) {
            return new Body.Serialized(data);
        }
        Optional<Charset> charset = TextualContent.charset(contentType);
        return charset.isPresent() ? new Body.Text(BodyDecoder.text(data, charset.get())) : new Body.Bytes(data);
    }

    private static Body value(@Nullable Object value) {
        if (value == null) {
            return new Body.Text(null);
        } else if (value instanceof String text) {
            return new Body.Text(text);
        } else if (value instanceof byte[] bytes) {
            return new Body.Bytes(bytes);
        } else {
            return new Body.Typed(serializable(value));
        }
    }

    private static Body object(AmqpSections sections) {
        return switch (sections.kind()) {
            case NONE -> new Body.Serialized(new byte[0]);
            case DATA -> new Body.Serialized(sections.data());
            case SEQUENCE -> new Body.Typed(new ArrayList<>(sections.sequence()));
            case VALUE -> {
                Object value = sections.value();
                yield value == null ? new Body.Serialized(new byte[0]) : new Body.Typed(serializable(value));
            }
        };
    }

    private static Body map(AmqpSections sections) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Object value = sections.value();
        if (value == null) {
            return new Body.Named(values);
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw malformed("no map");
        }
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!(entry.getKey() instanceof String name)) {
                throw malformed("a name that is not a string");
            }
            values.put(name, entry.getValue());
        }
        return new Body.Named(values);
    }

    private static Body stream(AmqpSections sections) {
        if (sections.kind() == AmqpSections.Kind.SEQUENCE) {
            return new Body.Items(sections.sequence());
        }
        Object value = sections.value();
        if (value == null) {
            return new Body.Items(List.of());
        }
        if (!(value instanceof List<?> list)) {
            throw malformed("no list");
        }
        return new Body.Items(AmqpValues.list(list));
    }

    private static byte[] bytes(AmqpSections sections) {
        return switch (sections.kind()) {
            case NONE -> new byte[0];
            case DATA -> sections.data();
            case SEQUENCE -> throw malformed("no bytes");
            case VALUE -> {
                Object value = sections.value();
                if (value == null) {
                    yield new byte[0];
                }
                if (!(value instanceof byte[] bytes)) {
                    throw malformed("no bytes");
                }
                yield bytes;
            }
        };
    }

    private static Body text(AmqpSections sections, Charset charset) {
        if (sections.kind() == AmqpSections.Kind.DATA) {
            return new Body.Text(BodyDecoder.text(sections.data(), charset));
        }
        Object value = sections.value();
        if (sections.kind() == AmqpSections.Kind.SEQUENCE || !(value == null || value instanceof String)) {
            throw malformed("no text");
        }
        return new Body.Text((String) value);
    }

    private static Serializable serializable(Object value) {
        if (value instanceof Serializable serializable) {
            return serializable;
        }
        throw malformed("a value that is no object of Java");
    }

    static MalformedEnvelopeException malformed(String what) {
        return new MalformedEnvelopeException("payload: not a body of AMQP, has " + what);
    }
}
