/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * Reads bodies of Artemis's Core protocol. An octet names the type of a value. Every length is checked before anything
 * is allocated.
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
        return !buffer.hasRemaining() || buffer.octet() == NULL
                ? null
                : buffer.littleEndian(buffer.count(1) / Character.BYTES);
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
        if (!buffer.hasRemaining() || buffer.octet() == NULL) {
            return values;
        }
        int count = buffer.count(SMALLEST_ENTRY);
        for (int i = 0; i < count; i++) {
            buffer.countValue();
            String name = buffer.simpleString();
            byte type = buffer.octet();
            values.put(
                    name,
                    switch (type) {
                        case NULL -> null;
                        case STRING -> buffer.simpleString();
                        default -> buffer.value(type);
                    });
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
        while (buffer.hasRemaining()) {
            buffer.countValue();
            byte type = buffer.octet();
            if (type < BOOLEAN || type > CHAR) {
                return new Body.Items(items, Arrays.copyOf(body, buffer.bytes.position()));
            }
            try {
                items.add(type == STRING ? buffer.nullableString() : buffer.value(type));
            } catch (MalformedEnvelopeException incomplete) {
                break;
            }
        }
        return new Body.Items(items);
    }

    private boolean hasRemaining() {
        return bytes.hasRemaining();
    }

    /** Reads a count of items, and checks that the buffer can hold them at this least size in bytes. */
    private int count(int leastSize) {
        int count = integer();
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

    private int integer() {
        require(Integer.BYTES);
        return bytes.getInt();
    }

    private byte octet() {
        require(Byte.BYTES);
        return bytes.get();
    }

    /** Reads a value of this type, except strings: their encoding differs between maps and streams. */
    private Object value(byte type) {
        return switch (type) {
            case BOOLEAN -> octet() != 0;
            case BYTE -> octet();
            case BYTES -> octets(count(1));
            case SHORT -> shortInteger();
            case CHAR -> (char) shortInteger();
            case INT -> integer();
            case LONG -> longInteger();
            case FLOAT -> Float.intBitsToFloat(integer());
            case DOUBLE -> Double.longBitsToDouble(longInteger());
            default -> throw malformed("an unknown type " + type);
        };
    }

    /** Reads a string: length in bytes, then UTF-16 little endian. */
    private String simpleString() {
        int length = count(1);
        if (length % Character.BYTES != 0) {
            throw malformed("a string of odd length");
        }
        return littleEndian(length / Character.BYTES);
    }

    private String littleEndian(int length) {
        char[] characters = new char[length];
        for (int i = 0; i < length; i++) {
            characters[i] = (char) Short.toUnsignedInt(Short.reverseBytes(bytes.getShort()));
        }
        return new String(characters);
    }

    /** Reads a string or null: a null mark, the length in characters, then an encoding that depends on the length. */
    private @Nullable String nullableString() {
        if (octet() == NULL) {
            return null;
        }
        int length = integer();
        if (length < 0) {
            throw malformed("a negative length");
        }
        if (length >= LONG_STRING) {
            return simpleString();
        }
        String string = length < SHORT_STRING ? characters(length) : modifiedUtf();
        if (string.length() != length) {
            throw malformed("a string that does not have its stated length");
        }
        return string;
    }

    private String characters(int length) {
        require(length * Character.BYTES);
        char[] characters = new char[length];
        for (int i = 0; i < length; i++) {
            characters[i] = bytes.getChar();
        }
        return new String(characters);
    }

    /** Reads modified UTF-8 as java.io.DataInput does, with the zero character in one byte or two. */
    private String modifiedUtf() {
        byte[] encoded = octets(Short.toUnsignedInt(shortInteger()));
        StringBuilder string = new StringBuilder(encoded.length);
        int at = 0;
        while (at < encoded.length) {
            int first = encoded[at] & 0xff;
            int size = first < 0x80 ? 1 : first >> 5 == 0b110 ? 2 : first >> 4 == 0b1110 ? 3 : 0;
            if (size == 0 || at + size > encoded.length) {
                throw malformed("a string that is not UTF");
            }
            int character = size == 1 ? first : first & (0xff >> (size + 1));
            for (int i = 1; i < size; i++) {
                if ((encoded[at + i] & 0xc0) != 0x80) {
                    throw malformed("a string that is not UTF");
                }
                character = (character << 6) | (encoded[at + i] & 0x3f);
            }
            string.append((char) character);
            at += size;
        }
        return string.toString();
    }

    private byte[] octets(int length) {
        require(length);
        byte[] octets = new byte[length];
        bytes.get(octets);
        return octets;
    }

    private short shortInteger() {
        require(Short.BYTES);
        return bytes.getShort();
    }

    private long longInteger() {
        require(Long.BYTES);
        return bytes.getLong();
    }

    private void require(int length) {
        if (bytes.remaining() < length) {
            throw malformed("an incomplete value");
        }
    }

    private static MalformedEnvelopeException malformed(String what) {
        return new MalformedEnvelopeException("payload: not a body of Artemis Core, has " + what);
    }
}
