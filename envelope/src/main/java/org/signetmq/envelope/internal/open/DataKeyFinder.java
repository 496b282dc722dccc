/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.PartyIdentifier.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.RecipientInfoCache;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.EcAgreement;
import org.signetmq.keystore.keys.KeyEncapsulation;
import org.signetmq.keystore.keys.KeyEncryptionKey;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.OpenedKeys;

/**
 * Finds the data key of an envelope with the private keys of this opener, and caches keys of accepted messages. So
 * messages under one data key cost one private-key operation, also with interleaved producers. Thread-safe.
 */
public final class DataKeyFinder implements AutoCloseable {
    private static final long IDLE_NANOS = Duration.ofHours(1).toNanos();

    private final IdentitySource identities;
    private final OpenedKeys<IdentityKey.Name, DataKey> dataKeys =
            new OpenedKeys<>(Limits.KEYS_KEPT, IDLE_NANOS, System::nanoTime);
    private final OpenedKeys<IdentityKey.Name, KeyEncryptionKey> agreements =
            new OpenedKeys<>(Limits.KEYS_KEPT, IDLE_NANOS, System::nanoTime);
    private final RecipientInfoCache known = new RecipientInfoCache();
    private final KeyTransport transport;
    private final KeyWrapCiphers ciphers;
    private final CryptoProviders providers;
    private volatile OwnKeys own = new OwnKeys(List.of(), List.of());

    /** The keys of a list of identities, in its order. */
    private record OwnKeys(List<Identity> identities, List<IdentityKey> keys) {}

    public DataKeyFinder(IdentitySource identities, CryptoProviders providers) {
        this.identities = identities;
        this.transport = new KeyTransport(providers);
        this.ciphers = new KeyWrapCiphers(providers);
        this.providers = providers;
    }

    /**
     * Returns the keys of these identities. A source returns the same list until they change. Identities that were
     * there before keep theirs, and so their cached keys.
     */
    @SuppressWarnings("ReferenceEquality")
    private OwnKeys of(List<Identity> now) {
        OwnKeys before = own;
        if (before.identities() == now) {
            return before;
        }
        OwnKeys made = new OwnKeys(
                now,
                now.stream()
                        .map(identity -> before.keys().stream()
                                .filter(key -> key.identity() == identity)
                                .findFirst()
                                .orElseGet(() -> new IdentityKey(identity, transport, ciphers)))
                        .toList());
        own = made; // two threads may do it at once, without harm
        return made;
    }

    CryptoProviders providers() {
        return providers;
    }

    /** The recipient infos of accepted messages, which the parser of later ones looks up. */
    public RecipientInfoCache known() {
        return known;
    }

    /**
     * Finds the data key of an envelope.
     *
     * @throws NotARecipientException if the data key is wrapped for other recipients only
     * @throws AuthenticationFailedException if the data key is wrapped for this opener but does not unwrap
     */
    public OpenedDataKey find(ParsedEnvelope.Encrypted envelope, OperationBudget budget) {
        RecipientInfoCache.Known same = envelope.known();
        if (same != null) {
            OpenedKeys.Lease<DataKey> again = dataKeys.again(same.lease());
            // without the lease, all identities look, also those that did not read the earlier messages
            return again == null ? searchAll(envelope.withAllRecipients(), budget) : new OpenedDataKey(again, null);
        }
        return searchAll(envelope, budget);
    }

    private OpenedDataKey searchAll(ParsedEnvelope.Encrypted envelope, OperationBudget budget) {
        OwnKeys current = of(identities.current());
        OpenedDataKey found = search(current, envelope, budget);
        if (found != null) {
            return found;
        }
        OwnKeys later = of(identities.afterMiss());
        found = later.equals(current) ? null : search(later, envelope, budget);
        if (found != null) {
            return found;
        }
        throw notARecipient(later, envelope.recipients());
    }

    private static NotARecipientException notARecipient(OwnKeys own, List<RecipientInfo> entries) {
        List<RecipientInfo.Unknown> unknown = entries.stream()
                .filter(RecipientInfo.Unknown.class::isInstance)
                .map(RecipientInfo.Unknown.class::cast)
                .toList();
        for (RecipientInfo.Unknown entry : unknown) {
            for (IdentityKey key : own.keys()) {
                if (key.isNamedBy(entry)) {
                    return new NotARecipientException("envelope: its data key for '"
                            + key.identity().name() + "' is protected by " + advised(entry));
                }
            }
        }
        return new NotARecipientException("envelope: encrypted for other recipients than "
                + own.identities().stream().map(Identity::name).distinct().toList()
                + (unknown.isEmpty() ? "" : ", or its data key is protected by " + advised(unknown.get(0))));
    }

    private static String advised(RecipientInfo.Unknown entry) {
        return entry.algorithm() + "; " + RecipientInfo.ADVICE;
    }

