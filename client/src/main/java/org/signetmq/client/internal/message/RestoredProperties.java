/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Decimal128;
import org.apache.qpid.proton.amqp.Decimal32;
import org.apache.qpid.proton.amqp.Decimal64;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedByte;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.AmqpEncoder;
import org.signetmq.client.internal.body.AmqpSections;
import org.signetmq.client.internal.body.Body;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.body.BodyDecoder.Decoded;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.HiddenProperties;

/**
 * The properties that describe the body. In the message that arrived they describe the envelope. The application gets
 * the values of the unprotected body instead, which all come from inside the envelope.
 *
 * <p>Most applications ask for none of them. So a body without properties of its own is described at the first
 * question. Any other body is described at once, because its message may have to be rejected.
 */
final class RestoredProperties {
    /** The property of Qpid JMS that marks an object message of AMQP types. */
    static final String TYPED_ENCODING = "JMS_AMQP_TYPED_ENCODING";

    /** The property with an AMQP message's content type, for clients of other protocols. */
    private static final String CONTENT_TYPE = "JMS_AMQP_ContentType";

    /** The property with the JMS type of an AMQP message, for clients of other protocols. */
    private static final String JMS_TYPE = "JMS_AMQP_MA_x-opt-jms-msg-type";

    /** The property with the kind of an AMQP message's body section, for clients of other protocols. */
    private static final String ENCODING = "JMS_AMQP_ORIGINAL_ENCODING";

    private static final String FOOTER = "JMS_AMQP_FT_";
    private static final String ENCODED_FOOTER = "JMS_AMQP_ENCODED_FT_";
    private static final String MQTT_CONTENT_TYPE = "mqtt.content.type";
    private static final String MQTT_PAYLOAD_FORMAT = "mqtt.payload.format.indicator";

    /** The property with the length of a large message's body in the store, in bytes. */
    private static final String LARGE_SIZE = "_AMQ_LARGE_SIZE";

    private static final short NONE = 1;
    private static final short DATA = 2;
    private static final short SEQUENCE = 3;
    private static final short NULL = 4;
    private static final short STRING = 5;
    private static final short BINARY = 6;
    private static final short MAP = 7;
    private static final short LIST = 8;

    /** The value of an absent property, even if a property of the name arrived. */
    private static final Object ABSENT = new Object();

    /** The names of properties of a body that is described late. */
    private static final Set<String> LATE = Set.of(JMS_TYPE, ENCODING, LARGE_SIZE);

    private static final int UNREAD = -1;

    private final Message arrived;
    private final ClientProtocol protocol;
    private final BodyKind kind;

    /** The properties of the entity. */
    private final Map<String, String> properties;

    /** The names of properties that count only from inside the envelope. */
    private final List<String> hides;

    /** The AMQP sections of the body; null for another protocol or unread bytes. */
    private final @Nullable AmqpSections sections;

    private final boolean typed;

    /** The length of the body in the store; {@link #UNREAD} for unread bytes. */
    private final long storedLength;

    /** The properties; null before the description. */
    private @Nullable Map<String, @Nullable Object> values;

    /**
     * Makes the properties of a message.
     *
     * @param decoded the decoded payload; null if it is unread bytes
     * @param hides the names of the properties that count only from inside the envelope
     * @throws MalformedEnvelopeException if a property of the entity is invalid
     */
    RestoredProperties(Entity entity, @Nullable Decoded decoded, ArrivedMessage message, List<String> hides)
            throws JMSException {
        this.arrived = message.message();
        this.protocol = message.library().protocol();
        this.kind = BodyDecoder.kind(entity);
        this.properties = entity.properties();
        this.hides = hides;
        this.sections = decoded == null ? null : decoded.sections();
        this.typed = decoded != null && decoded.body() instanceof Body.Typed;
        this.storedLength = decoded == null ? UNREAD : storedLength(kind, decoded);
        if (!properties.isEmpty() || !hides.isEmpty() || sections != null || typed || kind == BodyKind.MQTT) {
            var unused = values(); // described at once
        }
    }

    private Map<String, @Nullable Object> values() throws JMSException {
        if (values == null) {
            Map<String, @Nullable Object> described = new HashMap<>();
            describe(described);
            values = described;
        }
        return values;
    }

    private void describe(Map<String, @Nullable Object> described) throws JMSException {
        hides.forEach(name -> described.put(name, ABSENT));
        String hidden = properties.get(HiddenProperties.KEY);
        if (hidden != null) {
            described.putAll(HiddenProperties.decode(hidden));
        }
        if (kind == BodyKind.MQTT) {
            mqtt(described);
        } else if (protocol != ClientProtocol.AMQP) {
            converted(described);
        } else if (typed) {
            described.put(TYPED_ENCODING, true);
        }
        if (storedLength != UNREAD && arrived.propertyExists(LARGE_SIZE)) {
            described.put(LARGE_SIZE, properties.containsKey(BodyDecoder.LARGE) ? ABSENT : storedLength);
        }
    }

    private void mqtt(Map<String, @Nullable Object> described) throws JMSException {
        String contentType = properties.get(BodyDecoder.CONTENT_TYPE);
        mqtt(MQTT_CONTENT_TYPE, contentType == null ? ABSENT : contentType, described);
        String format = properties.get(BodyDecoder.PAYLOAD_FORMAT);
        mqtt(MQTT_PAYLOAD_FORMAT, format == null ? ABSENT : Integer.valueOf(number(format)), described);
    }

