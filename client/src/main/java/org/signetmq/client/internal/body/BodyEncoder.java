/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/**
 * Encodes the body of a message that an application sends as the broker does, so that {@link BodyDecoder} reads both.
 * It puts a bytes or stream message at the start of its body, as client libraries do when they send it.
 */
public final class BodyEncoder {
    private static final ClearMessage.Body BYTES = binary(BodyKind.JMS_BYTES);
    private static final ClearMessage.Body MAP = binary(BodyKind.JMS_MAP);
    private static final ClearMessage.Body STREAM = binary(BodyKind.JMS_STREAM);
    private static final ClearMessage.Body EMPTY = binary(BodyKind.JMS_EMPTY);
    private static final ClearMessage.Body SECTIONS = binary(BodyKind.AMQP_SECTIONS);
    private static final ClearMessage.Body OBJECT =
            new ClearMessage.Body(BodyKind.JMS_OBJECT, AmqpBodyDecoder.SERIALIZED_OBJECT);
    private static final ClearMessage.Body NO_TEXT =
            new ClearMessage.Body(BodyKind.JMS_TEXT_NULL, ClearMessage.Body.TEXT.contentType());
    private static final ClearMessage.Body UTF_16_TEXT =
            new ClearMessage.Body(BodyKind.JMS_TEXT_UTF16, "text/plain; charset=utf-16be");
    private static final ByteBuffer NOTHING = ByteBuffer.wrap(new byte[0]);

    private BodyEncoder() {}

    /**
     * An encoded body.
     *
     * @param payload the remaining bytes of a buffer with an array, which the message may share; empty with a stream
     * @param properties values that a consumer restores
     * @param stream the payload if the application gave a stream, or null
     */
    public record Encoded(
            ClearMessage.Body body,
            ByteBuffer payload,
            Map<String, String> properties,
            @Nullable InputStream stream) {
        Encoded(ClearMessage.Body body, ByteBuffer payload) {
            this(body, payload, Map.of(), null);
        }
    }

    private static ClearMessage.Body binary(BodyKind kind) {
        return new ClearMessage.Body(kind, AmqpBodyDecoder.OCTETS);
    }

    /**
     * Encodes the body of a message.
     *
     * @param library the library of the message
     * @throws MessageFormatException if the body has a value that no message can carry
     */
    public static Encoded encode(Message message, ClientLibrary library) throws JMSException {
        InputStream stream = library.givenStream(message);
        Encoded encoded = stream == null
                ? encoded(message, library)
                : new Encoded(message instanceof StreamMessage ? STREAM : BYTES, NOTHING, Map.of(), stream);
        String amqpType = library.amqpType(message);
        if (amqpType == null) {
            return encoded;
        }
        Map<String, String> properties = new HashMap<>(Map.of(BodyDecoder.JMS_TYPE, amqpType));
        if (encoded.body().equals(BYTES) || encoded.body().equals(OBJECT)) {
            properties.put(BodyDecoder.CONTENT_TYPE, encoded.body().contentType());
        }
        ClearMessage.Body body = encoded.body().equals(EMPTY) ? SECTIONS : encoded.body(); // no section
        return new Encoded(body, encoded.payload(), properties, stream);
    }

    private static Encoded encoded(Message message, ClientLibrary library) throws JMSException {
        if (message instanceof TextMessage text) {
            return text(text.getText());
        } else if (message instanceof ObjectMessage object) {
            Object typed = library.typedObject(object);
            if (typed != null) {
                return new Encoded(SECTIONS, ByteBuffer.wrap(new AmqpEncoder().encode(new AmqpValue(typed))));
            }
            byte[] serialized = library.serialized(object);
            return new Encoded(OBJECT, serialized == null ? NOTHING : ByteBuffer.wrap(serialized));
        }
        ByteBuffer core = library.coreBody(message);
        if (message instanceof BytesMessage bytes) {
            return new Encoded(BYTES, core == null ? bytes(bytes) : core);
        } else if (message instanceof MapMessage map) {
            return new Encoded(MAP, core == null ? map(map) : core);
        } else if (message instanceof StreamMessage stream) {
            return new Encoded(STREAM, core == null ? stream(stream) : core);
        }
        return core != null && core.hasRemaining() ? new Encoded(BYTES, core) : new Encoded(EMPTY, NOTHING);
    }

