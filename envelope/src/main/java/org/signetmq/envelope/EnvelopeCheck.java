/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.time.Clock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.KeyDerivation;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/**
 * Tells, without the key of a recipient, whether a message already is an envelope as its policy wants it: structure,
 * algorithms, all recipients of the policy and no others; for signed messages also signature, signer and address.
 * Thread-safe.
 */
public final class EnvelopeCheck {
    private final RecipientDirectory certificates;
    private final SignatureCheck signatures;

    private EnvelopeCheck(RecipientDirectory certificates, CertificateTrust trust, Clock clock) {
        this.certificates = certificates;
        this.signatures = new SignatureCheck(certificates, trust, clock);
    }

    /**
     * A check that works with these certificates.
     *
     * @param certificates finds certificates that policies name or messages reference
     * @param trust decides whether a signer may be believed
     */
    public static EnvelopeCheck create(RecipientDirectory certificates, CertificateTrust trust) {
        return new EnvelopeCheck(certificates, trust, Clock.systemUTC());
    }

    /** What a message must be. */
    record Wanted(String address, Policy policy) {}

    /**
     * Whether the bytes are a message as this policy wants it for this address: one envelope, or the segments of a
     * large message one after the other. Never throws on bad bytes.
     */
    public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy) {
        if (!EnvelopeParser.looksSealed(bytes, 0, bytes.length)) {
            return false;
        }
        EnvelopeChain chain = chain(address, policy);
        if (!EnvelopeLength.isShorterThan(bytes)) {
            return chain.accepts(bytes, 0, bytes.length) && chain.isComplete();
        }
        int position = 0;
        while (position < bytes.length) {
            int head = Math.min(EnvelopeChain.HEAD_LENGTH, bytes.length - position);
            int length = EnvelopeChain.lengthOf(Arrays.copyOfRange(bytes, position, position + head), head);
            if (length < 0 || length > bytes.length - position || !chain.accepts(bytes, position, length)) {
                return false;
            }
            position += length;
        }
        return chain.isComplete();
    }

    /** A check of the segments of one large message, as they come. */
    public EnvelopeChain chain(String address, EffectivePolicy policy) {
        return new EnvelopeChain(this, new Wanted(address, policy.policy()));
    }

    /** Whether one envelope is right. Throws an EnvelopeException for some that are not. */
    boolean isRight(ParsedEnvelope envelope, Wanted wanted) {
        return envelope instanceof ParsedEnvelope.Signed signed
                ? isSigned(signed, wanted.address(), wanted.policy())
                : isEncrypted((ParsedEnvelope.Encrypted) envelope, wanted.policy());
    }

    private boolean isSigned(ParsedEnvelope.Signed envelope, String address, Policy policy) {
        if (policy.quality() != QualityOfProtection.INTEGRITY) {
            return false;
        }
        signatures.verify(envelope, policy);
        Slice content = envelope.content();
        EntityReader reader = new EntityReader();
        int unused = reader.header(content.array(), content.offset(), content.length());
        return reader.head().address().equals(address);
    }

    /** Privacy and confidentiality look alike from outside; address and signature are the recipients' to check. */
    private boolean isEncrypted(ParsedEnvelope.Encrypted envelope, Policy policy) {
        if (!policy.quality().encrypts()) {
            return false;
        }
        Set<Recipient> wanted = new HashSet<>();
        for (String selector : policy.encryption().recipients()) {
            Optional<Recipient> recipient = certificates.find(selector);
            if (recipient.isEmpty()) {
                return false;
            }
            wanted.add(recipient.get());
        }
        Set<Recipient> found = new HashSet<>();
        for (RecipientEntry entry : envelope.recipients()) {
            for (PartyIdentifier named : parties(entry)) {
                List<Recipient> meant = wanted.stream()
                        .filter(recipient -> named.isOf(recipient.certificate()))
                        .toList();
                if (meant.isEmpty()) {
                    return false; // somebody else could read it
                }
                found.addAll(meant);
            }
        }
        return found.equals(wanted);
    }

    private static List<PartyIdentifier> parties(RecipientEntry entry) {
        if (entry instanceof RecipientEntry.Transport transport
                && transport.padding() == RecipientEntry.Padding.OAEP_SHA_256) {
            return List.of(transport.recipient());
        }
        if (entry instanceof RecipientEntry.Agreement agreement
                && agreement.agreement().derivation() != KeyDerivation.SHA_1) {
            return agreement.keys().stream()
                    .map(RecipientEntry.WrappedKey::recipient)
                    .toList();
        }
        throw new PolicyViolationException("envelope: a recipient of a kind that policies do not allow");
    }
}
