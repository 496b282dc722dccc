/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.util.Arrays;
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

    private static final String TRUNCATED = "shorter than its length";

    private final byte[] array;
    private final int end;
    private int position;

    public DerReader(Slice slice) {
        this(slice.array(), slice.offset(), slice.offset() + slice.length());
    }

    private DerReader(byte[] array, int start, int end) {
        this.array = array;
        this.position = start;
        this.end = end;
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

    /** Tells whether the next element has this tag. */
    public boolean nextIs(int tag) {
        return position < end && (array[position] & 0xFF) == tag;
    }

    /** Returns the content of the next element, which must have this tag. */
    public Slice content(int tag) {
        int start = skipContent(tag);
        return new Slice(array, start, position - start);
    }

    /** Returns a reader of the content of the next element, which must have this tag. */
    public DerReader enter(int tag) {
        int start = skipContent(tag);
        return new DerReader(array, start, position);
    }

    /** Skips the next element, which must have this tag, and returns the start of its content. */
    private int skipContent(int tag) {
        rejectIf(!nextIs(tag), "unexpected element");
        position++;
        int length = length();
        int start = position;
        position += length;
        return start;
    }

    /** Returns the next element of any tag, with tag and length. */
    public Slice element() {
        int start = position;
        skip();
        return new Slice(array, start, position - start);
    }

    private void skip() {
        rejectIf(!hasMore(), "element missing");
        rejectIf((array[position] & 0x1F) == 0x1F, "unknown tag");
        position++;
        int length = length();
        position += length;
    }

    /** Reads the next element, which must equal these bytes. */
    public void expect(byte[] encoded, String what) {
        int start = position;
        skip();
        if (!Arrays.equals(array, start, position, encoded, 0, encoded.length)) {
            throw new MalformedEnvelopeException("envelope: unsupported " + what);
        }
    }

    /** Reads an INTEGER from 0 to 127. */
    public int smallInteger() {
        int start = skipContent(INTEGER);
        if (position - start != 1 || array[start] < 0) {
            throw new MalformedEnvelopeException("envelope: number out of range at byte " + start);
        }
        return array[start];
    }

    /** Rejects further bytes. */
    public void end() {
        rejectIf(hasMore(), "unexpected data");
    }

    private int length() {
        rejectIf(!hasMore(), TRUNCATED);
        int first = array[position++] & 0xFF;
        int length = first < 0x80 ? first : longLength(first & 0x7F);
        rejectIf(length > end - position, TRUNCATED);
        return length;
    }

    private int longLength(int octets) {
        rejectIf(octets == 0 || octets > 4 || octets > end - position, "length not definite or too long");
        long length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << 8) | (array[position++] & 0xFF);
        }
        rejectIf(
                length < 0x80 || (length >>> (8 * (octets - 1))) == 0 || length > Integer.MAX_VALUE,
                "length not minimal");
        return (int) length;
    }

    private void rejectIf(boolean wrong, String problem) {
        if (wrong) {
            throw new MalformedEnvelopeException("envelope: " + problem + " at byte " + position);
        }
    }
}
