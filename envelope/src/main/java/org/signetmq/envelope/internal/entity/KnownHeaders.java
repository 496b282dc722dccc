/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import org.jspecify.annotations.Nullable;

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
}
