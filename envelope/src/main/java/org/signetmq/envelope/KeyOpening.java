/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.DataKey;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyUnwrapping;
import org.signetmq.keystore.OpenedKeys;

/**
 * Finds the data key of an envelope by our private keys, and remembers it: messages under one key cost one private-key
 * operation between them, however many producers are interleaved. Thread-safe.
 */
final class KeyOpening implements AutoCloseable {
    private static final int MOST_KEYS = 10_000;
    private static final long IDLE_NANOS = Duration.ofHours(1).toNanos();

    private final List<OwnKey> ownKeys;
    private final OpenedKeys<OwnKey.Name> dataKeys = new OpenedKeys<>(MOST_KEYS, IDLE_NANOS, System::nanoTime);
    private final OpenedKeys<OwnKey.Name> agreements = new OpenedKeys<>(MOST_KEYS, IDLE_NANOS, System::nanoTime);

    private final KeyUnwrapping unwrapping = new KeyUnwrapping();

    KeyOpening(Collection<Identity> identities) {
        this.ownKeys = identities.stream().map(OwnKey::new).toList();
    }

    /** A data key in use, under the name it has in the cache. */
    record Found(OpenedKeys.Lease lease, OwnKey.Name name) implements AutoCloseable {
        @Override
        public void close() {
            lease.close();
        }
    }

    /** A recipient info that one of our keys is named in, and what its data key is called in the cache. */
    record Candidate(RecipientEntry entry, OwnKey own, OwnKey.Name name) {
        /** The same, with its slices elsewhere. */
        Candidate in(RecipientEntry same) {
            return new Candidate(same, own, name);
        }
    }

    /**
     * The data key of an envelope.
     *
     * @param known what is tried first, and gets what was found twice
     * @throws NotARecipientException if it is wrapped for others alone
     * @throws AuthenticationFailedException if it is wrapped for us, but was changed
     */
    Found find(ParsedEnvelope.Encrypted envelope, KnownRecipients known) {
        KnownRecipients.Known same = known.find(envelope.recipientInfos());
        if (same != null) {
            OpenedKeys.Lease lease = again(same);
            if (lease != null) {
                return new Found(lease, same.ours().name());
            }
        }
        boolean named = false;
        List<RecipientEntry> recipients = envelope.recipients();
        for (int i = 0; i < recipients.size(); i++) {
            RecipientEntry entry = recipients.get(i);
            for (OwnKey own : ownKeys) {
                if (isFor(entry, own)) {
                    named = true;
                    Candidate candidate = new Candidate(
                            entry, own, new OwnKey.Name(own, entry.whole().copy()));
                    OpenedKeys.Lease lease = lease(candidate);
                    if (lease != null) {
                        if (!lease.isUnwrappedNow()) {
                            known.remember(envelope.recipientInfos(), i, candidate, lease);
                        }
                        return new Found(lease, candidate.name());
                    }
                }
            }
        }
        if (named) {
            throw new AuthenticationFailedException("envelope: the data key does not unwrap with our key");
        }
        throw new NotARecipientException("envelope: encrypted for others than "
                + ownKeys.stream().map(own -> own.identity().name()).toList());
    }

    private OpenedKeys.@Nullable Lease again(KnownRecipients.Known known) {
        OpenedKeys.Lease lease = dataKeys.again(known.lease());
        if (lease == null) {
            lease = lease(known.ours());
            if (lease != null) {
                known.lookedUp(lease);
            }
        }
        return lease;
    }

    private OpenedKeys.@Nullable Lease lease(Candidate candidate) {
        return dataKeys.get(candidate.name(), () -> unwrap(candidate.entry(), candidate.own()));
    }

    /** Drops a key that serves one message alone. */
    void forget(Found found) {
        dataKeys.forget(found.name());
    }

    private static boolean isFor(RecipientEntry entry, OwnKey own) {
        if (entry instanceof RecipientEntry.Transport transport) {
            return own.isNamedBy(transport.recipient());
        }
        return entry instanceof RecipientEntry.Agreement agreement && wrappedFor(agreement, own) != null;
    }

    private static RecipientEntry.@Nullable WrappedKey wrappedFor(RecipientEntry.Agreement agreement, OwnKey own) {
        for (RecipientEntry.WrappedKey key : agreement.keys()) {
            if (own.isNamedBy(key.recipient())) {
                return key;
            }
        }
        return null;
    }

    private @Nullable DataKey unwrap(RecipientEntry entry, OwnKey own) {
        if (entry instanceof RecipientEntry.Transport transport) {
            return own.unwrap(transport);
        }
        RecipientEntry.Agreement agreement = (RecipientEntry.Agreement) entry;
        RecipientEntry.WrappedKey wrapped = wrappedFor(agreement, own);
        if (wrapped == null) {
            return null;
        }
        OwnKey.Name name = new OwnKey.Name(own, agreementBytes(agreement));
        try (OpenedKeys.Lease lease = agreements.get(name, () -> own.agree(agreement))) {
            return lease == null
                    ? null
                    : unwrapping.unwrap(lease.key(), wrapped.wrapped().copy());
        }
    }

    /** Everything that the agreed key depends on, the ephemeral point last. */
    private static byte[] agreementBytes(RecipientEntry.Agreement agreement) {
        byte[] kind = agreement.agreement().derivation().name().getBytes(StandardCharsets.US_ASCII);
        return DerWriter.concat(
                kind,
                agreement.agreement().userKeyingMaterial(),
                agreement.originator().algorithm().copy(),
                agreement.originator().point().copy());
    }

    /** How many data keys were unwrapped so far. */
    long unwraps() {
        return dataKeys.unwraps();
    }

    /** How many key agreements were made so far. */
    long agreements() {
        return agreements.unwraps();
    }

    @Override
    public void close() {
        dataKeys.close();
        agreements.close();
        unwrapping.close();
    }
}