    /** Encodes a text as UTF-8, or as UTF-16 if it has half of a surrogate pair. */
    private static Encoded text(@Nullable String text) {
        if (text == null) {
            return new Encoded(NO_TEXT, NOTHING);
        }
        boolean unicode = true;
        for (int i = 0; i < text.length() && unicode; i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                unicode = Character.isSurrogatePair(text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 'x');
                i++;
            }
        }
        return unicode
                ? new Encoded(ClearMessage.Body.TEXT, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)))
                : new Encoded(UTF_16_TEXT, ByteBuffer.wrap(utf16(text, ByteOrder.BIG_ENDIAN)));
    }

    private static byte[] utf16(String text, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * text.length()).order(order);
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    private static ByteBuffer bytes(BytesMessage message) throws JMSException {
        message.reset();
        byte[] bytes = new byte[Math.toIntExact(message.getBodyLength())];
        int read = bytes.length == 0 ? 0 : message.readBytes(bytes);
        message.reset();
        if (read != bytes.length) {
            throw new MessageFormatException("body: ends after " + read + " of " + bytes.length + " bytes");
        }
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer map(MapMessage message) throws JMSException {
        List<?> names = Collections.list((Enumeration<?>) message.getMapNames());
        CoreWriter writer = new CoreWriter();
        writer.octet(CoreBuffer.NOT_NULL).integer(names.size());
        for (Object name : names) {
            writer.simpleString((String) name);
            Object value = message.getObject((String) name);
            if (value == null) {
                writer.octet(CoreBuffer.NULL);
            } else if (value instanceof String text) {
                writer.octet(CoreBuffer.STRING).simpleString(text);
            } else {
                writer.value(value);
            }
        }
        return writer.written();
    }

    private static ByteBuffer stream(StreamMessage message) throws JMSException {
        CoreWriter writer = new CoreWriter();
        message.reset();
        try {
            while (true) {
                Object item = message.readObject();
                if (item == null || item instanceof String) {
                    writer.octet(CoreBuffer.STRING).nullableString((String) item);
                } else {
                    writer.value(item);
                }
            }
        } catch (MessageEOFException end) {
            message.reset();
            return writer.written();
        }
    }

    /** Writes what {@link CoreBuffer} reads. */
    private static final class CoreWriter {
        private ByteBuffer buffer = ByteBuffer.allocate(256);

        private ByteBuffer room(int length) {
            if (buffer.remaining() < length) {
                buffer = ByteBuffer.allocate(Math.addExact(Math.max(buffer.capacity(), length), buffer.capacity()))
                        .put(buffer.flip());
            }
            return buffer;
        }

        ByteBuffer written() {
            return buffer.flip();
        }

        CoreWriter octet(int octet) {
            room(Byte.BYTES).put((byte) octet);
            return this;
        }

        void integer(int value) {
            room(Integer.BYTES).putInt(value);
        }

        void simpleString(String text) {
            byte[] bytes = utf16(text, ByteOrder.LITTLE_ENDIAN);
            integer(bytes.length);
            room(bytes.length).put(bytes);
        }

        void nullableString(@Nullable String text) {
            if (text == null) {
                octet(CoreBuffer.NULL);
                return;
            }
            octet(CoreBuffer.NOT_NULL).integer(text.length());
            if (text.length() >= CoreBuffer.LONG_STRING) {
                simpleString(text);
            } else if (text.length() < CoreBuffer.SHORT_STRING) {
                room(Character.BYTES * text.length()).put(utf16(text, ByteOrder.BIG_ENDIAN));
            } else {
                modifiedUtf(text);
            }
        }

        private void modifiedUtf(String text) {
            ByteBuffer out = room(Short.BYTES + 3 * text.length());
            int start = out.position();
            out.position(start + Short.BYTES);
            for (int i = 0; i < text.length(); i++) {
                char each = text.charAt(i);
                if (each >= 1 && each < 0x80) {
                    out.put((byte) each);
                } else {
                    if (each >= 0x800) {
                        out.put((byte) (0xe0 | (each >> 12))).put((byte) (0x80 | ((each >> 6) & 0x3f)));
                    } else {
                        out.put((byte) (0xc0 | (each >> 6)));
                    }
                    out.put((byte) (0x80 | (each & 0x3f)));
                }
            }
            out.putShort(start, (short) (out.position() - start - Short.BYTES));
        }

        /**
         * Writes the type of a value and the value, except strings: their encoding differs between maps and streams.
         */
        void value(Object value) throws MessageFormatException {
            ByteBuffer out = room(1 + Long.BYTES);
            if (value instanceof Boolean truth) {
                out.put(CoreBuffer.BOOLEAN).put((byte) (truth ? 0xff : 0));
            } else if (value instanceof Byte number) {
                out.put(CoreBuffer.BYTE).put(number);
            } else if (value instanceof Short number) {
                out.put(CoreBuffer.SHORT).putShort(number);
            } else if (value instanceof Character character) {
                out.put(CoreBuffer.CHAR).putChar(character);
            } else if (value instanceof Integer number) {
                out.put(CoreBuffer.INT).putInt(number);
            } else if (value instanceof Long number) {
                out.put(CoreBuffer.LONG).putLong(number);
            } else if (value instanceof Float number) {
                out.put(CoreBuffer.FLOAT).putInt(Float.floatToIntBits(number));
            } else if (value instanceof Double number) {
                out.put(CoreBuffer.DOUBLE).putLong(Double.doubleToLongBits(number));
            } else if (value instanceof byte[] bytes) {
                out.put(CoreBuffer.BYTES).putInt(bytes.length);
                room(bytes.length).put(bytes);
            } else {
                throw new MessageFormatException("body: has a value that cannot be sealed, of "
                        + value.getClass().getName());
            }
        }
    }
}
