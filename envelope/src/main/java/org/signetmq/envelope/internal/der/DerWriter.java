/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes distinguished encodings (X.690 section 10) of a known size into one array. For one thread. */
public final class DerWriter {
    private final byte[] array;
    private final int start;
    private final int size;
    private int position;

    DerWriter(int size) {
        this(Slice.of(new byte[size]));
    }

    private DerWriter(Slice memory) {
        this.array = memory.array();
        this.start = memory.offset();
        this.size = memory.length();
        this.position = start;
    }

    /** Returns a writer of this number of bytes into the memory, or into a new array if the memory is null. */
    public static DerWriter in(@Nullable EncodingMemory memory, int size) {
        return memory == null ? new DerWriter(size) : new DerWriter(memory.take(size));
    }

    /** The length of an element with content of this length. */
    public static int sizeOf(int contentLength) {
        return 1 + lengthSize(contentLength) + contentLength;
    }

    /** Returns an element of this tag. Its content is the concatenation of the contents. */
    public static byte[] element(int tag, byte[]... contents) {
        int length = lengthOf(contents);
        return new DerWriter(sizeOf(length)).head(tag, length).finish(contents);
    }

    /** Concatenates the parts. */
    public static byte[] concat(byte[]... parts) {
        return new DerWriter(lengthOf(parts)).finish(parts);
    }

    private static int lengthOf(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        return length;
    }

    /** Returns these elements in the order of a distinguished SET OF. */
    public static byte[][] sorted(byte[]... elements) {
        byte[][] sorted = elements.clone();
        Arrays.sort(sorted, Arrays::compareUnsigned);
        return sorted;
    }

    /** Encodes an OBJECT IDENTIFIER. */
    public static byte[] oid(String dotted) {
        try {
            return new org.bouncycastle.asn1.ASN1ObjectIdentifier(dotted).getEncoded();
        } catch (java.io.IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public DerWriter head(int tag, int contentLength) {
        position = head(array, position, tag, contentLength);
        return this;
    }

    /** Writes a tag and a length, and returns the start of the content. */
    static int head(byte[] out, int at, int tag, int contentLength) {
        int octets = lengthSize(contentLength) - 1;
        int next = at;
        out[next++] = (byte) tag;
        if (octets > 0) {
            out[next++] = (byte) (0x80 | octets);
            for (int shift = Byte.SIZE * (octets - 1); shift > 0; shift -= Byte.SIZE) {
                out[next++] = (byte) (contentLength >>> shift);
            }
        }
        out[next++] = (byte) contentLength;
        return next;
    }

    public DerWriter raw(byte[] bytes) {
        return raw(bytes, 0, bytes.length);
    }

    public DerWriter raw(byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, array, position, length);
        position += length;
        return this;
    }

    /** Skips bytes of the array without writing. */
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

    /** Writes the last parts, and returns the full array. */
    private byte[] finish(byte[]... parts) {
        for (byte[] part : parts) {
            raw(part);
        }
        return whole().array();
    }

    /** Returns the written bytes, which must be complete. */
    public Slice whole() {
        if (position - start != size) {
            throw new IllegalStateException("DER: wrote " + (position - start) + " of " + size + " bytes");
        }
        return new Slice(array, start, size);
    }

    private static int lengthSize(int length) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(length);
        return length < 0x80 ? 1 : 1 + (bits + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** Provides the memory for one encoding, whose length is known before the first byte is written. */
    @FunctionalInterface
    public interface EncodingMemory {
        /** Returns a slice of this length, which the encoding fills. */
        Slice take(int length);
    }
}
