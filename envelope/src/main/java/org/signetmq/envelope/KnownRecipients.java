/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.OpenedKeys;

/**
 * Recipient infos met lately, with what they came to: messages under one data key have the same, byte for byte. Holds
 * no secrets, but where the cache of keys has them, which wipes them. For one thread at a time.
 */
final class KnownRecipients {
    /** A power of two. Producers whose messages are interleaved mostly find a place each. */
    private static final int PLACES = 256;

    /** Longer ones are not kept. */
    private static final int MOST_BYTES = 8 << 10;

    private final @Nullable Known[] places = new Known[PLACES];

    /** Recipient infos taken apart, the slices in an array of their own. */
    static final class Known {
        private final byte[] encoded;
        private final List<RecipientEntry> entries;
        private final KeyOpening.Candidate ours;
        private OpenedKeys.Lease lease;

        private Known(byte[] encoded, List<RecipientEntry> entries, KeyOpening.Candidate ours, OpenedKeys.Lease lease) {
            this.encoded = encoded;
            this.entries = entries;
            this.ours = ours;
            this.lease = lease;
        }

        /** All of them. */
        List<RecipientEntry> entries() {
            return entries;
        }

        /** The one that is for us. */
        KeyOpening.Candidate ours() {
            return ours;
        }

        /** Of the data key, when it was last looked up. */
        OpenedKeys.Lease lease() {
            return lease;
        }

        void lookedUp(OpenedKeys.Lease again) {
            lease = again;
        }
    }

    /** The same recipient infos, or null. */
    @Nullable
    Known find(Slice recipientInfos) {
        Known known = places[place(recipientInfos)];
        return known != null && recipientInfos.contentEquals(known.encoded) ? known : null;
    }

    /**
     * Keeps them, in the place of others.
     *
     * @param index which of them is for us
     */
    void remember(Slice recipientInfos, int index, KeyOpening.Candidate ours, OpenedKeys.Lease lease) {
        if (recipientInfos.length() <= MOST_BYTES) {
            byte[] copy = recipientInfos.copy(); // not to hold the whole message
            List<RecipientEntry> entries = RecipientEntryParser.all(Slice.of(copy));
            places[place(recipientInfos)] = new Known(copy, entries, ours.in(entries.get(index)), lease);
        }
    }

    /** By the end, which is part of a wrapped key and as good as random. */
    private static int place(Slice recipientInfos) {
        int end = recipientInfos.offset() + recipientInfos.length();
        int hash = 0;
        for (int i = Math.max(recipientInfos.offset(), end - Integer.BYTES); i < end; i++) {
            hash = 31 * hash + recipientInfos.array()[i];
        }
        return hash & (PLACES - 1);
    }
}
