/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.ContentInfoHead;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.PartyIdentifier.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.RecipientInfoParser;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.internal.open.EnvelopeOpener.CacheSizes;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.RequiredKeys;

/**
 * Checks without a recipient's key whether a message already is an envelope by its policy. It checks structure,
 * algorithms and the recipients; of signed messages also signature, signer and address. Thread-safe.
 */
public final class EnvelopeCheck {
    /** The number of bytes that {@link #looksSealed} needs, unless the message is shorter. */
    public static final int HEAD_LENGTH = ContentInfoHead.LENGTH;

    private static final int MOST_KEPT = 1024;
    private static final long KEPT_MILLIS = 1000;

    private final RecipientDirectory certificates;
    private final SignatureVerifier signatures;
    private final Clock clock;
    private final Map<List<String>, CachedRecipients> kept = new ConcurrentHashMap<>();

    /** The recipients at a time, because the certificate of a selector may depend on the time. */
    private record CachedRecipients(long version, long since, Optional<PolicyRecipients> recipients) {}

    EnvelopeCheck(RecipientDirectory certificates, CertificateTrust trust, Clock clock, CryptoProviders providers) {
        this.certificates = certificates;
        this.signatures = new SignatureVerifier(certificates, trust, clock, providers);
        this.clock = clock;
    }

    /**
     * Creates a check.
     *
     * @param certificates finds the certificates that policies name and messages reference
     * @param trust decides whether a signer is trusted
     */
    public static EnvelopeCheck create(
            RecipientDirectory certificates, CertificateTrust trust, CryptoProviders providers) {
        return new EnvelopeCheck(certificates, trust, Clock.systemUTC(), providers);
    }

    /**
     * Tells whether the bytes begin as a message of CMS does, of any content type and in any encoding. Bytes that do
     * not satisfy no policy. The first {@link #HEAD_LENGTH} bytes decide it.
     */
    public static boolean looksSealed(ByteBuffer bytes) {
        return ContentInfoHead.begins(
                new Slice(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
    }

    /** The requirements for a message. */
    record Requirements(String address, Policy policy, SenderRule senders) {}

    /** Tells whether the bytes satisfy the policy for this address; see {@link #require}. */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
        try {
            EnvelopeChain unused = require(bytes, address, policy, senders);
            return true;
        } catch (EnvelopeException | KeystoreUnusableException rejected) {
            return false;
        }
    }

    /**
     * Checks that the bytes satisfy the policy for this address: one envelope, or all segments of a large message. A
     * signed envelope may name a sender that the rule accepts. If a broker identity of the policy signed it, it may
     * name any sender.
     *
     * @return the checked envelopes
     * @throws EnvelopeException if they do not; its text says why
     * @throws KeystoreUnusableException if a recipient of the policy is unknown
     */
    public EnvelopeChain require(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
        ContentInfoHead.rejectOther(Slice.of(bytes));
        Malformed.when(!EnvelopeParser.looksSealed(bytes, 0, bytes.length), "envelope: none begins here");
        EnvelopeChain chain = chain(address, policy, senders);
        if (EnvelopeSplitter.isShorterThan(Slice.of(bytes))) {
            int position = 0;
            while (position < bytes.length) {
                int length = EnvelopeChain.lengthOf(new Slice(bytes, position, bytes.length - position));
                Malformed.when(
                        length < 0 || length > bytes.length - position,
                        "segment: other bytes than a whole envelope follow");
                chain.require(bytes, position, length);
                position += length;
            }
        } else {
            chain.require(bytes, 0, bytes.length);
        }
        chain.requireComplete();
        return chain;
    }

    /** Creates a check of the segments of one large message; see {@link #satisfies}. */
    public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
        return new EnvelopeChain(this, new Requirements(address, policy.policy(), senders));
    }

    /** Verifies the signature of an envelope. */
    SignatureVerifier.Verified verify(ParsedEnvelope.Signed envelope, Policy policy, OperationBudget budget) {
        return signatures.verify(envelope, policy, budget, policy.enforcement().verify());
    }

    CacheSizes remembered() {
        return new CacheSizes(0, signatures.certificatesKept(), signatures.bytesKept());
    }

