/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;

/**
 * Presents the body sections of AMQP 1.0 messages as Artemis converts them for consumers of its own protocol and of
 * OpenWire. The kind of section and the content type decide. The annotation of the producer's client does not count.
 */
final class AmqpConversion {
    private AmqpConversion() {}

    static Body body(AmqpSections sections, @Nullable String contentType) {
        Section section = sections.first();
        if (section instanceof Data data) {
            return data(AmqpSections.bytes(data), contentType);
        } else if (section instanceof AmqpSequence sequence) {
            return items(sequence.getValue());
        } else if (section instanceof AmqpValue value) {
            return value(value.getValue(), contentType);
        }
        return AmqpBodyDecoder.nothing(contentType);
    }

    /**
     * Decodes a body of one data section. Data is text if it is valid UTF-8, and its content type names no other
     * charset.
     */
    static Body data(byte[] data, @Nullable String contentType) {
        if (AmqpBodyDecoder.SERIALIZED_OBJECT.equals(contentType)) {
            return new Body.Serialized(data);
        }
        return isText(contentType)
                ? BodyDecoder.decoded(data, StandardCharsets.UTF_8)
                        .<Body>map(Body.Text::new)
                        .orElseGet(() -> new Body.Bytes(data))
                : new Body.Bytes(data);
    }

    /** Returns whether {@link #data} always returns bytes. */
    static boolean areBytes(@Nullable String contentType) {
        return !AmqpBodyDecoder.SERIALIZED_OBJECT.equals(contentType) && !isText(contentType);
    }

    private static boolean isText(@Nullable String contentType) {
        Optional<Charset> charset = AmqpBodyDecoder.charset(contentType);
        return charset.isPresent() && charset.get().equals(StandardCharsets.UTF_8);
    }

    private static Body value(@Nullable Object value, @Nullable String contentType) {
        if (value == null || value instanceof String) {
            return new Body.Text((String) value);
        } else if (value instanceof Binary binary) {
            byte[] bytes = AmqpSections.bytes(binary);
            return AmqpBodyDecoder.SERIALIZED_OBJECT.equals(contentType)
                    ? new Body.Serialized(bytes)
                    : new Body.Bytes(bytes);
        } else if (value instanceof List<?> list) {
            return items(list);
        } else if (value instanceof Map<?, ?> map) {
            return named(map);
        } else {
            return new Body.Bytes(new AmqpEncoder().encode(new AmqpValue(value)));
        }
    }

    /** Decodes a list. Artemis cannot convert lists with other values; they become objects here. */
    private static Body items(List<?> list) {
        return list.stream().allMatch(Body::isPrimitive)
                ? new Body.Items(new ArrayList<>(list))
                : new Body.Typed(list(list));
    }

    /** Decodes a map. Artemis cannot convert maps with other names or values; they become objects here. */
    private static Body named(Map<?, ?> map) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            if (name instanceof String text) {
                values.put(text, signed(value));
            }
        });
        return values.size() == map.size() && values.values().stream().allMatch(Body::isPrimitive)
                ? new Body.Named(values)
                : new Body.Typed(Objects.requireNonNull(plain(map)));
    }

    private static @Nullable Object signed(@Nullable Object value) {
        if (value instanceof Binary binary) {
            return AmqpSections.bytes(binary);
        } else if (value instanceof UnsignedInteger number) {
            return number.intValue();
        } else if (value instanceof UnsignedShort number) {
            return number.shortValue();
        } else if (value instanceof UnsignedByte number) {
            return number.byteValue();
        } else if (value instanceof UnsignedLong number) {
            return number.longValue();
        } else {
            return value;
        }
    }

    /** Converts AMQP values to Java types: binaries become byte arrays, at any depth. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Binary binary) {
            return AmqpSections.bytes(binary);
        } else if (value instanceof Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> plain = new LinkedHashMap<>();
            map.forEach((key, item) -> plain.put(plain(key), plain(item)));
            return plain;
        } else if (value instanceof List<?> list) {
            return list(list);
        } else {
            return value;
        }
    }

    private static List<@Nullable Object> list(List<?> list) {
        List<@Nullable Object> plain = new ArrayList<>(list.size());
        for (Object item : list) {
            plain.add(plain(item));
        }
        return plain;
    }
}