    /** Returns the data key, or null if no recipient info names one of the keys. */
    private @Nullable OpenedDataKey search(OwnKeys own, ParsedEnvelope.Encrypted envelope, OperationBudget budget) {
        boolean tried = false;
        for (IdentityKey key : own.keys()) {
            int tries = 0;
            for (RecipientInfo entry : envelope.recipients()) {
                IdentityKey.Match match = tries < Limits.TRIES_PER_KEY ? key.match(entry) : null;
                if (match != null) {
                    if (!budget.takePrivateKey()) {
                        throw spent(tried);
                    }
                    tried = true;
                    tries++;
                    OpenedDataKey found = new Attempt(match, budget).find();
                    if (found != null) {
                        found.whenAccepted((lease, kept) -> known.remember(envelope, lease, kept::add));
                        return found;
                    }
                }
            }
        }
        if (tried) {
            throw doesNotUnwrap();
        }
        return null;
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

    /** One attempt to unwrap a recipient info, for which the budget gave an operation. */
    private final class Attempt {
        private final IdentityKey.Match match;
        private final OperationBudget budget;
        private OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement;
        private boolean spent;

        Attempt(IdentityKey.Match match, OperationBudget budget) {
            this.match = match;
            this.budget = budget;
        }

        /** Unwraps the key. Returns null if it does not unwrap. */
        @Nullable
        OpenedDataKey find() {
            OpenedKeys.Lease<DataKey> lease = null;
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
            return lease == null ? null : new OpenedDataKey(lease, agreement);
        }

        private @Nullable DataKey unwrap() {
            IdentityKey own = match.own();
            if (match.entry() instanceof RecipientInfo.Agreement entry) {
                return unwrap(
                        agreementName(entry, own),
                        () -> own.agree(entry),
                        entry.keys().get(0).wrapped());
            }
            if (match.entry() instanceof RecipientInfo.Encapsulation entry) {
                return unwrap(secretName(entry, own), () -> own.decapsulate(entry), entry.wrapped());
            }
            spent = true;
            return own.unwrap((RecipientInfo.Transport) match.entry());
        }

        private @Nullable DataKey unwrap(
                IdentityKey.Name name, Supplier<@Nullable KeyEncryptionKey> operation, Slice wrapped) {
            agreement = agreements.get(name, () -> {
                spent = true;
                return operation.get();
            });
            return agreement == null ? null : agreement.key().unwrap(wrapped.copy());
        }
    }

    /** The name of an agreed key in the cache: a digest of all inputs of the agreement. */
    private static IdentityKey.Name agreementName(RecipientInfo.Agreement recipient, IdentityKey own) {
        byte[] kind = recipient.kdf().name().getBytes(StandardCharsets.US_ASCII);
        byte[] material = recipient.userKeyingMaterial();
        byte[] all = DerWriter.concat(
                new byte[] {(byte) kind.length, (byte) material.length},
                kind,
                material,
                recipient.originator().algorithm().copy(),
                recipient.originator().point().copy());
        return new IdentityKey.Name(own, Sha256.of(Slice.of(all)));
    }

    /** The name of the key of an encapsulated secret: a digest of all inputs. No agreement's inputs begin alike. */
    private static IdentityKey.Name secretName(RecipientInfo.Encapsulation recipient, IdentityKey own) {
        byte[] all =
                DerWriter.concat(recipient.kem().copy(), recipient.ciphertext().copy(), recipient.userKeyingMaterial());
        return new IdentityKey.Name(own, Sha256.of(Slice.of(all)));
    }

    public long unwraps() {
        return dataKeys.unwraps();
    }

    int size() {
        return dataKeys.size() + agreements.size();
    }

    @Override
    public void close() {
        dataKeys.close();
        agreements.close();
        ciphers.close();
    }

    /** The data key of a message that is opened. Only an accepted message keeps it in the cache. */
    public static final class OpenedDataKey implements AutoCloseable {
        private final OpenedKeys.Lease<DataKey> lease;
        private final OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement;
        private @Nullable BiConsumer<OpenedKeys.Lease<DataKey>, PendingCacheEntries> whenAccepted;
        private boolean servesOneMessage;
        private @Nullable OpenedDataKey outer;

        OpenedDataKey(OpenedKeys.Lease<DataKey> lease, OpenedKeys.@Nullable Lease<KeyEncryptionKey> agreement) {
            this.lease = lease;
            this.agreement = agreement;
        }

        /** Sets an action for an accepted key that other messages may use. */
        void whenAccepted(BiConsumer<OpenedKeys.Lease<DataKey>, PendingCacheEntries> action) {
            whenAccepted = action;
        }

        public DataKey key() {
            return lease.key();
        }

        /** Adds the key of the envelope around this one, which goes the same way from now on. */
        void inside(OpenedDataKey other) {
            outer = other;
        }

        /** Keeps the key out of the cache, because no other message uses it. */
        void servesOneMessage() {
            servesOneMessage = true;
        }

        /** Remembers the key, because the message is verified so far. */
        public void accept(PendingCacheEntries kept) {
            if (outer != null) {
                outer.servesOneMessage = servesOneMessage;
                outer.accept(kept);
            }
            if (agreement != null) {
                accept(agreement, kept);
            }
            if (servesOneMessage) {
                return;
            }
            accept(lease, kept);
            if (whenAccepted != null) {
                whenAccepted.accept(lease, kept);
            }
        }

        private static void accept(OpenedKeys.Lease<?> lease, PendingCacheEntries kept) {
            if (!lease.isAccepted()) {
                kept.add(lease::forget); // first: no failure leaves the key behind
                boolean unused = lease.accept();
            }
        }

        @Override
        public void close() {
            if (outer != null) {
                outer.close();
            }
            if (agreement != null) {
                agreement.close();
            }
            lease.close();
        }
    }

    /** Finds and unwraps data keys with the private key of one identity. Thread-safe. */
    static final class IdentityKey {
        private static final byte[] EC_WITH_NULL = element(SEQUENCE, Oids.EC_PUBLIC_KEY, Oids.NULL);

        private final Identity identity;
        private final KeyTransport transport;
        private final KeyWrapCiphers ciphers;
        private final CertificateIdentifiers names;
        private final byte[] algorithm;
        private final boolean isPostQuantum;

        public IdentityKey(Identity identity, KeyTransport transport, KeyWrapCiphers ciphers) {
            this.identity = identity;
            this.transport = transport;
            this.ciphers = ciphers;
            this.names = CertificateIdentifiers.of(identity.certificate());
            this.isPostQuantum = KeyAlgorithm.postQuantum(identity.certificate().getPublicKey())
                    .isPresent();
            try {
                AlgorithmIdentifier named = SubjectPublicKeyInfo.getInstance(
                                identity.certificate().getPublicKey().getEncoded())
                        .getAlgorithm();
                // the JDK adds NULL to algorithms that it does not know
                this.algorithm = (isPostQuantum ? new AlgorithmIdentifier(named.getAlgorithm()) : named).getEncoded();
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        public Identity identity() {
            return identity;
        }

        /** Returns the part of a recipient info for this key, or null if there is none. */
        private @Nullable RecipientInfo part(RecipientInfo entry) {
            if (entry instanceof RecipientInfo.Encapsulation secret) {
                return secret.kem().contentEquals(algorithm)
                                && secret.recipient().isOf(names)
                        ? secret
                        : null;
            }
            if (isPostQuantum) {
                return null;
            }
            if (entry instanceof RecipientInfo.Transport transport) {
                return transport.recipient().isOf(names) ? transport : null;
            }
            if (entry instanceof RecipientInfo.Agreement agreement) {
                for (RecipientInfo.WrappedKey key : agreement.keys()) {
                    if (key.recipient().isOf(names)) {
                        return agreement.with(key);
                    }
                }
            }
            return null;
        }

        /**
         * Returns the match of this key with a recipient info, or null if the recipient info does not name this key.
         */
        @Nullable
        public Match match(RecipientInfo entry) {
            RecipientInfo ours = part(entry);
            return ours == null ? null : new Match(ours, this, new Name(this, Sha256.of(entry.whole())));
        }

        /** Tells whether a recipient info of an unknown kind names this key. */
        public boolean isNamedBy(RecipientInfo.Unknown entry) {
            return entry.recipients().stream().anyMatch(recipient -> recipient.isOf(names));
        }

        /** Unwraps a data key. Returns null if it was not wrapped for this key. */
        @Nullable
        public DataKey unwrap(RecipientInfo.Transport entry) {
            return transport.unwrap(
                    identity.privateKey(), entry.padding(), entry.wrapped().copy());
        }

        /** Returns the key-encryption key of an encapsulated secret. Returns null if the length is wrong. */
        @Nullable
        public KeyEncryptionKey decapsulate(RecipientInfo.Encapsulation entry) {
            byte[] secret = KeyEncapsulation.answer(
                    identity.privateKey(), entry.ciphertext().copy());
            return secret == null
                    ? null
                    : KeyEncryptionKey.expand(secret, RecipientInfo.kemOtherInfo(entry.userKeyingMaterial()), ciphers);
        }

        /** Agrees on a key-encryption key. Returns null if the originator's key is on another curve. */
        @Nullable
        public KeyEncryptionKey agree(RecipientInfo.Agreement recipient) {
            Slice named = recipient.originator().algorithm();
            boolean ours = named.contentEquals(algorithm)
                    || named.contentEquals(Oids.EC_WITHOUT_CURVE)
                    || named.contentEquals(EC_WITH_NULL);
            if (!ours) {
                return null;
            }
            byte[] point = element(BIT_STRING, recipient.originator().point().copy());
            byte[] sharedInfo = RecipientInfo.sharedInfo(recipient.userKeyingMaterial());
            byte[] secret = EcAgreement.answer(identity.privateKey(), element(SEQUENCE, algorithm, point));
            return secret == null ? null : KeyEncryptionKey.derive(secret, recipient.kdf(), sharedInfo, ciphers);
        }

        /** The name of a data key in the cache: the recipient's key and the digest of the recipient info. */
        public record Name(IdentityKey owner, Sha256 digest) {}

        /** A recipient info for a key of this opener, with the name of its data key in the cache. */
        public record Match(RecipientInfo entry, IdentityKey own, Name name) {}
    }
}
