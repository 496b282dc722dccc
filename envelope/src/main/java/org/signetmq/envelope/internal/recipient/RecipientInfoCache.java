/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.RecipientInfoLookup;
import org.signetmq.envelope.internal.cms.RecipientInfoParser;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.epoch.OpenedKeys;

/**
 * Recipient infos of recently accepted messages, with their parsed form and the lease of their data key. Messages under
 * one data key have the same recipient infos. It holds no secret, because the cache of keys owns and wipes the keys.
 * Bounded in bytes. For one thread at a time.
 */
public final class RecipientInfoCache implements RecipientInfoLookup {
    /** The number of slots, a power of two. Interleaved producers mostly get a slot each. */
    private static final int SLOTS = 256;

    private final @Nullable Known[] slots = new Known[SLOTS];
    private int bytes;

    /** Known recipient infos, with the parsed ones that a reader needs. */
    public static final class Known {
        private final byte[] encoded;
        private final List<RecipientInfo> recipients;
        private OpenedKeys.Lease<DataKey> lease;

        private Known(byte[] encoded, List<RecipientInfo> recipients, OpenedKeys.Lease<DataKey> lease) {
            this.encoded = encoded;
            this.recipients = recipients;
            this.lease = lease;
        }

        /** The lease of the data key, from its last lookup. */
        public OpenedKeys.Lease<DataKey> lease() {
            return lease;
        }
    }

    /** Finds the same recipient infos. Returns null if they are not known. */
    @Nullable
    public Known find(Slice recipientInfos) {
        Known known = slots[slot(recipientInfos)];
        return known != null && recipientInfos.contentEquals(known.encoded) ? known : null;
    }

    /**
     * Finds the recipient infos of an envelope that was parsed with this lookup. Returns null if they are not known.
     */
    @Nullable
    public Known find(ParsedEnvelope.Encrypted envelope) {
        Known known = slots[slot(envelope.recipientInfos())];
        // the parser takes this list from here only after it compared the bytes
        return known != null && envelope.recipients() == known.recipients ? known : null;
    }

    /** Returns the entry for this reader, and one under old algorithms if there is any. */
    @Override
    public @Nullable List<RecipientInfo> entries(Slice recipientInfos) {
        Known known = find(recipientInfos);
        return known == null ? null : known.recipients;
    }

    /** Keeps the recipient infos of an accepted message with the last lease of their key, in place of others. */
    public void remember(ParsedEnvelope.Encrypted envelope, IdentityKey.Match ours, OpenedKeys.Lease<DataKey> lease) {
        Slice recipientInfos = envelope.recipientInfos();
        Known same = find(recipientInfos);
        if (same != null) {
            same.lease = lease;
            return;
        }
        if (recipientInfos.length() > Limits.KNOWN_RECIPIENTS) {
            return;
        }
        int slot = slot(recipientInfos);
        Known before = slots[slot];
        bytes += recipientInfos.length() - (before == null ? 0 : before.encoded.length);
        if (bytes > Limits.ALL_KNOWN_RECIPIENTS) {
            Arrays.fill(slots, null);
            bytes = recipientInfos.length();
        }
        byte[] copy = recipientInfos.copy(); // so that the cache does not keep the whole message
        List<RecipientInfo> looked = new ArrayList<>(1);
        RecipientInfo entry = ours.own().part(moved(ours.entry(), recipientInfos, copy));
        looked.add(Objects.requireNonNull(entry, "recipient: not this key"));
        envelope.recipients().stream()
                .filter(LegacyAlgorithmCheck::isLegacy)
                .findFirst()
                .ifPresent(legacy -> looked.add(moved(legacy, recipientInfos, copy)));
        slots[slot] = new Known(copy, List.copyOf(looked), lease);
    }

    /** Parses the same recipient info in a copy of all. */
    private static RecipientInfo moved(RecipientInfo entry, Slice all, byte[] copy) {
        Slice whole = entry.whole();
        return RecipientInfoParser.one(new Slice(copy, whole.offset() - all.offset(), whole.length()));
    }

    public int bytes() {
        return bytes;
    }

    /** The slot by the last bytes, which belong to a wrapped key and are as good as random. */
    private static int slot(Slice recipientInfos) {
        int end = recipientInfos.offset() + recipientInfos.length();
        int hash = 0;
        for (int i = Math.max(recipientInfos.offset(), end - Integer.BYTES); i < end; i++) {
            hash = 31 * hash + recipientInfos.array()[i];
        }
        return hash & (SLOTS - 1);
    }
}
