/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.Arrays;
import java.util.List;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;

/**
 * The list that a shared signature covers: the SHA-256 hashes of the entities of several messages, one behind the other
 * in ascending order.
 *
 * @param encoded the hashes, 32 bytes each
 */
public record HashList(Slice encoded) {
    /** The digest algorithm of the hashes. */
    public static final String DIGEST = "SHA-256";

    /** The most hashes that Signet writes: 512 bytes for each message. */
    public static final int MOST_WRITTEN = Limits.LISTED_HASHES / 2;

    private static final int LENGTH = 32;

    /**
     * Reads a list.
     *
     * @throws MalformedEnvelopeException if it is empty, too long, not in ascending order, or has a hash twice
     */
    static HashList read(Slice encoded) {
        Malformed.when(
                encoded.length() == 0 || encoded.length() % LENGTH != 0, "envelope: its signed list is not of hashes");
        Limits.require(encoded.length() / LENGTH, Limits.LISTED_HASHES, "a signed list", "hashes");
        HashList list = new HashList(encoded);
        for (int i = 1; i < list.size(); i++) {
            int at = list.at(i);
            byte[] array = encoded.array();
            Malformed.when(
                    Arrays.compareUnsigned(array, at - LENGTH, at, array, at, at + LENGTH) >= 0,
                    "envelope: its signed list is not in ascending order");
        }
        return list;
    }

    /** Returns the encoding of these hashes, which are all different. */
    public static byte[] of(List<byte[]> hashes) {
        return DerWriter.concat(DerWriter.sorted(hashes.toArray(byte[][]::new)));
    }

    /** The number of hashes. */
    public int size() {
        return encoded.length() / LENGTH;
    }

    /** Tells whether this hash of 32 bytes is in the list. */
    public boolean contains(byte[] hash) {
        for (int i = 0; i < size(); i++) {
            int at = at(i);
            if (Arrays.equals(encoded.array(), at, at + LENGTH, hash, 0, hash.length)) {
                return true;
            }
        }
        return false;
    }

    private int at(int number) {
        return encoded.offset() + number * LENGTH;
    }
}
