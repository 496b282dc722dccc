/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientEntry;
import org.signetmq.envelope.internal.cms.Sha256;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.recipient.KnownRecipients;
import org.signetmq.envelope.internal.recipient.OwnKey;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyUnwrapping;
import org.signetmq.keystore.epoch.OpenedKeys;

/**
 * Finds the data key of an envelope by our private keys, and remembers it once a message was accepted: messages under
 * one key cost one private-key operation between them, however many producers are interleaved. Thread-safe.
 */
public final class KeyOpening implements AutoCloseable {
    private static final long IDLE_NANOS = Duration.ofHours(1).toNanos();

    private final List<OwnKey> ownKeys;
    private final OpenedKeys<OwnKey.Name> dataKeys = new OpenedKeys<>(Limits.KEYS_KEPT, IDLE_NANOS, System::nanoTime);
    private final OpenedKeys<OwnKey.Name> agreements = new OpenedKeys<>(Limits.KEYS_KEPT, IDLE_NANOS, System::nanoTime);

    private final KeyUnwrapping unwrapping = new KeyUnwrapping();

    public KeyOpening(Collection<Identity> identities) {
        this.ownKeys = identities.stream().map(OwnKey::new).toList();
    }

    /**
     * The data key of an envelope.
     *
     * @param known what is tried first
     * @param budget what the message may still cost
     * @throws NotARecipientException if it is wrapped for others alone
     * @throws AuthenticationFailedException if it is wrapped for us, but was changed
     */
    public FoundKey find(ParsedEnvelope.Encrypted envelope, KnownRecipients known, OperationBudget budget) {
        KnownRecipients.Known same = known.find(envelope.recipientInfos());
        OpenedKeys.Lease again = same == null ? null : dataKeys.again(same.lease());
        if (again != null) {
            return new FoundKey(again);
        }
        boolean tried = false;
        for (OwnKey own : ownKeys) {
            int tries = 0;
            for (RecipientEntry entry : envelope.recipients()) {
                OwnKey.Match match = tries < Limits.TRIES_PER_KEY ? own.match(entry) : null;
                if (match != null) {
                    if (!budget.takePrivateKey()) {
                        throw spent(tried);
                    }
                    tried = true;
                    tries++;
                    FoundKey found = new Attempt(match, budget).find();
                    if (found != null) {
                        found.knownAs(known, envelope, match);
                        return found;
                    }
                }
            }
        }
        if (tried) {
            throw doesNotUnwrap();
        }
        throw new NotARecipientException("envelope: encrypted for others than "
                + ownKeys.stream().map(own -> own.identity().name()).toList());
    }

    private static EnvelopeException spent(boolean tried) {
        return tried
                ? doesNotUnwrap()
                : new MalformedEnvelopeException("segment: more than " + Limits.PRIVATE_KEY_OPERATIONS
                        + " private-key operations without a full segment");
    }

    private static AuthenticationFailedException doesNotUnwrap() {
        return new AuthenticationFailedException("envelope: the data key does not unwrap with our key");
    }

    /** The unwrapping of one recipient info, for which an operation was taken from the budget. */
    private final class Attempt {
        private final OwnKey.Match match;
        private final OperationBudget budget;
        private OpenedKeys.@Nullable Lease agreement;
        private boolean spent;

        Attempt(OwnKey.Match match, OperationBudget budget) {
            this.match = match;
            this.budget = budget;
        }

        /** The key, or null if it does not unwrap. */
        @Nullable
        FoundKey find() {
            OpenedKeys.Lease lease = null;
            try {
                lease = dataKeys.get(match.name(), this::unwrap);
            } finally {
                if (!spent) {
                    budget.giveBackPrivateKey();
                }
                if (lease == null && agreement != null) {
                    agreement.close();
                }
            }
            return lease == null ? null : new FoundKey(lease, agreement);
        }

        private @Nullable DataKey unwrap() {
            if (match.entry() instanceof RecipientEntry.Agreement entry) {
                agreement = agreements.get(agreementName(entry, match.own()), () -> agree(entry));
                return agreement == null
                        ? null
                        : unwrapping.unwrap(
                                agreement.key(), entry.keys().get(0).wrapped().copy());
            }
            spent = true;
            return match.own().unwrap((RecipientEntry.Transport) match.entry());
        }

        private @Nullable DataKey agree(RecipientEntry.Agreement entry) {
            spent = true;
            return match.own().agree(entry);
        }
    }

    /** Everything that the agreed key depends on. */
    private static OwnKey.Name agreementName(RecipientEntry.Agreement agreement, OwnKey own) {
        byte[] kind = agreement.agreement().derivation().name().getBytes(StandardCharsets.US_ASCII);
        byte[] material = agreement.agreement().userKeyingMaterial();
        byte[] all = DerWriter.concat(
                new byte[] {(byte) kind.length, (byte) material.length},
                kind,
                material,
                agreement.originator().algorithm().copy(),
                agreement.originator().point().copy());
        return new OwnKey.Name(own, Sha256.of(Slice.of(all)));
    }

    /** How many data keys were unwrapped so far. */
    long unwraps() {
        return dataKeys.unwraps();
    }

    /** How many key agreements were made so far. */
    long agreements() {
        return agreements.unwraps();
    }

    /** How many keys are remembered. */
    int size() {
        return dataKeys.size() + agreements.size();
    }

    @Override
    public void close() {
        dataKeys.close();
        agreements.close();
        unwrapping.close();
    }
}
