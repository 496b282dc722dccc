/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.Entity;

/**
 * The last headers that were different. One serves all addresses and messages of a producer. Bounded in number and
 * bytes. For one thread.
 */
final class KnownHeaders {
    /** The number of headers that are kept, a power of two. */
    static final int KEPT = 16;

    /** The length in bytes of the longest header that is kept. */
    private static final int MOST_BYTES = 1024;

    private final @Nullable KnownHeader[] kept = new KnownHeader[KEPT];

    /** The header that was found last for addresses of equal hash, to which the search comes first. */
    private final int[] last = new int[KEPT];

    private int next;

    /**
     * Finds a header like that in these bytes; null if there is none.
     *
     * @param encoded the address that the header should have, as it stands in headers
     */
    @Nullable
    KnownHeader find(String encoded, byte[] bytes, int offset, int length) {
        int slot = slot(encoded);
        for (int i = 0; i < KEPT; i++) {
            int place = (last[slot] + i) & (KEPT - 1);
            KnownHeader known = kept[place];
            if (known != null && known.isLike(encoded, bytes, offset, length)) {
                last[slot] = place;
                return known;
            }
        }
        return null;
    }

    /** Keeps a header that is not known, in place of the eldest. */
    void remember(KnownHeader header) {
        if (header.bytes().length <= MOST_BYTES && header.isComparable()) {
            kept[next] = header;
            next = (next + 1) & (KEPT - 1);
        }
    }

    private static int slot(String address) {
        int hash = address.hashCode();
        return (hash ^ hash >>> 16) & (KEPT - 1);
    }

    /**
     * A header that was read before. Headers of one producer mostly differ only in the digits of the Message-ID, and in
     * the address if it sends replies. Equal bytes have an equal meaning, so the comparison trusts no sender.
     * Immutable.
     *
     * @param bytes the header with its blank line
     * @param places where its parts are that differ
     * @param head its entity, without a payload
     * @param encoding the value of Signet-Encoding, or null
     */
    record KnownHeader(
            byte[] bytes,
            Places places,
            Entity head,
            @Nullable String encoding) {
        /**
         * The positions of the parts that differ between headers.
         *
         * @param digits of the Message-ID
         * @param address the start of the address
         * @param afterAddress the end of the address
         */
        record Places(int digits, int address, int afterAddress) {
            private int afterDigits() {
                return digits + EntityReader.ID_LENGTH;
            }
        }

        /** Tells whether headers can be compared with this one: the Message-ID must come first. */
        boolean isComparable() {
            return places.afterDigits() < places.address && head.segment() == null; // each segment has another header
        }

        /** The length in bytes of a header that is like this one, but for an address of this length. */
        int length(int addressLength) {
            return bytes.length + addressLength - (places.afterAddress - places.address);
        }

        /**
         * Tells whether a header in these bytes has this address, and differs otherwise only in the digits of the
         * Message-ID.
         *
         * @param encoded the address as it stands in headers
         */
        boolean isLike(String encoded, byte[] other, int offset, int length) {
            int whole = length(encoded.length());
            int digits = offset + places.digits;
            int behind = offset + places.address + encoded.length();
            return whole <= Math.min(length, HeaderName.MOST_HEADER_BYTES)
                    && Arrays.equals(other, offset, digits, bytes, 0, places.digits)
                    && Arrays.equals(
                            other,
                            digits + EntityReader.ID_LENGTH,
                            offset + places.address,
                            bytes,
                            places.afterDigits(),
                            places.address)
                    && Arrays.equals(other, behind, offset + whole, bytes, places.afterAddress, bytes.length)
                    && isText(encoded, other, offset + places.address)
                    && areDigits(other, digits);
        }

        private static boolean isText(String text, byte[] bytes, int start) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) != bytes[start + i]) {
                    return false;
                }
            }
            return true;
        }

        private static boolean areDigits(byte[] bytes, int start) {
            for (int i = start; i < start + EntityReader.ID_LENGTH; i++) {
                if (!EntityReader.isDigit((char) bytes[i])) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the Message-ID of a header like this one. */
        String messageId(byte[] other, int offset) {
            return new String(other, offset + places.digits, EntityReader.ID_LENGTH, US_ASCII);
        }

        /** Returns the entity of a header like this one, with another Message-ID and address. */
        Entity entity(String messageId, String address, byte[] payload) {
            return new Entity(
                    head.contentType(),
                    messageId,
                    address,
                    head.body(),
                    head.attribution(),
                    head.segment(),
                    head.properties(),
                    payload);
        }
    }
}
