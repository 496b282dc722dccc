/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import org.jspecify.annotations.Nullable;

/** The last headers of some addresses, two for each. Bounded in number and bytes. For one thread. */
final class KnownHeaders {
    /** The number of addresses, a power of two. Addresses of equal hash replace each other. */
    private static final int ADDRESSES = 16;

    /** The length in bytes of the longest header that is kept. */
    private static final int MOST_BYTES = 1024;

    private final @Nullable KnownHeader[] last = new KnownHeader[ADDRESSES];
    private final @Nullable KnownHeader[] lastButOne = new KnownHeader[ADDRESSES];

    /**
     * Finds a header like that in these bytes; null if there is none.
     *
     * @param address the address that the message should have
     */
    @Nullable
    KnownHeader find(String address, byte[] bytes, int offset, int length) {
        int slot = slot(address);
        KnownHeader known = last[slot];
        if (known == null || known.isLike(bytes, offset, length)) {
            return known;
        }
        known = lastButOne[slot];
        return known != null && known.isLike(bytes, offset, length) ? known : null;
    }

    /** Keeps a header that is not known. */
    void remember(String address, KnownHeader header) {
        if (header.bytes().length <= MOST_BYTES && header.head().segment() == null) { // each segment has another header
            int slot = slot(address);
            lastButOne[slot] = last[slot];
            last[slot] = header;
        }
    }

    private static int slot(String address) {
        int hash = address.hashCode();
        return (hash ^ hash >>> 16) & (ADDRESSES - 1);
    }
}
