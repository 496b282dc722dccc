/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.ParsedEnvelope.SignedAttributes;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.PartyIdentifier.CertificateIdentifiers;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.VerifyingKey;
import org.signetmq.keystore.trust.Certificates;

/** Finds certificates of signers in messages or in the directory. It caches accepted ones. Thread-safe. */
public final class SignerCertificates {
    private static final int MOST_KEPT = 1024;

    private final RecipientDirectory directory;
    private final CryptoProviders providers;
    private final Map<Sha256, SignerCertificate> accepted = new ConcurrentHashMap<>();
    private final Map<X509Certificate, SignerCertificate> known = new ConcurrentHashMap<>();
    private long bytes; // the length of the accepted certificates; guarded by this

    public SignerCertificates(RecipientDirectory directory, CryptoProviders providers) {
        this.directory = directory;
        this.providers = providers;
    }

    /** Parses all certificates in the envelope. The parser of the envelope has limited their number and length. */
    List<SignerCertificate> carried(ParsedEnvelope.Signed envelope) {
        List<SignerCertificate> carried = new ArrayList<>(1);
        for (Slice slice : envelope.certificates()) {
            carried.add(parse(slice));
        }
        return carried;
    }

    /**
     * Finds the certificate that the signer names: among those in the message, or in the directory if the message has
     * none. A message with certificates but without its signer's was changed.
     *
     * @throws SignerRejectedException if there is none, if several with different keys claim to be it, or if its key
     *     must not be used
     */
    SignerCertificate ofSigner(ParsedEnvelope.Signer signer, List<SignerCertificate> carried) {
        PartyIdentifier identifier = signer.identifier();
        boolean named = false;
        SignerCertificate found = null;
        for (SignerCertificate candidate : carried.isEmpty() ? known(identifier) : carried) {
            if (!identifier.isOf(candidate.names())) {
                continue;
            }
            named = true;
            if (!candidate.isMeantBy(signer.attributes())) {
                continue;
            }
            if (found == null) {
                found = candidate;
            } else if (!found.hasSameKey(candidate)) {
                throw new SignerRejectedException(
                        Reason.UNTRUSTED,
                        "signer " + identifier + ": certificates for different keys have this identifier");
            }
        }
        if (!named) {
            throw new SignerRejectedException(
                    Reason.UNTRUSTED,
                    "signer " + identifier + ": the certificate is neither in the message nor known here;"
                            + " put its PEM file into the folder recipients");
        }
        if (found == null) {
            throw new AuthenticationFailedException("signature: not made by " + identifier);
        }
        if (found.keyProblem() != null) {
            throw new SignerRejectedException(
                    Reason.UNSUPPORTED_KEY, "signer " + identifier + ": " + found.keyProblem());
        }
        return found;
    }

    private List<SignerCertificate> known(PartyIdentifier signer) {
        List<Recipient> entries;
        try {
            if (signer.keyIdentifier() == null) {
                entries = new ArrayList<>(directory.all());
                entries.addAll(directory.former());
            } else {
                entries = directory.find(KeyIdentifier.of(signer.keyIdentifier().copy()));
            }
        } catch (KeystoreUnusableException shared) {
            throw new SignerRejectedException(Reason.UNTRUSTED, String.valueOf(shared.getMessage()));
        }
        List<SignerCertificate> found = new ArrayList<>(entries.size());
        for (Recipient entry : entries) {
            found.add(of(entry.certificate()));
        }
        return found;
    }

    SignerCertificate of(X509Certificate certificate) {
        SignerCertificate found = known.get(certificate);
        if (found != null) {
            return found;
        }
        if (known.size() >= MOST_KEPT) {
            known.clear();
        }
        return known.computeIfAbsent(certificate, unused -> SignerCertificate.of(certificate, providers));
    }

    private SignerCertificate parse(Slice slice) {
        Sha256 digest = Sha256.of(slice);
        SignerCertificate found = accepted.get(digest);
        if (found != null) {
            return found;
        }
        CertificateComplexity.require(slice);
        try {
            X509Certificate certificate = Certificates.fromDer(slice.copy());
            VerifyingKey key = VerifyingKey.of(certificate.getPublicKey(), providers);
            return SignerCertificate.of(certificate, key, digest, slice.length());
        } catch (RuntimeException unreadable) { // parsers throw many exceptions for malformed parts
            throw new MalformedEnvelopeException("envelope: a certificate in it cannot be read");
        }
    }

    /**
     * Keeps a certificate that came with an accepted message.
     *
     * @param undo takes the action that removes a new entry, before the entry is made: no failure leaves it behind
     */
    public void remember(SignerCertificate certificate, Consumer<Runnable> undo) {
        if (certificate.length() > 0 && !accepted.containsKey(certificate.sha256())) {
            undo.accept(() -> forget(certificate));
            rememberNew(certificate);
        }
    }