    /**
     * Checks that an encrypted envelope is for exactly the recipients of the policy, and those beside them that it
     * allows. Recipients check address and signature, because privacy and confidentiality look alike from outside.
     */
    void requireEncrypted(ParsedEnvelope.Encrypted envelope, Policy policy) {
        if (!EnvelopeStructure.of(policy).isEncrypted()) {
            throw new PolicyViolationException("envelope: encrypted where policy '" + policy.pattern() + "' asks for "
                    + policy.quality().label());
        }
        requireRecipients(envelope.recipients(), policy);
    }

    /**
     * Checks that an encrypted envelope of quality authenticity claims a permitted sender, whose key can agree with
     * those of the recipients. The recipients alone have the proof.
     */
    SignatureVerifier.Verified requireSender(ParsedEnvelope.Encrypted envelope, Policy policy) {
        SenderKey claimed = envelope.sender();
        SignatureVerifier.Verified sender = claimed == null
                ? null
                : signatures.sender(claimed, envelope.content().ciphertext(), policy);
        if (sender == null) {
            throw new PolicyViolationException("envelope: no sender agreed on its data key where policy '"
                    + policy.pattern() + "' asks for " + policy.quality().label());
        }
        Recipient party =
                new Recipient(sender.signer().name(), sender.certificate().certificate());
        wanted(policy.encryption().recipients())
                .flatMap(recipients -> recipients.problemWithSender(party))
                .ifPresent(problem -> {
                    throw new PolicyViolationException("envelope: of policy '" + policy.pattern() + "': " + problem);
                });
        return sender;
    }

    private void requireRecipients(List<RecipientInfo> recipients, Policy policy) {
        RecipientInfo.rejectLegacy(recipients, policy, LegacyAlgorithms.REFUSED);
        List<String> names = policy.encryption().recipients();
        boolean both = policy.enforcement().require() == RequiredKeys.BOTH; // the others are not visible
        PolicyRecipients wanted = wanted(
                        both ? names.stream().map(RequiredKeys::companionOf).toList() : names)
                .orElseThrow(() -> new KeystoreUnusableException(
                        "policy '" + policy.pattern() + "': a recipient matches no certificate, or several"));
        boolean extra = policy.enforcement().extraRecipients();
        if (!wanted.areThoseOf(recipients, extra ? Limits.EXTRA_RECIPIENTS : 0)) {
            throw new PolicyViolationException(
                    extra
                            ? "envelope: not encrypted for each recipient of policy '" + policy.pattern()
                                    + "', or for more than " + Limits.EXTRA_RECIPIENTS + " others"
                            : "envelope: encrypted for other recipients than those of policy '" + policy.pattern()
                                    + "'");
        }
    }

    /** Rejects an encrypted envelope by its beginning if that has the recipients, and they are wrong. */
    void rejectRecipients(Slice beginning, Policy policy) {
        Slice infos = ContentInfoHead.recipientInfos(beginning);
        if (infos != null && EnvelopeStructure.of(policy).isEncrypted()) {
            requireRecipients(RecipientInfoParser.all(infos), policy);
        }
    }

    /** Finds the recipients of selectors, and keeps them for a second. */
    private Optional<PolicyRecipients> wanted(List<String> selectors) {
        long version = certificates.version();
        long now = clock.millis();
        CachedRecipients last = kept.get(selectors);
        if (last != null && last.version() == version && Math.abs(now - last.since()) < KEPT_MILLIS) {
            return last.recipients();
        }
        Optional<PolicyRecipients> recipients = PolicyRecipients.of(selectors, certificates);
        if (kept.size() >= MOST_KEPT) {
            kept.clear();
        }
        kept.put(selectors, new CachedRecipients(version, now, recipients));
        return recipients;
    }

    /** The recipients of a policy, by all their identifiers in envelopes. Immutable. */
    private static final class PolicyRecipients {
        private final int count;
        private final List<Recipient> current;
        private final Map<ByteBuffer, BitSet> byKeyIdentifier = new HashMap<>();
        private final Map<ByteBuffer, BitSet> byIssuerAndSerial = new HashMap<>();

