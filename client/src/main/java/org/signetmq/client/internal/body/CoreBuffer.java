/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * Reads bodies of Artemis's Core protocol. An octet names the type of a value. Every length is checked before more than
 * 64 KiB are allocated.
 */
final class CoreBuffer {
    static final byte NULL = 0;
    static final byte NOT_NULL = 1;
    static final byte BOOLEAN = 2;
    static final byte BYTE = 3;
    static final byte BYTES = 4;
    static final byte SHORT = 5;
    static final byte INT = 6;
    static final byte LONG = 7;
    static final byte FLOAT = 8;
    static final byte DOUBLE = 9;
    static final byte STRING = 10;
    static final byte CHAR = 11;

    /** The least length of an entry of a map in bytes: an empty name and a null. */
    private static final int SMALLEST_ENTRY = Integer.BYTES + Byte.BYTES;

    static final int SHORT_STRING = 9;
    static final int LONG_STRING = 0xfff;

    private final ByteBuffer bytes;
    private int values;

    private CoreBuffer(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    /**
     * Reads the body of a text message as Artemis does: null if it is empty or has the mark of null, else as many bytes
     * as it states.
     *
     * @throws MalformedEnvelopeException if it is shorter than it states; Artemis throws then, too
     */
    static @Nullable String text(byte[] body) {
        CoreBuffer buffer = new CoreBuffer(body);
        return reading(() -> buffer.isNull() ? null : buffer.characters(buffer.count(1) / 2, ByteOrder.LITTLE_ENDIAN));
    }

    /** Reads the body of an object message as Artemis does: no object if the body is shorter than it states. */
    static Body.Serialized object(byte[] body) {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        int length = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            return Body.Serialized.NOTHING;
        }
        byte[] object = new byte[length];
        bytes.get(object);
        return new Body.Serialized(object);
    }

    /**
     * Reads a map: a mark, a count, then name, type and value of each entry. As Artemis does, it reads no byte behind
     * the mark of null or the last entry, and takes the last value of a name.
     *
     * @throws MalformedEnvelopeException if the body is not a map
     */
    static Map<String, @Nullable Object> map(byte[] body) {
        CoreBuffer buffer = new CoreBuffer(body);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        int count = reading(() -> buffer.isNull() ? 0 : buffer.count(SMALLEST_ENTRY));
        for (int i = 0; i < count; i++) {
            buffer.countValue();
            String name = reading(buffer::simpleString);
            values.put(name, reading(() -> buffer.entry(buffer.bytes.get())));
        }
        return values;
    }

    /**
     * Reads a stream: type and value of each item, to the end. As in Artemis, an item that is incomplete is the end,
     * and one of an unknown type cannot be read.
     *
     * @throws MalformedEnvelopeException if there are too many items
     */
    static Body.Items stream(byte[] body) {
        CoreBuffer buffer = new CoreBuffer(body);
        List<@Nullable Object> items = new ArrayList<>();
        while (buffer.bytes.hasRemaining()) {
            buffer.countValue();
            byte type = buffer.bytes.get();
            if (type < BOOLEAN || type > CHAR) {
                return new Body.Items(items, Arrays.copyOf(body, buffer.bytes.position()));
            }
            try {
                items.add(reading(() -> type == STRING ? buffer.nullableString() : buffer.value(type)));
            } catch (MalformedEnvelopeException incomplete) {
                break;
            }
        }
        return new Body.Items(items);
    }

    private boolean isNull() {
        return !bytes.hasRemaining() || bytes.get() == NULL;
    }

    private @Nullable Object entry(byte type) {
        return type == NULL ? null : type == STRING ? simpleString() : value(type);
    }

    /** Reads a count of items, and checks that the buffer can hold them at this least size in bytes. */
    private int count(int leastSize) {
        int count = bytes.getInt();
        if (count < 0 || count > bytes.remaining() / leastSize) {
            throw malformed("a count that exceeds the body");
        }
        return count;
    }

    /** Counts a value of the body. */
    private void countValue() {
        if (++values > BodyLimits.VALUES) {
            throw malformed("more than " + BodyLimits.VALUES + " values");
        }
    }

    /** Runs a reading, and throws if the body ends too early. */
    private static <T extends @Nullable Object> T reading(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (BufferUnderflowException e) {
            throw malformed("an incomplete value");
        }
    }

    /** Reads a value of this type, except strings: their encoding differs between maps and streams. */
    private Object value(byte type) {
        return switch (type) {
            case BOOLEAN -> bytes.get() != 0;
            case BYTE -> bytes.get();
            case BYTES -> octets(count(1));
            case SHORT -> bytes.getShort();
            case CHAR -> (char) bytes.getShort();
            case INT -> bytes.getInt();
            case LONG -> bytes.getLong();
            case FLOAT -> Float.intBitsToFloat(bytes.getInt());
            case DOUBLE -> Double.longBitsToDouble(bytes.getLong());
            default -> throw malformed("an unknown type " + type);
        };
    }

    /** Reads a string: length in bytes, then UTF-16 little endian. */
    private String simpleString() {
        int length = count(1);
        if (length % Character.BYTES != 0) {
            throw malformed("a string of odd length");
        }
        return characters(length / Character.BYTES, ByteOrder.LITTLE_ENDIAN);
    }

    /** Reads UTF-16 and keeps lone surrogates; decoders of the JDK would replace them. */
    private String characters(int length, ByteOrder order) {
        byte[] encoded = octets(length * Character.BYTES);
        return ByteBuffer.wrap(encoded).order(order).asCharBuffer().toString();
    }

    /** Reads a string or null: a null mark, the length in characters, then an encoding that depends on the length. */
    private @Nullable String nullableString() {
        if (bytes.get() == NULL) {
            return null;
        }
        int length = bytes.getInt();
        if (length < 0) {
            throw malformed("a negative length");
        }
        if (length >= LONG_STRING) {
            return simpleString();
        }
        String string = length < SHORT_STRING ? characters(length, ByteOrder.BIG_ENDIAN) : modifiedUtf();
        if (string.length() != length) {
            throw malformed("a string that does not have its stated length");
        }
        return string;
    }

    private String modifiedUtf() {
        int start = bytes.position();
        int length = Short.toUnsignedInt(bytes.getShort());
        bytes.position(start);
        byte[] encoded = octets(Short.BYTES + length);
        try {
            return new DataInputStream(new ByteArrayInputStream(encoded)).readUTF();
        } catch (IOException e) {
            throw malformed("a string that is not UTF");
        }
    }

    private byte[] octets(int length) {
        byte[] octets = new byte[length];
        bytes.get(octets);
        return octets;
    }

    private static MalformedEnvelopeException malformed(String what) {
        return new MalformedEnvelopeException("payload: not a body of Artemis Core, has " + what);
    }
}
