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
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
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
            if (core == null) {
                bytes.reset();
                return new Encoded(BYTES, ByteBuffer.wrap(BodyDecoder.bytesOf(bytes)));
            }
            return new Encoded(BYTES, core);
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
        return StandardCharsets.UTF_8.newEncoder().canEncode(text)
                ? new Encoded(ClearMessage.Body.TEXT, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)))
                : new Encoded(UTF_16_TEXT, ByteBuffer.wrap(utf16(text, ByteOrder.BIG_ENDIAN)));
    }

    private static byte[] utf16(String text, ByteOrder order) {
        ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * text.length()).order(order);
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    private static ByteBuffer map(MapMessage message) throws JMSException {
        List<?> names = Collections.list((Enumeration<?>) message.getMapNames());
        return written(out -> {
            out.writeByte(CoreBuffer.NOT_NULL);
            out.writeInt(names.size());
            for (Object name : names) {
                simpleString((String) name, out);
                Object value = message.getObject((String) name);
                if (value == null) {
                    out.writeByte(CoreBuffer.NULL);
                } else if (value instanceof String text) {
                    out.writeByte(CoreBuffer.STRING);
                    simpleString(text, out);
                } else {
                    value(value, out);
                }
            }
        });
    }

    private static ByteBuffer stream(StreamMessage message) throws JMSException {
        message.reset();
        return written(out -> {
            try {
                while (true) {
                    Object item = message.readObject();
                    if (item == null || item instanceof String) {
                        out.writeByte(CoreBuffer.STRING);
                        nullableString((String) item, out);
                    } else {
                        value(item, out);
                    }
                }
            } catch (MessageEOFException end) {
                message.reset();
            }
        });
    }

    /** Writes what {@link CoreBuffer} reads. */
    private interface Writing {
        void to(DataOutputStream out) throws IOException, JMSException;
    }

    private static ByteBuffer written(Writing writing) throws JMSException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalStateException("body: not written to memory", e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static void simpleString(String text, DataOutputStream out) throws IOException {
        byte[] bytes = utf16(text, ByteOrder.LITTLE_ENDIAN);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void nullableString(@Nullable String text, DataOutputStream out) throws IOException {
        if (text == null) {
            out.writeByte(CoreBuffer.NULL);
            return;
        }
        out.writeByte(CoreBuffer.NOT_NULL);
        out.writeInt(text.length());
        if (text.length() >= CoreBuffer.LONG_STRING) {
            simpleString(text, out);
        } else if (text.length() < CoreBuffer.SHORT_STRING) {
            out.writeChars(text);
        } else {
            out.writeUTF(text);
        }
    }

    /** Writes the type of a value and the value, except strings: their encoding differs between maps and streams. */
    private static void value(Object value, DataOutputStream out) throws IOException, MessageFormatException {
        if (value instanceof Boolean truth) {
            out.writeShort(CoreBuffer.BOOLEAN << Byte.SIZE | (truth ? 0xff : 0));
        } else if (value instanceof Byte number) {
            out.writeShort(CoreBuffer.BYTE << Byte.SIZE | (number & 0xff));
        } else if (value instanceof Short number) {
            out.writeByte(CoreBuffer.SHORT);
            out.writeShort(number);
        } else if (value instanceof Character character) {
            out.writeByte(CoreBuffer.CHAR);
            out.writeChar(character);
        } else if (value instanceof Integer number) {
            out.writeByte(CoreBuffer.INT);
            out.writeInt(number);
        } else if (value instanceof Long number) {
            out.writeByte(CoreBuffer.LONG);
            out.writeLong(number);
        } else if (value instanceof Float number) {
            out.writeByte(CoreBuffer.FLOAT);
            out.writeFloat(number);
        } else if (value instanceof Double number) {
            out.writeByte(CoreBuffer.DOUBLE);
            out.writeDouble(number);
        } else if (value instanceof byte[] bytes) {
            out.writeByte(CoreBuffer.BYTES);
            out.writeInt(bytes.length);
            out.write(bytes);
        } else {
            throw new MessageFormatException("body: has a value that cannot be sealed, of "
                    + value.getClass().getName());
        }
    }
}