        private PolicyRecipients(List<Recipient> recipients, List<Recipient> former) {
            Map<PublicKeyInfo, Integer> numbers = new HashMap<>();
            for (Recipient recipient : recipients) {
                int number = numbers.computeIfAbsent(PublicKeyInfo.of(recipient.certificate()), key -> numbers.size());
                add(recipient, number);
                if (!former.contains(recipient)) {
                    // a message on its way may be for a former key of the recipient
                    former.stream()
                            .filter(entry -> entry.name().equals(recipient.name()))
                            .forEach(entry -> add(entry, number));
                }
            }
            this.count = numbers.size();
            this.current = List.copyOf(recipients);
        }

        /** Returns the reason why a sender's key cannot agree with those of the recipients; empty if it can. */
        Optional<String> problemWithSender(Recipient sender) {
            List<Recipient> all = new ArrayList<>(current);
            all.add(0, sender);
            return Certificates.problemWithAgreement(all);
        }

        private void add(Recipient recipient, int number) {
            CertificateIdentifiers names = CertificateIdentifiers.of(recipient.certificate());
            add(byKeyIdentifier, names.keyIdentifier(), number);
            add(byIssuerAndSerial, names.issuerAndSerial(), number);
        }

        private static void add(Map<ByteBuffer, BitSet> names, byte[] name, int number) {
            names.computeIfAbsent(ByteBuffer.wrap(name), unused -> new BitSet()).set(number);
        }

        /** Finds the recipients of the selectors. Returns empty if a selector matches no certificate, or several. */
        static Optional<PolicyRecipients> of(List<String> selectors, RecipientDirectory directory) {
            List<Recipient> recipients = new ArrayList<>(selectors.size());
            try {
                for (String selector : selectors) {
                    Optional<Recipient> recipient = directory.find(selector);
                    if (recipient.isEmpty()) {
                        return Optional.empty();
                    }
                    recipients.add(recipient.get());
                }
            } catch (KeystoreUnusableException shared) {
                return Optional.empty();
            }
            return Optional.of(new PolicyRecipients(recipients, directory.former()));
        }

        /**
         * Tells whether the data key is wrapped for exactly these recipients. A recipient counts with its current key
         * or a former one.
         *
         * @param most the greatest number of others
         * @throws PolicyViolationException if a recipient info is of an unknown kind
         */
        boolean areThoseOf(List<RecipientInfo> entries, int most) {
            BitSet found = new BitSet(count);
            int named = 0;
            int others = 0;
            for (int i = 0; i < entries.size(); i++) {
                RecipientInfo entry = entries.get(i);
                int marked = 0;
                int all = 1;
                if (entry instanceof RecipientInfo.Transport transport) {
                    marked = mark(transport.recipient(), found) ? 1 : 0;
                } else if (entry instanceof RecipientInfo.Encapsulation secret) {
                    marked = mark(secret.recipient(), found) ? 1 : 0;
                } else if (entry instanceof RecipientInfo.Agreement agreement) {
                    all = agreement.keys().size();
                    for (RecipientInfo.WrappedKey key : agreement.keys()) {
                        marked += mark(key.recipient(), found) ? 1 : 0;
                    }
                } else {
                    throw new PolicyViolationException("envelope: its data key is protected by "
                            + ((RecipientInfo.Unknown) entry).algorithm() + "; " + RecipientInfo.ADVICE);
                }
                named += marked;
                others += all - marked;
                if (others > most || named > Limits.TRIES_PER_KEY * count) {
                    return false; // another party can read it, or a reader would not try every entry for it
                }
            }
            return found.cardinality() == count;
        }

        /** Marks the recipients that the identifier means. Returns whether there are any. */
        private boolean mark(PartyIdentifier party, BitSet found) {
            Slice keyIdentifier = party.keyIdentifier();
            Slice issuerAndSerial = party.issuerAndSerial();
            BitSet meant = null;
            if (keyIdentifier != null) {
                meant = byKeyIdentifier.get(keyIdentifier.buffer());
            } else if (issuerAndSerial != null) {
                meant = byIssuerAndSerial.get(issuerAndSerial.buffer());
            }
            if (meant != null) {
                found.or(meant);
            }
            return meant != null;
        }
    }
}
