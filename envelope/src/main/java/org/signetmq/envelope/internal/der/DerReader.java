/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * Reads distinguished encodings (X.690 section 10) only. Every length is minimal, definite and inside its parent, so
 * the same value has no second encoding. The reader never allocates memory by a claimed length. For one thread.
 */
public final class DerReader {
    public static final int SEQUENCE = 0x30;
    public static final int SET = 0x31;
    public static final int INTEGER = 0x02;
    public static final int BIT_STRING = 0x03;
    public static final int OCTET_STRING = 0x04;
    public static final int OID = 0x06;

    private final byte[] array;
    private final int end;
    private int position;

    public DerReader(Slice slice) {
        this.array = slice.array();
        this.position = slice.offset();
        this.end = slice.offset() + slice.length();
    }

    /** Tag of the constructed context-specific element [number]. */
    public static int constructed(int number) {
        return 0xA0 | number;
    }

    /** Tag of the primitive context-specific element [number]. */
    public static int primitive(int number) {
        return 0x80 | number;
    }

    public boolean hasMore() {
        return position < end;
    }

    /** Whether the next element has this tag. */
    public boolean nextIs(int tag) {
        return position < end && (array[position] & 0xFF) == tag;
    }

    /** Returns the content of the next element, which must have this tag. */
    public Slice content(int tag) {
        if (!nextIs(tag)) {
            throw new MalformedEnvelopeException("envelope: unexpected element at byte " + position);
        }
        position++;
        int length = length();
        Slice content = new Slice(array, position, length);
        position += length;
        return content;
    }

    /** Returns a reader of the content of the next element, which must have this tag. */
    public DerReader enter(int tag) {
        return new DerReader(content(tag));
    }

    /** Returns the next element of any tag, with tag and length. */
    public Slice element() {
        int start = position;
        if (!hasMore()) {
            throw new MalformedEnvelopeException("envelope: element missing at byte " + position);
        }
        if ((array[position] & 0x1F) == 0x1F) {
            throw new MalformedEnvelopeException("envelope: unknown tag at byte " + position);
        }
        position++;
        int length = length();
        position += length;
        return new Slice(array, start, position - start);
    }

    /** Reads the next element, which must equal these bytes. */
    public void expect(byte[] encoded, String what) {
        if (!element().contentEquals(encoded)) {
            throw new MalformedEnvelopeException("envelope: unsupported " + what);
        }
    }

    /** Reads an INTEGER from 0 to 127. */
    public int smallInteger() {
        Slice content = content(INTEGER);
        if (content.length() != 1 || array[content.offset()] < 0) {
            throw new MalformedEnvelopeException("envelope: number out of range at byte " + content.offset());
        }
        return array[content.offset()];
    }

    /** Rejects further bytes. */
    public void end() {
        if (hasMore()) {
            throw new MalformedEnvelopeException("envelope: unexpected data at byte " + position);
        }
    }

    private int length() {
        if (!hasMore()) {
            throw truncated();
        }
        int first = array[position++] & 0xFF;
        int length = first < 0x80 ? first : longLength(first & 0x7F);
        if (length > end - position) {
            throw truncated();
        }
        return length;
    }

    private int longLength(int octets) {
        if (octets == 0 || octets > 4 || octets > end - position) {
            throw new MalformedEnvelopeException("envelope: length not definite or too long at byte " + position);
        }
        long length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << 8) | (array[position++] & 0xFF);
        }
        if (length < 0x80 || (length >>> (8 * (octets - 1))) == 0 || length > Integer.MAX_VALUE) {
            throw new MalformedEnvelopeException("envelope: length not minimal at byte " + position);
        }
        return (int) length;
    }

    private MalformedEnvelopeException truncated() {
        return new MalformedEnvelopeException("envelope: shorter than its length at byte " + position);
    }
}
