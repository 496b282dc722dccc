/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientEntry;
import org.signetmq.envelope.internal.cms.RecipientEntryParser;
import org.signetmq.envelope.internal.cms.RecipientInfoCache;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.epoch.OpenedKeys;

/**
 * Recipient infos of messages that were accepted lately, with what they came to: messages under one data key have the
 * same, byte for byte. Holds no secrets, but where the cache of keys has them, which wipes them. Bounded in bytes. For
 * one thread at a time.
 */
public final class KnownRecipients implements RecipientInfoCache {
    /** A power of two. Producers whose messages are interleaved mostly find a place each. */
    private static final int PLACES = 256;

    private final @Nullable Known[] places = new Known[PLACES];
    private int bytes;

    /** Recipient infos, and those of them that a reader looks at. */
    public static final class Known {
        private final byte[] encoded;
        private final List<RecipientEntry> recipients;
        private OpenedKeys.Lease lease;

        private Known(byte[] encoded, List<RecipientEntry> recipients, OpenedKeys.Lease lease) {
            this.encoded = encoded;
            this.recipients = recipients;
            this.lease = lease;
        }

        /** Of the data key, when it was last looked up. */
        public OpenedKeys.Lease lease() {
            return lease;
        }

        public void lookedUp(OpenedKeys.Lease again) {
            lease = again;
        }
    }

    /** The same recipient infos, or null. */
    @Nullable
    public Known find(Slice recipientInfos) {
        Known known = places[place(recipientInfos)];
        return known != null && recipientInfos.contentEquals(known.encoded) ? known : null;
    }

    /** The entry that is for us, and one that old algorithms protect, if there is any. */
    @Override
    public @Nullable List<RecipientEntry> entries(Slice recipientInfos) {
        Known known = find(recipientInfos);
        return known == null ? null : known.recipients;
    }

    /**
     * Keeps those of a message that was accepted, in the place of others.
     *
     * @param ours the one of them that is for us
     */
    public void remember(ParsedEnvelope.Encrypted envelope, OwnKey.Match ours, OpenedKeys.Lease lease) {
        Slice recipientInfos = envelope.recipientInfos();
        if (recipientInfos.length() > Limits.KNOWN_RECIPIENTS) {
            return;
        }
        int place = place(recipientInfos);
        Known before = places[place];
        bytes += recipientInfos.length() - (before == null ? 0 : before.encoded.length);
        if (bytes > Limits.ALL_KNOWN_RECIPIENTS) {
            Arrays.fill(places, null);
            bytes = recipientInfos.length();
        }
        byte[] copy = recipientInfos.copy(); // not to hold the whole message
        List<RecipientEntry> looked = new ArrayList<>(1);
        looked.add(ours.own().required(moved(ours.entry(), recipientInfos, copy)));
        envelope.recipients().stream()
                .filter(LegacyRecipients::isLegacy)
                .findFirst()
                .ifPresent(legacy -> looked.add(moved(legacy, recipientInfos, copy)));
        places[place] = new Known(copy, List.copyOf(looked), lease);
    }

    /** The same recipient info in a copy of all. */
    private static RecipientEntry moved(RecipientEntry entry, Slice all, byte[] copy) {
        Slice whole = entry.whole();
        return RecipientEntryParser.one(new Slice(copy, whole.offset() - all.offset(), whole.length()));
    }

    /** The bytes that are kept. */
    public int bytes() {
        return bytes;
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
