/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.DigestPool;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.HashList;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.format.Malformed;
import org.signetmq.envelope.internal.signature.SignerCertificates.SignerCertificate;
import org.signetmq.envelope.message.OpenedMessage.VerifiedSigner;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.SignatureAlgorithm;

/**
 * Verifies signatures, and decides whether the signer, or the sender that agreed on the data key, may send the message.
 * Thread-safe.
 */
public final class SignatureVerifier {
    private static final int MOST_SENDERS = 1024;
    private static final long SENDER_MILLIS = 1000;

    private final SignerCertificates certificates;
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final SignerMatch match;
    private final Clock clock;
    private final DigestPool digests = new DigestPool();
    private final Map<SenderKey, Sender> senders = new ConcurrentHashMap<>();

    /** The shared signatures that were verified, each with its certificate. */
    private final Set<Sha256> verified = ConcurrentHashMap.newKeySet();

    public SignatureVerifier(
            RecipientDirectory directory, CertificateTrust trust, Clock clock, CryptoProviders providers) {
        this.certificates = new SignerCertificates(directory, providers);
        this.directory = directory;
        this.trust = trust;
        this.match = new SignerMatch(directory, trust);
        this.clock = clock;
    }

    public CertificateTrust trust() {
        return trust;
    }

    /**
     * A verified signature of a trusted signer, or the proof of a trusted sender that agreed on the data key.
     *
     * @param postQuantum the certificate of the ML-DSA signature beside the other one; null if there is one signature
     * @param shared the digest of a shared signature, signer and signed attributes; null if the signature serves this
     *     message alone, or was not verified
     * @param agreed whether the key agreed on the data key, in place of a signature
     */
    public record Verified(
            SignatureVerifier by,
            Slice content,
            SignerCertificate certificate,
            TrustedCertificate trusted,
            @Nullable SignerCertificate postQuantum,
            @Nullable Sha256 shared,
            boolean agreed) {
        public VerifiedSigner signer() {
            return new VerifiedSigner(
                    certificate.certificate(), trusted.shownName(), agreed ? "agreement" : "signature");
        }

        /** Tells whether the policy lists the signer as a broker identity, which proves senders. */
        public boolean isBroker(@Nullable Policy policy) {
            return policy != null
                    && EnvelopeStructure.of(policy).provesSender()
                    && by.isAmong(policy.signing().brokers(), trusted);
        }

        /** Tells whether one of these names, distinguished names and key identifiers means the signer. */
        public boolean isOneOf(List<String> selectors) {
            return by.isAmong(selectors, trusted);
        }

        /** Remembers certificate and shared signature, because the message is verified so far. */
        public void accept(PendingCacheEntries kept) {
            by.certificates.remember(certificate, kept::add);
            if (postQuantum != null) {
                by.certificates.remember(postQuantum, kept::add);
            }
            if (shared != null) {
                by.remember(shared, kept);
            }
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
        requireSigners(envelope.postQuantum(), policy);
        requireDigest(envelope, digests);
        List<SignerCertificate> carried = certificates.carried(envelope);
        SignerCertificate candidate = certificates.ofSigner(envelope.signer(), carried);
        ParsedEnvelope.Signer second = envelope.postQuantum();
        SignerCertificate postQuantum = second == null ? null : certificates.ofSigner(second, carried);
        budget.takeSignature(candidate.certificate(), postQuantum == null ? null : postQuantum.certificate());
        Sha256 shared = null;
        if (check == SignatureCheck.SIGNATURE) {
            shared = envelope.list() == null ? null : digest(envelope.signer(), candidate);
            if (shared != null && second != null && postQuantum != null) {
                byte[] both = DerWriter.concat(
                        shared.copy(), digest(second, postQuantum).copy());
                shared = Sha256.of(Slice.of(both));
            }
            if (shared == null || !verified.contains(shared)) {
                requireSignature(envelope.signer(), candidate);
                if (second != null && postQuantum != null) {
                    requireSignature(second, postQuantum);
                }
            }
        }
        TrustedCertificate trusted = trusted(candidate.certificate(), carried);
        TrustedCertificate companion = postQuantum == null ? null : trusted(postQuantum.certificate(), carried);
        if (policy != null && EnvelopeStructure.of(policy).provesSender()) {
            rejectUnauthorized(trusted, companion, policy);
            rejectWeak(envelope.signer(), policy);
        }
        return new Verified(this, envelope.content(), candidate, trusted, postQuantum, shared, false);
    }

    /** Requires two signatures exactly where the policy does, so that a sender cannot choose the weaker one. */
    private static void requireSigners(ParsedEnvelope.@Nullable Signer second, @Nullable Policy policy) {
        boolean both = policy != null
                && policy.enforcement().require() == RequiredKeys.BOTH
                && EnvelopeStructure.of(policy).isSigned();
        if (policy != null && both && second == null) {
            throw new PolicyViolationException("signature: of one key where policy '" + policy.pattern()
                    + "' requires both, a classical one and one of ML-DSA");
        }
        Malformed.when(second != null && !both, "envelope: two signers where no policy requires both kinds of keys");
    }

    /** The sender with a key, trusted for a second, because no message pays for a look at its certificate. */
    private static final class Sender {
        private final SignerCertificate certificate;
        private final TrustedCertificate trusted;
        private final long version;
        private final long since;

        /** The last millisecond in which no file had changed: a look costs more than the time. */
        private volatile long looked;

        /** The last policy that allows the sender. */
        private volatile @Nullable Policy allowedBy;

        Sender(SignerCertificate certificate, TrustedCertificate trusted, long version, long since) {
            this.certificate = certificate;
            this.trusted = trusted;
            this.version = version;
            this.since = since;
            this.looked = since;
        }
    }

    /**
     * Finds the sender whose key agreed on a data key, by the policy of the address unless that is null. The home has
     * the certificate, because the envelope has none.
     *
     * @return null if trust does not accept the sender, and the policy does not ask for it
     */
    public @Nullable Verified sender(SenderKey key, Slice content, @Nullable Policy policy) {
        boolean required = policy != null && EnvelopeStructure.of(policy).isAgreed();
        Sender sender;
        try {
            sender = sender(key);
        } catch (SignerRejectedException rejected) {
            if (required) {
                throw rejected;
            }
            return null;
        }
        if (policy != null && required) {
            requireAllowed(sender, policy);
        }
        return new Verified(this, content, sender.certificate, sender.trusted, null, null, true);
    }

    @SuppressWarnings("ReferenceEquality") // an equal policy is asked again
    private void requireAllowed(Sender sender, Policy policy) {
        if (sender.allowedBy != policy) {
            rejectUnauthorized(sender.trusted, null, policy);
            sender.allowedBy = policy;
        }
    }

    private Sender sender(SenderKey key) {
        long now = clock.millis();
        Sender last = senders.get(key);
        if (last != null && last.looked == now) {
            return last;
        }
        long version = directory.version() + trust.version();
        if (last != null && last.version == version && Math.abs(now - last.since) < SENDER_MILLIS) {
            last.looked = now;
            return last;
        }
        SignerCertificate certificate = certificate(key);
        TrustedCertificate trusted = trusted(certificate.certificate(), List.of(), CertificateUse.SIGNING);
        var unused = trusted(certificate.certificate(), List.of(), CertificateUse.RECEIVING); // its key agrees
        Sender made = new Sender(certificate, trusted, version, now);
        if (senders.size() >= MOST_SENDERS) {
            senders.clear();
        }
        senders.put(key, made);
        return made;
    }

    private SignerCertificate certificate(SenderKey key) {
        try {
            return directory
                    .find(key.selector())
                    .map(Recipient::certificate)
                    .filter(key::isOf)
                    .map(certificates::of)
                    .orElseThrow(() -> new SignerRejectedException(
                            Reason.UNTRUSTED,
                            "sender " + key + ": its certificate is not known here; put its PEM file into the folder"
                                    + " recipients"));
        } catch (KeystoreUnusableException shared) {
            throw new SignerRejectedException(Reason.UNTRUSTED, String.valueOf(shared.getMessage()));
        }
    }

    /** Verifies the signature of an envelope by the certificate in it, and returns that. No trust counts. */
    public static X509Certificate signer(
            ParsedEnvelope.Signed envelope, RecipientDirectory directory, CryptoProviders providers) {
        requireSigners(envelope.postQuantum(), null);
        requireDigest(envelope, new DigestPool());
        SignerCertificates certificates = new SignerCertificates(directory, providers);
        SignerCertificate candidate = certificates.ofSigner(envelope.signer(), certificates.carried(envelope));
        requireSignature(envelope.signer(), candidate);
        return candidate.certificate();
    }

    private static void requireDigest(ParsedEnvelope.Signed envelope, DigestPool digests) {
        byte[] digest = digests.of(envelope.signer().digest(), envelope.covered());
        ParsedEnvelope.Signer second = envelope.postQuantum(); // of the same digest algorithm
        if (!MessageDigest.isEqual(digest, envelope.signer().attributes().messageDigest())
                || (second != null
                        && !MessageDigest.isEqual(digest, second.attributes().messageDigest()))) {
            throw new AuthenticationFailedException("signature: the signed content was changed");
        }
        HashList list = envelope.list();
        if (list != null && !list.contains(digests.of(HashList.DIGEST, envelope.content()))) {
            throw new AuthenticationFailedException("signature: the signed list does not have the message");
        }
    }

    private static void requireSignature(ParsedEnvelope.Signer signer, SignerCertificate candidate) {
        if (!candidate
                .key()
                .verify(
                        signer.signature().scheme(),
                        signer.digest(),
                        signer.attributes().encoded(),
                        signer.signature().value())) {
            throw new AuthenticationFailedException("signature: not made by " + signer.identifier());
        }
    }

    /**
     * Returns a digest of all input to the verification of a signature. The attributes have the digest of the list, and
     * end themselves.
     */
    private static Sha256 digest(ParsedEnvelope.Signer signer, SignerCertificate candidate) {
        byte[] algorithms = (signer.signature().scheme().name() + signer.digest()).getBytes(StandardCharsets.US_ASCII);
        return Sha256.of(Slice.of(DerWriter.concat(
                signer.attributes().encoded(),
                algorithms,
                candidate.sha256().copy(),
                signer.signature().value())));
    }

    private void remember(Sha256 shared, PendingCacheEntries kept) {
        if (verified.contains(shared)) {
            return;
        }
        kept.add(() -> verified.remove(shared));
        if (verified.size() >= Limits.SHARED_SIGNATURES_KEPT) {
            verified.clear();
        }
        verified.add(shared);
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
        List<X509Certificate> others = carried.size() == 1
                ? List.of(carried.get(0).certificate()) // for each message
                : carried.stream().map(SignerCertificate::certificate).toList();
        return trusted(certificate, others, CertificateUse.SIGNING);
    }

    private TrustedCertificate trusted(X509Certificate certificate, List<X509Certificate> others, CertificateUse use) {
        try {
            return trust.verify(certificate, others, use, clock.instant());
        } catch (CertificateRejectedException rejected) {
            throw new SignerRejectedException(rejected.reason(), String.valueOf(rejected.getMessage()));
        }
    }

    private void rejectUnauthorized(TrustedCertificate signer, @Nullable TrustedCertificate companion, Policy policy) {
        List<String> allowed = policy.signing().signers();
        if (companion == null
                ? !allowed.isEmpty() && !isAmong(allowed, signer)
                : !match.areBoth(signer, companion, allowed)) {
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
