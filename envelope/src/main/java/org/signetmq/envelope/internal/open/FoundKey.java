/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.KeptUnlessRefused;
import org.signetmq.envelope.internal.recipient.KnownRecipients;
import org.signetmq.envelope.internal.recipient.OwnKey;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.epoch.OpenedKeys;

/**
 * The data key of a message that is being opened. It is remembered if the message is accepted, and forgotten if it is
 * closed before. For one thread at a time.
 */
public final class FoundKey implements AutoCloseable {
    private final OpenedKeys.Lease lease;
    private final OpenedKeys.@Nullable Lease agreement;
    private @Nullable KnownRecipients known;
    private ParsedEnvelope.@Nullable Encrypted envelope;
    private OwnKey.@Nullable Match match;
    private boolean servesOneMessage;

    FoundKey(OpenedKeys.Lease lease) {
        this(lease, null);
    }

    FoundKey(OpenedKeys.Lease lease, OpenedKeys.@Nullable Lease agreement) {
        this.lease = lease;
        this.agreement = agreement;
    }

    /** Says where the recipient infos that it stands in are to be remembered. */
    void knownAs(KnownRecipients place, ParsedEnvelope.Encrypted sealed, OwnKey.Match ours) {
        known = place;
        envelope = sealed;
        match = ours;
    }

    public DataKey key() {
        return lease.key();
    }

    /** No other message comes under this key, as in privacy: it is not worth a place. */
    void servesOneMessage() {
        servesOneMessage = true;
    }

    /** Remembers the key: the message is right so far. */
    public void accept(KeptUnlessRefused kept) {
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

    private static void accept(OpenedKeys.Lease lease, KeptUnlessRefused kept) {
        if (lease.accept()) {
            kept.add(lease::forget);
        }
    }

    private void remember(KnownRecipients place, ParsedEnvelope.Encrypted sealed, OwnKey.Match ours) {
        KnownRecipients.Known same = place.find(sealed.recipientInfos());
        if (same == null) {
            place.remember(sealed, ours, lease);
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
