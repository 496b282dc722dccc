/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.EnvelopeLength;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.CacheSizes;
import org.signetmq.envelope.internal.recipient.LegacyAlgorithmCheck;
import org.signetmq.envelope.internal.recipient.PolicyRecipients;
import org.signetmq.envelope.internal.signature.SignatureVerifier;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;

/**
 * Checks without a recipient's key whether a message already is an envelope by its policy. It checks structure,
 * algorithms and the recipients; of signed messages also signature, signer and address. Thread-safe.
 */
public final class EnvelopeCheck {
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

    /** Tells whether the bytes begin as an envelope does. Bytes that do not satisfy no policy. */
    public static boolean looksSealed(ByteBuffer bytes) {
        return EnvelopeParser.looksSealed(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    /** The requirements for a message. */
    record Requirements(String address, Policy policy, SenderRule senders) {}

    /**
     * Tells whether the bytes satisfy the policy for this address: one envelope, or all segments of a large message. A
     * signed envelope may name a sender that the rule accepts. If a broker identity of the policy signed it, it may
     * name any sender. Bad bytes satisfy no policy.
     *
     * @throws SenderMismatchException if the only fault is the sender that the envelope names
     * @throws SignerRejectedException if the envelope is for this address, its signer is or may be revoked, and the
     *     rule is not {@link SenderRule#ANY}
     */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
        if (!EnvelopeParser.looksSealed(bytes, 0, bytes.length)) {
            return false;
        }
        EnvelopeChain chain = chain(address, policy, senders);
        if (!EnvelopeLength.isShorterThan(Slice.of(bytes))) {
            return chain.accepts(bytes, 0, bytes.length) && chain.isComplete();
        }
        int position = 0;
        while (position < bytes.length) {
            int length = EnvelopeChain.lengthOf(new Slice(bytes, position, bytes.length - position));
            if (length < 0 || length > bytes.length - position || !chain.accepts(bytes, position, length)) {
                return false;
            }
            position += length;
        }
        return chain.isComplete();
    }

    /** Creates a check of the segments of one large message; see {@link #satisfies}. */
    public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
        return new EnvelopeChain(this, new Requirements(address, policy.policy(), senders));
    }

    /** Verifies the signature of an envelope. */
    SignatureVerifier.Verified verify(ParsedEnvelope.Signed envelope, Policy policy, OperationBudget budget) {
        return signatures.verify(envelope, policy, budget);
    }

    CacheSizes remembered() {
        return new CacheSizes(0, signatures.certificatesKept(), signatures.bytesKept());
    }

    /**
     * Tells whether an encrypted envelope is for exactly the recipients of the policy. Recipients check address and
     * signature, because privacy and confidentiality look alike from outside.
     *
     * @throws EnvelopeException if a recipient info is of an unknown kind or under old algorithms
     */
    boolean isEncrypted(ParsedEnvelope.Encrypted envelope, Policy policy) {
        if (!EnvelopeStructure.of(policy).isEncrypted()) {
            return false;
        }
        LegacyAlgorithmCheck.reject(envelope.recipients(), policy, LegacyAlgorithms.REFUSED);
        Optional<PolicyRecipients> wanted = wanted(policy.encryption().recipients());
        return wanted.isPresent() && wanted.get().areThoseOf(envelope.recipients());
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
}
