/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OID;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.oid;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.Slice;

/**
 * Recognises the beginning of a ContentInfo (RFC 5652 section 3) of any content type, in any basic encoding. It
 * verifies nothing, and reads no more than a few hundred bytes, except the recipient infos.
 */
public final class ContentInfoHead {
    /** The number of bytes that decide it in every encoding: two lengths of 127 bytes, an identifier and a tag. */
    public static final int LENGTH = 384;

    private static final int LONGEST_TYPE = 64;

    /** The head of a DER identifier: its tag and its length. */
    private static final int IDENTIFIER_HEAD = 2;

    /** INTEGER 0. */
    private static final byte[] VERSION = {0x02, 0x01, 0x00};

    private static final List<Other> OTHERS = List.of(
            new Other(Oids.DATA, "Data, which protects nothing"),
            new Other(oid("1.2.840.113549.1.7.3"), "EnvelopedData"),
            new Other(oid("1.2.840.113549.1.7.4"), "SignedAndEnvelopedData"),
            new Other(oid("1.2.840.113549.1.7.5"), "DigestedData, which has no key"),
            new Other(oid("1.2.840.113549.1.7.6"), "EncryptedData"),
            new Other(oid("1.2.840.113549.1.9.16.1.2"), "AuthenticatedData, which encrypts nothing"),
            new Other(oid("1.2.840.113549.1.9.16.1.9"), "CompressedData, which protects nothing"));

    /** A content type of CMS that no envelope has. Words that end with its name go on with its cipher. */
    private record Other(byte[] type, String words) {}

    private ContentInfoHead() {}

    /** Tells whether a ContentInfo begins with these bytes. The first {@link #LENGTH} bytes decide it. */
    public static boolean begins(Slice bytes) {
        return type(bytes) != null;
    }

    /** Returns the content of the identifier of the content type; null if no ContentInfo begins here. */
    private static @Nullable Slice type(Slice bytes) {
        byte[] array = bytes.array();
        int end = bytes.offset() + bytes.length();
        int type = enter(array, bytes.offset(), end, SEQUENCE);
        int start = enter(array, type, end, OID);
        if (start < 0) {
            return null;
        }
        long length = length(array, type + 1, start);
        if (length < 1 || length > LONGEST_TYPE || start + length >= end) {
            return null;
        }
        int next = start + (int) length;
        return (array[next] & 0xFF) == constructed(0) ? new Slice(array, start, (int) length) : null;
    }

    /** Returns the start of the content of the element at a position; -1 if it has another tag, or is cut off. */
    private static int enter(byte[] array, int position, int end, int tag) {
        if (position < 0 || end - position < 2 || (array[position] & 0xFF) != tag) {
            return -1;
        }
        int first = array[position + 1] & 0xFF;
        int content = position + 2 + (first > 0x80 ? first & 0x7F : 0);
        return content <= end ? content : -1;
    }

    /** Returns the length that these bytes state; -1 if it is indefinite, or above 2^55. */
    private static long length(byte[] array, int from, int to) {
        int first = array[from] & 0xFF;
        if (first <= 0x80) {
            return first == 0x80 ? -1 : first;
        }
        long length = 0;
        for (int i = from + 1; i < to; i++) {
            if (length >> 48 != 0) {
                return -1;
            }
            length = (length << Byte.SIZE) | (array[i] & 0xFF);
        }
        return length;
    }

    /**
     * Rejects a ContentInfo of another content type than those of envelopes, and names the type.
     *
     * @throws MalformedEnvelopeException if it has another content type, or its type is not encoded as DER
     */
    public static void rejectOther(Slice bytes) {
        Slice type = type(bytes);
        if (type == null || EnvelopeParser.looksSealed(bytes.array(), bytes.offset(), bytes.length())) {
            return;
        }
        for (Other other : OTHERS) {
            if (isOf(type, other.type())) {
                throw new MalformedEnvelopeException("envelope: " + other.words()
                        + (other.words().endsWith("Data") ? encryptedBy(cipher(bytes, type)) : ""));
            }
        }
        throw new MalformedEnvelopeException("envelope: neither SignedData nor AuthEnvelopedData");
    }

    private static String encryptedBy(@Nullable String cipher) {
        return ", which "
                + (cipher == null
                        ? "CBC or another cipher without authentication"
                        : cipher + ", a cipher without authentication,")
                + " encrypts; use AuthEnvelopedData with AES-256-GCM";
    }

    /**
     * Returns the name of the cipher in EnvelopedData, SignedAndEnvelopedData or EncryptedData. Null if the bytes do
     * not reach it, or the sets before it have no definite length.
     */
    private static @Nullable String cipher(Slice bytes, Slice type) {
        byte[] array = bytes.array();
        int end = bytes.offset() + bytes.length();
        int data = enter(array, enter(array, type.offset() + type.length(), end, constructed(0)), end, SEQUENCE);
        int at = skip(array, data, end, INTEGER);
        while (at >= 0 && at < end && (array[at] & 0xFF) != SEQUENCE) { // recipients, certificates, digests
            at = skip(array, at, end, (array[at] & 0xFF) == SET ? SET : constructed(0));
        }
        int algorithm = enter(array, skip(array, enter(array, at, end, SEQUENCE), end, OID), end, SEQUENCE);
        int behind = skip(array, algorithm, end, OID);
        return behind < 0 ? null : AlgorithmNames.of(new Slice(array, algorithm, behind - algorithm));
    }

    /** Returns the position behind the element at a position; -1 if it has another tag, or is cut off. */
    private static int skip(byte[] array, int position, int end, int tag) {
        int start = enter(array, position, end, tag);
        long length = start < 0 ? -1 : length(array, position + 1, start);
        return length < 0 || length > end - start ? -1 : start + (int) length;
    }

    private static boolean isOf(Slice type, byte[] encoded) {
        return Arrays.equals(
                type.array(), type.offset(), type.offset() + type.length(), encoded, IDENTIFIER_HEAD, encoded.length);
    }

    /** Returns the content of the recipient infos of AuthEnvelopedData; null if the bytes do not hold them as DER. */
    public static @Nullable Slice recipientInfos(Slice bytes) {
        Slice type = type(bytes);
        if (type == null || !isOf(type, Oids.AUTH_ENVELOPED_DATA)) {
            return null;
        }
        byte[] array = bytes.array();
        int end = bytes.offset() + bytes.length();
        int data = enter(array, enter(array, type.offset() + type.length(), end, constructed(0)), end, SEQUENCE);
        int infos = data < 0 || end - data < VERSION.length || !startsWith(array, data) ? -1 : data + VERSION.length;
        int start = enter(array, infos, end, SET);
        int behind = skip(array, infos, end, SET);
        return behind < 0 ? null : new Slice(array, start, behind - start);
    }

    private static boolean startsWith(byte[] array, int at) {
        return Arrays.equals(array, at, at + VERSION.length, VERSION, 0, VERSION.length);
    }
}
