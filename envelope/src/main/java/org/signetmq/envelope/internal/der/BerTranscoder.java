/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SET;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Limits;

/**
 * Turns the basic encodings that other software writes (indefinite and long lengths, strings in parts, sets in any
 * order) into distinguished ones. Signed attributes are signed in their distinguished encoding, so signatures stay
 * valid. Takes memory once, for the result, and time in proportion to elements and depth, which are limited. For one
 * encoding.
 */
public final class BerTranscoder {
    private static final int CONSTRUCTED = 0x20;
    private static final int STRING_IN_PARTS = CONSTRUCTED | OCTET_STRING;

    /** Tags from this number on have more than one byte. */
    private static final int LONG_TAG = 0x1F;

    private final byte[] in;
    private final int end;
    private final int mostElements;
    private int elements;
    private int position;

    /** Where the content of the element ends whose head was read last; at the latest, if it does not say. */
    private int contentEnd;

    /** Whether that element does not say where its content ends. */
    private boolean indefinite;

    private boolean changes;
    private byte[] unsorted = {};
    private int unsortedSets;

    private BerTranscoder(Slice ber, int mostElements) {
        this.in = ber.array();
        this.position = ber.offset();
        this.end = ber.offset() + ber.length();
        this.mostElements = mostElements;
    }

    /** As {@link #toDer(Slice, byte[])}, in an array of its own. */
    static @Nullable Slice toDer(Slice ber) {
        return toDer(ber, new byte[0]);
    }

    /**
     * The distinguished encoding of one object, or null if these bytes are one already.
     *
     * @param spare where the result goes if it is long enough; else an array of its own is made
     * @throws MalformedEnvelopeException if they are no object, more than one, or beyond a limit
     */
    static @Nullable public Slice toDer(Slice ber, byte[] spare) {
        BerTranscoder measuring = new BerTranscoder(ber, Limits.ELEMENTS);
        int length = measuring.measure(1, measuring.end);
        if (measuring.position != measuring.end) {
            throw new MalformedEnvelopeException("envelope: not one ASN.1 object");
        }
        Slice der = new Slice(spare.length < length ? new byte[length] : spare, 0, length);
        new BerTranscoder(ber, Integer.MAX_VALUE).write(der.array(), 0, 1); // counted once is enough
        return !measuring.changes && ber.contentEquals(der) ? null : der;
    }

    /** Reads a tag, which it returns, and a length. */
    private int head(int depth, int limit) {
        if (depth > Limits.DEPTH) {
            throw new MalformedEnvelopeException("envelope: ASN.1 of more than " + Limits.DEPTH + " levels");
        }
        if (elements++ == mostElements) {
            throw new MalformedEnvelopeException("envelope: ASN.1 of more than " + mostElements + " elements");
        }
        if (limit - position < 2) {
            throw notAsn1();
        }
        int tag = in[position++] & 0xFF;
        if ((tag & LONG_TAG) == LONG_TAG || tag == 0) {
            throw notAsn1();
        }
        int first = in[position++] & 0xFF;
        indefinite = first == 0x80;
        if (indefinite) {
            contentEnd = limit;
            changes = true;
        } else {
            int length = first < 0x80 ? first : longLength(first & 0x7F, limit);
            contentEnd = position + length;
        }
        if (contentEnd > limit || contentEnd < position || (indefinite && (tag & CONSTRUCTED) == 0)) {
            throw notAsn1();
        }
        return tag;
    }

