/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.Sha256;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
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

    private SignerCertificate of(X509Certificate certificate) {
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
}