    private synchronized void rememberNew(SignerCertificate certificate) {
        if (accepted.size() == MOST_KEPT || bytes + certificate.length() > Limits.CERTIFICATES_KEPT) {
            accepted.clear();
            bytes = 0;
        }
        bytes += certificate.length(); // first: a failure may come after the entry is made
        if (accepted.putIfAbsent(certificate.sha256(), certificate) != null) {
            bytes -= certificate.length();
        }
    }

    /** Removes the entry of this message after its rejection. Another message may have made an equal one. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void forget(SignerCertificate certificate) {
        if (accepted.get(certificate.sha256()) == certificate) {
            accepted.remove(certificate.sha256());
            bytes -= certificate.length();
        }
    }

    public int kept() {
        return accepted.size();
    }

    public synchronized long bytesKept() {
        return bytes;
    }

    /**
     * Counts the elements of a certificate before a library parses it. The library would take a hundred times the bytes
     * of a name, and an object for each element of an extension. For one thread.
     */
    static final class CertificateComplexity {
        private static final int CONSTRUCTED = 0x20;
        private static final String A_CERTIFICATE = "a certificate";

        private int elements;
        private int attributes;

        private CertificateComplexity() {}

        /**
         * Rejects a certificate with too many elements, levels or attributes of names. It makes no other check.
         *
         * @throws MalformedEnvelopeException if it has too many, or is not DER
         */
        static void require(Slice certificate) {
            new CertificateComplexity().count(certificate, 1, false);
        }

        private void count(Slice part, int depth, boolean inSet) {
            Limits.require(depth, Limits.CERTIFICATE_DEPTH, A_CERTIFICATE, "levels");
            DerReader reader = new DerReader(part);
            while (reader.hasMore()) {
                Limits.require(++elements, Limits.CERTIFICATE_ELEMENTS, A_CERTIFICATE, "elements");
                if (inSet) { // only the names in a certificate have sets
                    Limits.require(++attributes, Limits.CERTIFICATE_ATTRIBUTES, A_CERTIFICATE, "attributes of names");
                }
                Slice element = reader.element();
                int tag = element.array()[element.offset()] & 0xFF;
                if ((tag & CONSTRUCTED) != 0 || tag == DerReader.OCTET_STRING) {
                    Slice content = new DerReader(element).content(tag);
                    if (tag != DerReader.OCTET_STRING || isElement(content)) { // the value of an extension
                        count(content, depth + 1, tag == DerReader.SET);
                    }
                }
            }
        }

        /** Tells whether these bytes are one constructed element. */
        private static boolean isElement(Slice bytes) {
            if (bytes.length() < 2 || (bytes.array()[bytes.offset()] & CONSTRUCTED) == 0) {
                return false;
            }
            try {
                return new DerReader(bytes).element().length() == bytes.length();
            } catch (MalformedEnvelopeException other) {
                return false;
            }
        }
    }

    /**
     * A parsed certificate that verifies signatures. Thread-safe.
     *
     * @param keyProblem the reason why the key must not verify a signature, or null
     * @param sha256 the digest of its encoding
     * @param length the length of its encoding in bytes if it came with a message, else 0
     */
    public record SignerCertificate(
            X509Certificate certificate,
            CertificateIdentifiers names,
            VerifyingKey key,
            PublicKeyInfo keyInfo,
            @Nullable String keyProblem,
            Sha256 sha256,
            int length) {
        /** Prepares a certificate of the directory. */
        static SignerCertificate of(X509Certificate certificate, CryptoProviders providers) {
            return of(certificate, VerifyingKey.of(certificate.getPublicKey(), providers), digest(certificate), 0);
        }

        /** Prepares a certificate that came with a message. */
        public static SignerCertificate of(X509Certificate certificate, VerifyingKey key, Sha256 sha256, int length) {
            return new SignerCertificate(
                    certificate,
                    CertificateIdentifiers.of(certificate),
                    key,
                    PublicKeyInfo.of(certificate),
                    Certificates.problemWithKey(certificate, CertificateUse.SIGNING)
                            .orElse(null),
                    sha256,
                    length);
        }

        private static Sha256 digest(X509Certificate certificate) {
            try {
                return Sha256.of(Slice.of(certificate.getEncoded()));
            } catch (CertificateEncodingException unreadable) {
                throw new KeystoreUnusableException("certificate: cannot be encoded", unreadable);
            }
        }

        boolean hasSameKey(SignerCertificate other) {
            return keyInfo.equals(other.keyInfo);
        }

        /** Tells whether the signed attributes allow this certificate: they have its hash or none. */
        boolean isMeantBy(SignedAttributes attributes) {
            return attributes.certificateHash() == null || sha256.is(attributes.certificateHash());
        }
    }
}