    private int longLength(int octets, int limit) {
        if (octets > limit - position) {
            throw notAsn1();
        }
        long length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << Byte.SIZE) | (in[position++] & 0xFF);
            if (length > limit) {
                throw notAsn1();
            }
        }
        if (length > limit - position) {
            throw notAsn1();
        }
        return (int) length;
    }

    /** Whether another element follows; reads over the mark at the end of content that does not say where it ends. */
    private boolean hasMore(int until, boolean withMark) {
        if (!withMark) {
            return position < until;
        }
        if (until - position < 2) {
            throw notAsn1();
        }
        boolean mark = in[position] == 0 && in[position + 1] == 0;
        position += mark ? 2 : 0;
        return !mark;
    }

    /** The length of the distinguished encoding of the next element, which is read over. */
    private int measure(int depth, int limit) {
        int tag = head(depth, limit);
        int until = contentEnd;
        boolean withMark = indefinite;
        if ((tag & CONSTRUCTED) == 0) {
            int length = until - position;
            position = until;
            return DerWriter.sizeOf(length);
        }
        int length = 0;
        if (tag == STRING_IN_PARTS) {
            changes = true;
            length = measureParts(depth, until, withMark);
        } else {
            while (hasMore(until, withMark)) {
                length += measure(depth + 1, until);
            }
        }
        return DerWriter.sizeOf(length);
    }

    /** The length of a string, put together. */
    private int measureParts(int depth, int until, boolean withMark) {
        int length = 0;
        while (hasMore(until, withMark)) {
            if (isWholePart(depth + 1, until)) {
                length += contentEnd - position;
                position = contentEnd;
            } else {
                length += measureParts(depth + 1, contentEnd, indefinite);
            }
        }
        return length;
    }

    /** Reads the head of a part of a string, which may have parts itself. */
    private boolean isWholePart(int depth, int until) {
        int tag = head(depth, until);
        if ((tag & ~CONSTRUCTED) != OCTET_STRING) {
            throw notAsn1();
        }
        return tag == OCTET_STRING;
    }

    /** Writes the distinguished encoding of the next element, and returns where it ends. */
    private int write(byte[] out, int at, int depth) {
        int start = position;
        int whole = measure(depth, end);
        int after = position;
        position = start;
        int tag = head(depth, end);
        int length = contentLength(whole);
        int content = writeHead(out, at, tag == STRING_IN_PARTS ? OCTET_STRING : tag, length);
        if ((tag & CONSTRUCTED) == 0) {
            System.arraycopy(in, position, out, content, length);
        } else if (tag == STRING_IN_PARTS) {
            writeParts(out, content, depth);
        } else {
            writeMembers(out, content, depth, tag == SET);
        }
        position = after;
        return at + whole;
    }

    /** The length of the content of an element that is so long as a whole. */
    private static int contentLength(int whole) {
        int head = 2;
        while (DerWriter.sizeOf(whole - head) != whole) {
            head++;
        }
        return whole - head;
    }

    /** Returns where the content begins. */
    private static int writeHead(byte[] out, int at, int tag, int length) {
        int octets = DerWriter.sizeOf(length) - length - 2;
        int next = at;
        out[next++] = (byte) tag;
        if (octets > 0) {
            out[next++] = (byte) (0x80 | octets);
            for (int shift = Byte.SIZE * (octets - 1); shift > 0; shift -= Byte.SIZE) {
                out[next++] = (byte) (length >>> shift);
            }
        }
        out[next++] = (byte) length;
        return next;
    }

    /** The head of the string was read last. */
    private int writeParts(byte[] out, int at, int depth) {
        int until = contentEnd;
        boolean withMark = indefinite;
        int written = at;
        while (hasMore(until, withMark)) {
            if (isWholePart(depth + 1, until)) {
                int length = contentEnd - position;
                System.arraycopy(in, position, out, written, length);
                position = contentEnd;
                written += length;
            } else {
                written = writeParts(out, written, depth + 1);
            }
        }
        return written;
    }

    /** The head of the element was read last. */
    private void writeMembers(byte[] out, int at, int depth, boolean set) {
        int until = contentEnd;
        boolean withMark = indefinite;
        boolean inOrder = true;
        int before = at;
        int written = at;
        while (hasMore(until, withMark)) {
            int start = written;
            written = write(out, written, depth + 1);
            if (set) {
                inOrder &= Arrays.compareUnsigned(out, before, start, out, start, written) <= 0;
                before = start;
            }
        }
        if (!inOrder) {
            sort(new Slice(out, at, written - at));
        }
    }

    /** Puts the members of a set into the order of their encodings. */
    private void sort(Slice set) {
        Limits.require(set.length(), Limits.UNSORTED_SET, "a set in the wrong order");
        if (++unsortedSets > Limits.UNSORTED_SETS) {
            throw new MalformedEnvelopeException(
                    "envelope: more than " + Limits.UNSORTED_SETS + " sets in the wrong order");
        }
        if (unsorted.length < set.length()) {
            unsorted = new byte[Limits.UNSORTED_SET];
        }
        System.arraycopy(set.array(), set.offset(), unsorted, 0, set.length());
        List<Slice> members = new ArrayList<>();
        DerReader reader = new DerReader(new Slice(unsorted, 0, set.length()));
        while (reader.hasMore()) {
            if (members.size() == Limits.RECIPIENTS) {
                throw new MalformedEnvelopeException(
                        "envelope: more than " + Limits.RECIPIENTS + " elements in a set in the wrong order");
            }
            members.add(reader.element());
        }
        members.sort(BerTranscoder::compare);
        int at = set.offset();
        for (Slice member : members) {
            System.arraycopy(unsorted, member.offset(), set.array(), at, member.length());
            at += member.length();
        }
    }

    private static int compare(Slice one, Slice other) {
        return Arrays.compareUnsigned(
                one.array(),
                one.offset(),
                one.offset() + one.length(),
                other.array(),
                other.offset(),
                other.offset() + other.length());
    }

    private static MalformedEnvelopeException notAsn1() {
        return new MalformedEnvelopeException("envelope: not ASN.1");
    }
}