    /** Adds a property, unless Qpid JMS rejects its name, which by default must be a Java name. */
    private void mqtt(String name, Object value, Map<String, @Nullable Object> described) throws JMSException {
        try {
            arrived.getObjectProperty(name);
            described.put(name, value);
        } catch (IllegalArgumentException rejected) {
            // Qpid JMS also rejects the application's call
        }
    }

    /** Describes the body in the properties in which the broker's conversion described the envelope. */
    private void converted(Map<String, @Nullable Object> described) throws JMSException {
        String contentType = properties.get(BodyDecoder.CONTENT_TYPE);
        String jmsType = properties.get(BodyDecoder.JMS_TYPE);
        if ((contentType != null || jmsType != null) && arrived.propertyExists(CONTENT_TYPE)) {
            described.put(CONTENT_TYPE, contentType == null ? ABSENT : contentType); // a producer's bytes have one
        }
        if (jmsType != null || arrived.propertyExists(JMS_TYPE)) {
            described.put(JMS_TYPE, jmsType == null ? ABSENT : Byte.valueOf((byte) number(jmsType)));
        }
        if (arrived.propertyExists(ENCODING)) {
            described.put(ENCODING, sections == null ? encoding(kind) : encoding(sections.first()));
        }
        if (sections != null) {
            AmqpEncoder encoder = new AmqpEncoder();
            sections.footer().forEach((name, value) -> footer(String.valueOf(name), value, encoder, described));
        }
    }

    private static int number(String decimal) {
        try {
            return Integer.parseInt(decimal);
        } catch (NumberFormatException e) {
            throw new MalformedEnvelopeException("property: not a number");
        }
    }

    private static Object encoding(BodyKind kind) {
        return switch (kind) {
            case JMS_TEXT, JMS_TEXT_UTF16 -> STRING;
            case JMS_TEXT_NULL -> NULL;
            case JMS_MAP -> MAP;
            case JMS_STREAM -> SEQUENCE;
            case JMS_BYTES, JMS_OBJECT -> DATA;
            default -> ABSENT;
        };
    }

    private static Object encoding(@Nullable Section section) {
        if (section == null) {
            return NONE;
        } else if (section instanceof Data) {
            return DATA;
        } else if (section instanceof AmqpSequence) {
            return SEQUENCE;
        }
        Object value = section instanceof AmqpValue held ? held.getValue() : null;
        if (value == null) {
            return NULL;
        } else if (value instanceof String) {
            return STRING;
        } else if (value instanceof Binary) {
            return BINARY;
        } else if (value instanceof Map) {
            return MAP;
        } else if (value instanceof List) {
            return LIST;
        }
        return ABSENT;
    }

    /** Adds an entry of the footer as the broker converts it: in the nearest property type, or encoded. */
    private void footer(
            String name, @Nullable Object value, AmqpEncoder encoder, Map<String, @Nullable Object> described) {
        Object property = property(value);
        boolean fits = property == null || Body.isPrimitive(property);
        Object shown = property == null || fits ? property : encoder.encode(property);
        if (shown instanceof byte[] bytes && protocol == ClientProtocol.OPENWIRE) {
            shown = HexFormat.of().withUpperCase().formatHex(bytes); // OpenWire has no properties of bytes
        }
        described.put((fits ? FOOTER : ENCODED_FOOTER) + name, shown);
    }

    private static @Nullable Object property(@Nullable Object value) {
        if (value instanceof UnsignedLong number) {
            return number.longValue();
        } else if (value instanceof UnsignedInteger number) {
            long wide = number.longValue();
            return wide == (int) wide ? (Object) (int) wide : (Object) wide;
        } else if (value instanceof UnsignedShort number) {
            int wide = number.intValue();
            return wide == (short) wide ? (Object) (short) wide : (Object) wide;
        } else if (value instanceof UnsignedByte number) {
            short wide = (short) (number.byteValue() & 0xff);
            return wide == (byte) wide ? (Object) (byte) wide : (Object) wide;
        } else if (value instanceof Symbol symbol) {
            return symbol.toString();
        } else if (value instanceof Decimal128 decimal) {
            return decimal.doubleValue();
        } else if (value instanceof Decimal64 decimal) {
            return decimal.doubleValue();
        } else if (value instanceof Decimal32 decimal) {
            return decimal.floatValue();
        } else if (value instanceof Binary binary) {
            return AmqpSections.bytes(binary);
        }
        return value;
    }

    /** Returns the length in bytes that the body would have in the store, in Core's encoding. */
    private static long storedLength(BodyKind kind, Decoded decoded) {
        if (kind != BodyKind.JMS_TEXT_CORE && decoded.body() instanceof Body.Text text) {
            return text.text() == null
                    ? 1
                    : 1 + Integer.BYTES + (long) Character.BYTES * text.text().length();
        }
        long length = decoded.length();
        return kind == BodyKind.JMS_OBJECT && length > 0 ? Integer.BYTES + length : length;
    }

    /** Returns whether this class decides about the name, with or without a value. */
    boolean covers(String name) throws JMSException {
        return (values != null || LATE.contains(name)) && values().containsKey(name);
    }

    boolean exists(String name) throws JMSException {
        return covers(name) && values().get(name) != ABSENT;
    }

    /** Returns the value; null if there is none. */
    @Nullable
    Object get(String name) throws JMSException {
        Object value = covers(name) ? values().get(name) : null;
        if (value instanceof byte[] bytes) {
            return Arrays.copyOf(bytes, bytes.length);
        }
        return value == ABSENT ? null : value;
    }

    List<String> names() throws JMSException {
        return values().entrySet().stream()
                .filter(entry -> entry.getValue() != ABSENT)
                .map(Map.Entry::getKey)
                .toList();
    }
}
