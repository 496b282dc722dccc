/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.DigestPool;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.signature.SignerCertificates.SignerCertificate;
import org.signetmq.envelope.message.OpenedMessage.VerifiedSigner;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.SignatureAlgorithm;

/** Verifies signatures and decides whether the signer may sign the message. Thread-safe. */
public final class SignatureVerifier {
    private final SignerCertificates certificates;
    private final CertificateTrust trust;
    private final SignerMatch match;
    private final Clock clock;
    private final DigestPool digests = new DigestPool();

    public SignatureVerifier(
            RecipientDirectory directory, CertificateTrust trust, Clock clock, CryptoProviders providers) {
        this.certificates = new SignerCertificates(directory, providers);
        this.trust = trust;
        this.match = new SignerMatch(directory, trust);
        this.clock = clock;
    }

    /** A verified signature of a trusted signer. */
    public record Verified(
            SignatureVerifier by, Slice content, SignerCertificate certificate, TrustedCertificate trusted) {
        public VerifiedSigner signer() {
            return new VerifiedSigner(certificate.certificate(), trusted.shownName());
        }

        /** Tells whether the policy lists the signer as a broker identity, which proves senders. */
        public boolean isBroker(@Nullable Policy policy) {
            return policy != null
                    && EnvelopeStructure.of(policy).isSigned()
                    && by.isAmong(policy.signing().brokers(), trusted);
        }

        /** Tells whether one of these names, distinguished names and key identifiers means the signer. */
        public boolean isOneOf(List<String> selectors) {
            return by.isAmong(selectors, trusted);
        }

        /** Remembers the certificate, because the message is verified so far. */
        public void accept(PendingCacheEntries kept) {
            by.certificates.remember(certificate, kept::add);
        }
    }

    /**
     * Verifies the signature of an envelope, by the policy of the address unless that is null. Trust verifies the
     * signatures of the certificate's path.
     */
    public Verified verify(ParsedEnvelope.Signed envelope, @Nullable Policy policy, OperationBudget budget) {
        return verify(envelope, policy, budget, SignatureCheck.SIGNATURE);
    }

    /** Verifies the signature of an envelope, or all of it but the signature itself, as a broker may do. */
    public Verified verify(
            ParsedEnvelope.Signed envelope, @Nullable Policy policy, OperationBudget budget, SignatureCheck check) {
        requireDigest(envelope, digests);
        List<SignerCertificate> carried = certificates.carried(envelope);
        SignerCertificate candidate = signer(certificates, envelope.signer(), carried, budget, check);
        TrustedCertificate trusted = trusted(candidate.certificate(), carried);
        if (policy != null && EnvelopeStructure.of(policy).isSigned()) {
            rejectUnauthorized(trusted, policy);
            rejectWeak(envelope.signer(), policy);
        }
        return new Verified(this, envelope.content(), candidate, trusted);
    }

    /** Verifies the signature of an envelope by the certificate in it, and returns that. No trust counts. */
    public static X509Certificate signer(
            ParsedEnvelope.Signed envelope, RecipientDirectory directory, CryptoProviders providers) {
        requireDigest(envelope, new DigestPool());
        SignerCertificates certificates = new SignerCertificates(directory, providers);
        return signer(
                        certificates,
                        envelope.signer(),
                        certificates.carried(envelope),
                        new OperationBudget(),
                        SignatureCheck.SIGNATURE)
                .certificate();
    }

    private static void requireDigest(ParsedEnvelope.Signed envelope, DigestPool digests) {
        byte[] digest = digests.of(envelope.signer().digest(), envelope.content());
        if (!MessageDigest.isEqual(digest, envelope.signer().attributes().messageDigest())) {
            throw new AuthenticationFailedException("signature: the signed content was changed");
        }
    }

    private static SignerCertificate signer(
            SignerCertificates certificates,
            ParsedEnvelope.Signer signer,
            List<SignerCertificate> carried,
            OperationBudget budget,
            SignatureCheck check) {
        SignerCertificate candidate = certificates.ofSigner(signer, carried);
        budget.takeSignature(candidate.certificate());
        if (check == SignatureCheck.SIGNATURE
                && !candidate
                        .key()
                        .verify(
                                signer.signature().scheme(),
                                signer.digest(),
                                signer.attributes().encoded(),
                                signer.signature().value())) {
            throw new AuthenticationFailedException("signature: not made by " + signer.identifier());
        }
        return candidate;
    }

    private boolean isAmong(List<String> selectors, TrustedCertificate signer) {
        for (int i = 0; i < selectors.size(); i++) {
            if (match.matches(signer, selectors.get(i))) {
                return true;
            }
        }
        return false;
    }

    public int certificatesKept() {
        return certificates.kept();
    }

    public long bytesKept() {
        return certificates.bytesKept();
    }

    private TrustedCertificate trusted(X509Certificate certificate, List<SignerCertificate> carried) {
        List<X509Certificate> others =
                carried.stream().map(SignerCertificate::certificate).toList();
        try {
            return trust.verify(certificate, others, CertificateUse.SIGNING, clock.instant());
        } catch (CertificateRejectedException rejected) {
            throw new SignerRejectedException(rejected.reason(), String.valueOf(rejected.getMessage()));
        }
    }

    private void rejectUnauthorized(TrustedCertificate signer, Policy policy) {
        List<String> allowed = policy.signing().signers();
        if (!allowed.isEmpty() && !isAmong(allowed, signer)) {
            throw new SignerNotAuthorizedException("signer '" + signer.shownName() + "': not on the list of policy '"
                    + policy.pattern() + "': " + allowed);
        }
    }

    private static void rejectWeak(ParsedEnvelope.Signer signer, Policy policy) {
        if (!signer.digest().equals("SHA-512")) {
            throw new PolicyViolationException("signature: made with " + signer.digest() + " where policy '"
                    + policy.pattern() + "' asks for SHA-512");
        }
        if (policy.signing().algorithm() == SignatureAlgorithm.SHA_512_RSA_PSS
                && signer.signature().scheme() == SignatureScheme.RSA) {
            throw new PolicyViolationException(
                    "signature: RSA PKCS#1 v1.5 where policy '" + policy.pattern() + "' asks for RSA-PSS");
        }
    }
}
