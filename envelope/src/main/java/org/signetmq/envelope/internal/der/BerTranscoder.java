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
import org.signetmq.envelope.internal.format.Malformed;

/**
 * Converts basic encodings (indefinite and long lengths, strings in parts, unsorted sets) to distinguished ones.
 * Signatures stay valid, because signers sign the distinguished encoding of attributes. The transcoder allocates the
 * result once. Its time is proportional to elements and depth, which are limited. For one encoding.
 */
public final class BerTranscoder {
    private static final String NOT_ASN1 = "envelope: not ASN.1";
    private static final int CONSTRUCTED = 0x20;
    private static final int STRING_IN_PARTS = CONSTRUCTED | OCTET_STRING;

    /** Tags from this number on have more than one byte. */
    private static final int LONG_TAG = 0x1F;

    private final byte[] in;
    private final int end;
    private final int mostElements;
    private int elements;
    private int position;

    /** The end of the content behind the head that was read last; the latest possible end of an indefinite one. */
    private int contentEnd;

    /** Tells whether that element has an indefinite length. */
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

    /**
     * Returns the distinguished encoding of one object, or null if these bytes are distinguished already.
     *
     * @param spare takes the result if it is long enough; its content is lost
     * @throws MalformedEnvelopeException if the bytes are not one object, or exceed a limit
     */
    public static @Nullable Slice toDer(Slice ber, byte[] spare) {
        BerTranscoder measuring = new BerTranscoder(ber, Limits.ELEMENTS);
        int length = measuring.measure(1, measuring.end);
        Malformed.when(measuring.position != measuring.end, "envelope: not one ASN.1 object");
        Slice der = new Slice(spare.length < length ? new byte[length] : spare, 0, length);
        new BerTranscoder(ber, Integer.MAX_VALUE).write(der.array(), 0, 1); // the first pass has counted the elements
        return !measuring.changes && ber.contentEquals(der) ? null : der;
    }

    /** Reads a tag and a length, and returns the tag. */
    private int head(int depth, int limit) {
        Malformed.when(depth > Limits.DEPTH, "envelope: ASN.1 of more than " + Limits.DEPTH + " levels");
        Malformed.when(elements++ == mostElements, "envelope: ASN.1 of more than " + Limits.ELEMENTS + " elements");
        Malformed.when(limit - position < 2, NOT_ASN1);
        int tag = in[position++] & 0xFF;
        Malformed.when((tag & LONG_TAG) == LONG_TAG || tag == 0, NOT_ASN1);
        int first = in[position++] & 0xFF;
        indefinite = first == 0x80;
        if (indefinite) {
            contentEnd = limit;
            changes = true;
        } else {
            int length = first < 0x80 ? first : longLength(first & 0x7F, limit);
            contentEnd = position + length;
        }
        Malformed.when(
                contentEnd > limit || contentEnd < position || (indefinite && (tag & CONSTRUCTED) == 0), NOT_ASN1);
        return tag;
    }

    private int longLength(int octets, int limit) {
        Malformed.when(octets > limit - position, NOT_ASN1);
        long length = 0;
        for (int i = 0; i < octets; i++) {
            length = (length << Byte.SIZE) | (in[position++] & 0xFF);
            Malformed.when(length > limit, NOT_ASN1);
        }
        Malformed.when(length > limit - position, NOT_ASN1);
        return (int) length;
    }

    /** Tells whether another element follows. Skips the mark that ends content of an indefinite length. */
    private boolean hasMore(int until, boolean withMark) {
        if (!withMark) {
            return position < until;
        }
        Malformed.when(until - position < 2, NOT_ASN1);
        boolean mark = in[position] == 0 && in[position + 1] == 0;
        position += mark ? 2 : 0;
        return !mark;
    }

    /** Skips the next element and returns the length of its distinguished encoding. */
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

    /** Skips the parts of a string and returns the length of the whole string. */
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

    /** Reads the head of a part of a string, and returns whether the part has no parts itself. */
    private boolean isWholePart(int depth, int until) {
        int tag = head(depth, until);
        Malformed.when((tag & ~CONSTRUCTED) != OCTET_STRING, NOT_ASN1);
        return tag == OCTET_STRING;
    }

    /** Writes the distinguished encoding of the next element, and returns the end of the encoding. */
    private int write(byte[] out, int at, int depth) {
        int start = position;
        int whole = measure(depth, end);
        int after = position;
        position = start;
        int tag = head(depth, end);
        int length = contentLength(whole);
        int content = DerWriter.head(out, at, tag == STRING_IN_PARTS ? OCTET_STRING : tag, length);
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

    /** The length of the content of an element of this length. */
    private static int contentLength(int whole) {
        int head = 2;
        while (DerWriter.sizeOf(whole - head) != whole) {
            head++;
        }
        return whole - head;
    }

    /** Writes the parts of a string after its head was read. */
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

    /** Writes the members of an element after its head was read. */
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

    /** Sorts the members of a set by their encodings. */
    private void sort(Slice set) {
        Limits.require(set.length(), Limits.UNSORTED_SET, "a set in the wrong order");
        Malformed.when(
                ++unsortedSets > Limits.UNSORTED_SETS,
                "envelope: more than " + Limits.UNSORTED_SETS + " sets in the wrong order");
        if (unsorted.length < set.length()) {
            unsorted = new byte[Limits.UNSORTED_SET];
        }
        set.copyTo(unsorted, 0);
        List<Slice> members = new ArrayList<>();
        DerReader reader = new DerReader(new Slice(unsorted, 0, set.length()));
        while (reader.hasMore()) {
            Malformed.when(
                    members.size() == Limits.RECIPIENTS,
                    "envelope: more than " + Limits.RECIPIENTS + " elements in a set in the wrong order");
            members.add(reader.element());
        }
        members.sort(BerTranscoder::compare);
        int at = set.offset();
        for (Slice member : members) {
            member.copyTo(set.array(), at);
            at += member.length();
        }
    }

    private static int compare(Slice one, Slice other) {
        int end = one.offset() + one.length();
        int otherEnd = other.offset() + other.length();
        return Arrays.compareUnsigned(one.array(), one.offset(), end, other.array(), other.offset(), otherEnd);
    }
}
