/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crl;

import java.util.Arrays;

/** Reads the DER elements of an array one after the other. It copies nothing. For one thread. */
final class DerCursor {
    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int UTC_TIME = 0x17;
    static final int GENERALIZED_TIME = 0x18;
    static final int SEQUENCE = 0x30;
    static final int EXPLICIT_0 = 0xa0;

    /** The most bytes of a length. With three, an element has at most 16 MiB. */
    private static final int MOST_LENGTH_BYTES = 3;

    private final byte[] bytes;
    private final int end;
    private int at;

    /**
     * One element.
     *
     * @param start the place of its tag
     * @param content the place of its content
     * @param end the place behind it
     */
    record Element(int tag, int start, int content, int end) {
        boolean isTime() {
            return tag == UTC_TIME || tag == GENERALIZED_TIME;
        }

        byte[] encoded(byte[] bytes) {
            return Arrays.copyOfRange(bytes, start, end);
        }
    }

    DerCursor(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Creates a cursor that begins at this place. */
    DerCursor(byte[] bytes, int from) {
        this(bytes, from, bytes.length);
    }

    private DerCursor(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    boolean hasNext() {
        return at < end;
    }

    /** Tells whether there is a next element, and whether it has this tag. */
    boolean isNext(int tag) {
        return hasNext() && (bytes[at] & 0xff) == tag;
    }

    /** Returns the next element, and goes on behind it. */
    Element next() {
        int start = at;
        int tag = octet();
        int length = octet();
        if (length > 0x7f) {
            int count = length & 0x7f;
            require(count >= 1 && count <= MOST_LENGTH_BYTES);
            length = 0;
            for (int i = 0; i < count; i++) {
                length = length << 8 | octet();
            }
            require(length > 0x7f && (count == 1 || length >>> (8 * (count - 1)) != 0));
        }
        require((tag & 0x1f) != 0x1f && length <= end - at);
        Element element = new Element(tag, start, at, at + length);
        at += length;
        return element;
    }

    /** Returns the next element, which must have this tag. */
    Element next(int tag) {
        require(isNext(tag));
        return next();
    }

    /** Returns a cursor of the elements inside an element. */
    DerCursor inside(Element element) {
        return new DerCursor(bytes, element.content(), element.end());
    }

    /** Rejects elements that nothing has read. */
    void requireEnd() {
        require(!hasNext());
    }

    private int octet() {
        require(at < end);
        return bytes[at++] & 0xff;
    }

    static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("not DER of the expected structure");
        }
    }
}
