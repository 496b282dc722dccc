/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** Reads the typed values of Artemis's Core protocol. Every length is checked before anything is allocated. */
final class CoreBuffer {
    private static final int SHORT_STRING = 9;
    private static final int LONG_STRING = 0xfff;

    private final ByteBuffer bytes;
    private int values;

    CoreBuffer(byte[] bytes) {
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
        return !buffer.hasRemaining() || buffer.octet() == CoreType.NULL
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

    /** Returns the number of bytes that were read. */
    int position() {
        return bytes.position();
    }

    boolean hasRemaining() {
        return bytes.hasRemaining();
    }

    /** Reads a count of items, and checks that the buffer can hold them at this least size in bytes. */
    int count(int leastSize) {
        int count = integer();
        if (count < 0 || count > bytes.remaining() / leastSize) {
            throw malformed("a count that exceeds the body");
        }
        return count;
    }

    /** Counts a value of the body. */
    void countValue() {
        if (++values > BodyLimits.VALUES) {
            throw malformed("more than " + BodyLimits.VALUES + " values");
        }
    }

    int integer() {
        require(Integer.BYTES);
        return bytes.getInt();
    }

    byte octet() {
        require(Byte.BYTES);
        return bytes.get();
    }

    /** Reads a value of this type, except strings: their encoding differs between maps and streams. */
    Object value(byte type) {
        return switch (type) {
            case CoreType.BOOLEAN -> octet() != 0;
            case CoreType.BYTE -> octet();
            case CoreType.BYTES -> octets(count(1));
            case CoreType.SHORT -> shortInteger();
            case CoreType.CHAR -> (char) shortInteger();
            case CoreType.INT -> integer();
            case CoreType.LONG -> longInteger();
            case CoreType.FLOAT -> Float.intBitsToFloat(integer());
            case CoreType.DOUBLE -> Double.longBitsToDouble(longInteger());
            default -> throw malformed("an unknown type " + type);
        };
    }

    /** Reads a string: length in bytes, then UTF-16 little endian. */
    String simpleString() {
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
    @Nullable
    String nullableString() {
        if (octet() == CoreType.NULL) {
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

    static MalformedEnvelopeException malformed(String what) {
        return new MalformedEnvelopeException("payload: not a body of Artemis Core, has " + what);
    }
}
