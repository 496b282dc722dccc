/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes distinguished encodings (X.690 section 10) into one array, of a known size. For one thread. */
public final class DerWriter {
    private final byte[] array;
    private final int size;
    private int position;

    DerWriter(int size) {
        this(new byte[size], size);
    }

    private DerWriter(byte[] array, int size) {
        this.array = array;
        this.size = size;
    }

    /** A writer of so many bytes into this memory, or into an array of its own. */
    public static DerWriter in(@Nullable Memory memory, int size) {
        return memory == null ? new DerWriter(size) : new DerWriter(memory.atLeast(size), size);
    }

    /** How long an element is whose content is so long. */
    public static int sizeOf(int contentLength) {
        return 1 + lengthSize(contentLength) + contentLength;
    }

    /** An element of this tag and these contents, one after the other. */
    public static byte[] element(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        DerWriter writer = new DerWriter(sizeOf(length)).head(tag, length);
        for (byte[] content : contents) {
            writer.raw(content);
        }
        return writer.finish();
    }

    /** These bytes, one after the other. */
    public static byte[] concat(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        DerWriter writer = new DerWriter(length);
        for (byte[] part : parts) {
            writer.raw(part);
        }
        return writer.finish();
    }

    /** A SET OF these elements. */
    public static byte[] setOf(int tag, byte[]... elements) {
        return element(tag, sorted(elements));
    }

    /** These elements in the order that distinguished encodings ask for in a SET OF. */
    public static byte[][] sorted(byte[]... elements) {
        byte[][] sorted = elements.clone();
        Arrays.sort(sorted, Arrays::compareUnsigned);
        return sorted;
    }

    /** An OBJECT IDENTIFIER. */
    public static byte[] oid(String dotted) {
        try {
            return new org.bouncycastle.asn1.ASN1ObjectIdentifier(dotted).getEncoded();
        } catch (java.io.IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public DerWriter head(int tag, int contentLength) {
        array[position++] = (byte) tag;
        int octets = lengthSize(contentLength) - 1;
        if (octets > 0) {
            array[position++] = (byte) (0x80 | octets);
            for (int shift = 8 * (octets - 1); shift > 0; shift -= 8) {
                array[position++] = (byte) (contentLength >>> shift);
            }
        }
        array[position++] = (byte) contentLength;
        return this;
    }

    public DerWriter raw(byte[] bytes) {
        return raw(bytes, 0, bytes.length);
    }

    public DerWriter raw(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, array, position, length);
        position += length;
        return this;
    }

    /** Moves on without writing. */
    public DerWriter skip(int length) {
        position += length;
        return this;
    }

    public int position() {
        return position;
    }

    public byte[] array() {
        return array;
    }

    /** The array, which must be full. */
    byte[] finish() {
        return whole().array();
    }

    /** All that was to be written, which must be there. */
    public Slice whole() {
        if (position != size) {
            throw new IllegalStateException("DER: wrote " + position + " of " + size + " bytes");
        }
        return new Slice(array, 0, size);
    }

    private static int lengthSize(int length) {
        if (length < 0x80) {
            return 1;
        }
        if (length < 0x100) {
            return 2;
        }
        if (length < 0x10000) {
            return 3;
        }
        return length < 0x1000000 ? 4 : 5;
    }
}
