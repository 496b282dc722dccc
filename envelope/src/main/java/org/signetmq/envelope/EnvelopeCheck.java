/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.internal.cms.EnvelopeLength;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.Remembered;
import org.signetmq.envelope.internal.recipient.LegacyRecipients;
import org.signetmq.envelope.internal.recipient.WantedRecipients;
import org.signetmq.envelope.internal.signature.SignatureCheck;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;

/**
 * Tells, without the key of a recipient, whether a message already is an envelope as its policy wants it: structure,
 * algorithms, all recipients of the policy and no others; for signed messages also signature, signer and address.
 * Thread-safe.
 */
public final class EnvelopeCheck {
    private static final int MOST_KEPT = 1024;
    private static final long KEPT_MILLIS = 1000;

    private final RecipientDirectory certificates;
    private final SignatureCheck signatures;
    private final Clock clock;
    private final Map<List<String>, Kept> kept = new ConcurrentHashMap<>();

    /** Recipients that were found at this time; which certificate a selector means may depend on the time. */
    private record Kept(long version, long since, Optional<WantedRecipients> recipients) {}

    private EnvelopeCheck(RecipientDirectory certificates, CertificateTrust trust, Clock clock) {
        this.certificates = certificates;
        this.signatures = new SignatureCheck(certificates, trust, clock);
        this.clock = clock;
    }

    /**
     * A check that works with these certificates.
     *
     * @param certificates finds certificates that policies name or messages reference
     * @param trust decides whether a signer may be believed
     */
    public static EnvelopeCheck create(RecipientDirectory certificates, CertificateTrust trust) {
        return create(certificates, trust, Clock.systemUTC());
    }

    /** As {@link #create(RecipientDirectory, CertificateTrust)}, by this clock. */
    static EnvelopeCheck create(RecipientDirectory certificates, CertificateTrust trust, Clock clock) {
        return new EnvelopeCheck(certificates, trust, clock);
    }

    /** What a message must be. */
    record Wanted(String address, Policy policy, SenderRule senders) {}

    /**
     * Whether the bytes are a message as this policy wants it for this address: one envelope, or the segments of a
     * large message one after the other. It may name any sender. Never throws on bad bytes.
     */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy) {
        return satisfies(bytes, address, policy, SenderRule.ANY);
    }

    /**
     * As {@link #satisfies(byte[], String, EffectivePolicy)}, for what a client sends. A signed envelope may name a
     * sender that the rule accepts. If a broker identity of the policy signed it, it may name any.
     *
     * @throws SenderMismatchException if all is right but the sender that it names
     */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
        if (!EnvelopeParser.looksSealed(bytes, 0, bytes.length)) {
            return false;
        }
        EnvelopeChain chain = chain(address, policy, senders);
        if (!EnvelopeLength.isShorterThan(bytes)) {
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

    /** A check of the segments of one large message, as they come. */
    public EnvelopeChain chain(String address, EffectivePolicy policy) {
        return chain(address, policy, SenderRule.ANY);
    }

    /** As {@link #chain(String, EffectivePolicy)}, for what a client sends; see {@link #satisfies}. */
    public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
        return new EnvelopeChain(this, new Wanted(address, policy.policy(), senders));
    }

    /**
     * Verifies the signature of an envelope.
     *
     * @throws EnvelopeException if it is not right
     */
    SignatureCheck.Verified verify(ParsedEnvelope.Signed envelope, Policy policy, OperationBudget budget) {
        return signatures.verify(envelope, policy, budget);
    }

    /** What is remembered of the messages so far. */
    Remembered remembered() {
        return new Remembered(0, signatures.certificatesKept(), signatures.bytesKept());
    }

    /**
     * Whether an encrypted envelope is for the recipients of the policy. Privacy and confidentiality look alike from
     * outside; address and signature are the recipients' to check. Throws an EnvelopeException for some that are not.
     */
    boolean isEncrypted(ParsedEnvelope.Encrypted envelope, Policy policy) {
        if (!EnvelopeStructure.of(policy).isEncrypted()) {
            return false;
        }
        LegacyRecipients.refuse(envelope.recipients(), policy, LegacyAlgorithms.REFUSED);
        Optional<WantedRecipients> wanted = wanted(policy.encryption().recipients());
        return wanted.isPresent() && wanted.get().areThoseOf(envelope.recipients());
    }

    /** Kept for a moment, for each name in it is read out of a certificate. */
    private Optional<WantedRecipients> wanted(List<String> selectors) {
        long version = certificates.version();
        long now = clock.millis();
        Kept last = kept.get(selectors);
        if (last != null && last.version() == version && Math.abs(now - last.since()) < KEPT_MILLIS) {
            return last.recipients();
        }
        Optional<WantedRecipients> recipients = WantedRecipients.of(selectors, certificates);
        if (kept.size() >= MOST_KEPT) {
            kept.clear();
        }
        kept.put(selectors, new Kept(version, now, recipients));
        return recipients;
    }
}
