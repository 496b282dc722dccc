/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Walks over AMQP values (section 1.6 of AMQP 1.0) without making objects. Rejects values that would take a decoder
 * more memory or time than {@link BodyLimits} allow. For one body.
 */
final class AmqpScanner {
    private static final int DESCRIBED = 0x00;
    private static final int EMPTY_LIST = 0x45;
    private static final int SHORT_STRING = 0xa1;
    private static final int LONG_STRING = 0xb1;
    private static final int SHORT_MAP = 0xc1;
    private static final int LONG_MAP = 0xd1;

    private static final int SHORT_SYMBOL = 0xa3;
    private static final int LONG_SYMBOL = 0xb3;

    /** The difference between the codes of a symbol and of a string. */
    private static final int SYMBOL_TO_STRING = 0x02;

    /** The different symbols that were read. */
    private static final Set<String> SYMBOLS = ConcurrentHashMap.newKeySet();

    private final byte[] payload;
    private byte[] readable;
    private final ByteBuffer bytes;
    private int values;
    private int containers;
    private int otherKeys;

    private AmqpScanner(byte[] payload) {
        this.payload = payload;
        this.readable = payload;
        this.bytes = ByteBuffer.wrap(payload);
    }

    /**
     * Returns the values for a decoder; in a copy, symbols that it must not keep become strings.
     *
     * @throws org.signetmq.envelope.exception.MalformedEnvelopeException if the values are invalid or exceed a limit
     */
    static byte[] readable(byte[] payload) {
        AmqpScanner shape = new AmqpScanner(payload);
        try {
            while (shape.bytes.hasRemaining()) {
                shape.value(1);
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) { // a position behind the end
            throw AmqpBodyDecoder.malformed("an incomplete value");
        }
        return shape.readable;
    }

    private void value(int depth) {
        int code = constructor(depth);
        content(code, bytes.position() - 1, depth);
    }

    /** Reads the type code of a value, and its descriptor if it has one. */
    private int constructor(int depth) {
        if (depth > BodyLimits.DEPTH) {
            throw AmqpBodyDecoder.malformed("more than " + BodyLimits.DEPTH + " values inside each other");
        }
        int code = octet();
        if (code != DESCRIBED) {
            return code;
        }
        countContainer();
        value(depth + 1);
        return constructor(depth + 1);
    }

    private void countContainer() {
        if (++containers > BodyLimits.CONTAINERS) {
            throw AmqpBodyDecoder.malformed("more than " + BodyLimits.CONTAINERS + " lists, maps and arrays");
        }
    }

    /**
     * Checks a value and skips it.
     *
     * @param place the position of its type code
     */
    private void content(int code, int place, int depth) {
        if (++values > BodyLimits.VALUES) {
            throw AmqpBodyDecoder.malformed("more than " + BodyLimits.VALUES + " values");
        }
        if (code >> 4 >= 0xc || code == EMPTY_LIST) {
            countContainer();
        }
        switch (code >> 4) {
            case 0x4 -> skip(0);
            case 0x5 -> skip(1);
            case 0x6 -> skip(2);
            case 0x7 -> skip(4);
            case 0x8 -> skip(8);
            case 0x9 -> skip(16);
            case 0xa -> text(octet(), code, place);
            case 0xb -> text(number(), code, place);
            case 0xc -> compound(octet(), 1, code, depth);
            case 0xd -> compound(number(), 4, code, depth);
            case 0xe -> array(octet(), 1, depth);
            case 0xf -> array(number(), 4, depth);
            default -> throw AmqpBodyDecoder.malformed("an unknown type");
        }
    }

    private void text(int length, int code, int place) {
        int start = bytes.position();
        skip(length);
        boolean symbol = code == SHORT_SYMBOL || code == LONG_SYMBOL;
        if (symbol && !admits(payload, start, length)) {
            if (readable == payload) {
                readable = payload.clone();
            }
            readable[place] = (byte) (code ^ SYMBOL_TO_STRING);
        }
    }

    /** Returns whether proton-j may keep this symbol too. It keeps each one until the process ends. */
    private static boolean admits(byte[] bytes, int offset, int length) {
        if (length > BodyLimits.SYMBOL) {
            return false;
        }
        String symbol = new String(bytes, offset, length, StandardCharsets.US_ASCII);
        if (!SYMBOLS.contains(symbol) && SYMBOLS.size() >= BodyLimits.SYMBOLS) {
            return false;
        }
        SYMBOLS.add(symbol);
        return true;
    }

    private void compound(int size, int width, int code, int depth) {
        int end = end(size);
        int count = count(width);
        boolean map = code == SHORT_MAP || code == LONG_MAP;
        for (int i = 0; i < count; i++) {
            if (map && i % 2 == 0) {
                key();
            }
            value(depth + 1);
        }
        requireAt(end);
    }

    private void key() {
        int code = bytes.hasRemaining() ? bytes.get(bytes.position()) & 0xff : 0;
        if (code != SHORT_STRING && code != LONG_STRING && ++otherKeys > BodyLimits.OTHER_KEYS) {
            throw AmqpBodyDecoder.malformed("more than " + BodyLimits.OTHER_KEYS + " keys that are no strings");
        }
    }

    private void array(int size, int width, int depth) {
        int end = end(size);
        int count = count(width);
        int code = constructor(depth + 1);
        int place = bytes.position() - 1;
        if (count > size) {
            throw AmqpBodyDecoder.malformed("an array of elements without length");
        }
        for (int i = 0; i < count; i++) {
            content(code, place, depth + 1);
        }
        requireAt(end);
    }

    private int end(int size) {
        if (size > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        return bytes.position() + size;
    }

    private void requireAt(int end) {
        if (bytes.position() != end) {
            throw AmqpBodyDecoder.malformed("a size that does not fit its values");
        }
    }

    private int count(int width) {
        return width == 1 ? octet() : number();
    }

    private int octet() {
        return bytes.get() & 0xff;
    }

    /** Reads a length or a count. No body is that long if it is negative, so it is behind the end. */
    private int number() {
        int number = bytes.getInt();
        if (number < 0) {
            throw new BufferUnderflowException();
        }
        return number;
    }

    private void skip(int length) {
        bytes.position(bytes.position() + length);
    }
}
