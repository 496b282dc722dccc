/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.sizeOf;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.format.HeaderName;

/**
 * Tells whether encrypted content begins as it must. AES-GCM alone does not commit: a sender who chooses two data keys
 * can make one ciphertext with one tag that opens to different texts under both. Content whose first 32 bytes are known
 * from its length opens under one key alone, because two keys whose first two blocks of key stream agree cost some
 * 2^125 encryptions to find.
 */
public final class Commitment {
    private static final byte[] ENTITY = HeaderName.COMMITTING_LINES.getBytes(US_ASCII);

    /** SignedData behind its length: version 1 or 3, and one SHA-2 digest without parameters or with NULL. */
    private static final List<byte[]> SIGNED_DATA = List.of(
            bytes("020103310d300b06096086480165030402"),
            bytes("020101310d300b06096086480165030402"),
            bytes("020103310f300d06096086480165030402"),
            bytes("020101310f300d06096086480165030402"));

    /** AuthEnvelopedData behind its length: version 0 and the tag of the recipient infos. */
    private static final List<byte[]> ENCRYPTED = List.of(bytes("02010031"));

    /** A ContentInfo of SignedData with indefinite lengths. */
    private static final byte[] INDEFINITE = DerWriter.concat(bytes("3080"), Oids.SIGNED_DATA, bytes("a0803080"));

    private Commitment() {}

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** Tells whether the first bytes of an array, decrypted content of this length, commit to the key. */
    public static boolean holds(byte[] content, int length) {
        return startsWith(content, length, 0, ENTITY)
                || begins(content, length, Oids.SIGNED_DATA, SIGNED_DATA)
                || begins(content, length, Oids.AUTH_ENVELOPED_DATA, ENCRYPTED);
    }

    /** Tells whether the content begins as a ContentInfo, with the lengths of DER, or as streamed SignedData. */
    private static boolean begins(byte[] content, int length, byte[] type, List<byte[]> versions) {
        byte[] head = startsWith(content, length, 0, INDEFINITE) ? INDEFINITE : head(length, type);
        return startsWith(content, length, 0, head)
                && versions.stream().anyMatch(version -> startsWith(content, length, head.length, version));
    }

    /** Returns the head that DER gives a content of this length; that of indefinite lengths if there is none. */
    private static byte[] head(int length, byte[] type) {
        int info = contentOf(length);
        int explicit = contentOf(info - type.length);
        int data = contentOf(explicit);
        if (data < 0) {
            return INDEFINITE;
        }
        return DerWriter.in(null, length - data)
                .head(SEQUENCE, info)
                .raw(type)
                .head(constructed(0), explicit)
                .head(SEQUENCE, data)
                .whole()
                .array();
    }

    /** Returns the length of the content of an element of this length; -1 if no element has this length. */
    private static int contentOf(int size) {
        for (int content = size - 2; content >= 0 && content >= size - 6; content--) {
            if (sizeOf(content) == size) {
                return content;
            }
        }
        return -1;
    }

    private static boolean startsWith(byte[] content, int length, int at, byte[] prefix) {
        return at + prefix.length <= length && Arrays.equals(content, at, at + prefix.length, prefix, 0, prefix.length);
    }
}
