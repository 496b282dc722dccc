/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.recipient.IdentityKey;
import org.signetmq.envelope.internal.recipient.RecipientInfoCache;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyEncryptionKey;
import org.signetmq.keystore.epoch.OpenedKeys;

/**
 * The data key of a message that is being opened. The cache keeps it only if the message is accepted before the close.
 * For one thread at a time.
 */
public final class OpenedDataKey implements AutoCloseable {
    private final OpenedKeys.Lease<DataKey> lease;
    private final OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement;
    private @Nullable RecipientInfoCache known;
    private ParsedEnvelope.@Nullable Encrypted envelope;
    private IdentityKey.@Nullable Match match;
    private boolean servesOneMessage;

    OpenedDataKey(OpenedKeys.Lease<DataKey> lease) {
        this(lease, null);
    }

    OpenedDataKey(OpenedKeys.Lease<DataKey> lease, OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement) {
        this.lease = lease;
        this.agreement = agreement;
    }

    /** Sets the cache that remembers the recipient infos of this key. */
    void knownAs(RecipientInfoCache cache, ParsedEnvelope.Encrypted sealed, IdentityKey.Match ours) {
        known = cache;
        envelope = sealed;
        match = ours;
    }

    public DataKey key() {
        return lease.key();
    }

    /** Keeps the key out of the cache, because no other message uses it. */
    void servesOneMessage() {
        servesOneMessage = true;
    }

    /** Remembers the key, because the message is verified so far. */
    public void accept(PendingCacheEntries kept) {
        if (agreement != null) {
            accept(agreement, kept);
        }
        if (servesOneMessage) {
            return;
        }
        boolean second = !lease.isUnwrappedNow(); // the first message may be the only one under its key
        accept(lease, kept);
        if (second && known != null && envelope != null && match != null) {
            remember(known, envelope, match);
        }
    }

    private static void accept(OpenedKeys.Lease<?> lease, PendingCacheEntries kept) {
        if (lease.accept()) {
            kept.add(lease::forget);
        }
    }

    private void remember(RecipientInfoCache cache, ParsedEnvelope.Encrypted sealed, IdentityKey.Match ours) {
        RecipientInfoCache.Known same = cache.find(sealed.recipientInfos());
        if (same == null) {
            cache.remember(sealed, ours, lease);
        } else {
            same.lookedUp(lease);
        }
    }

    @Override
    public void close() {
        if (agreement != null) {
            agreement.close();
        }
        lease.close();
    }
}
