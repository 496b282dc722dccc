/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Certificates;
import org.signetmq.keystore.CryptoProviders;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.VerifyingKey;

/** A certificate that signatures are verified with, parsed once. Thread-safe. */
final class SignerCertificate {
    private final X509Certificate certificate;
    private final PartyNames names;
    private final VerifyingKey key;
    private final byte[] sha256;
    private final PublicKeyInfo keyInfo;
    private final @Nullable String keyProblem;

    SignerCertificate(X509Certificate certificate) {
        this.certificate = certificate;
        this.names = PartyNames.of(certificate);
        this.keyInfo = PublicKeyInfo.of(certificate);
        this.keyProblem =
                Certificates.problemWithKey(certificate, CertificateUse.SIGNING).orElse(null);
        this.key = VerifyingKey.of(certificate.getPublicKey());
        try {
            this.sha256 = CryptoProviders.standard().sha256(certificate.getEncoded());
        } catch (CertificateEncodingException unreadable) {
            throw new MalformedEnvelopeException("envelope: a certificate in it cannot be read");
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    VerifyingKey key() {
        return key;
    }

    /** Why no signature may be verified with the key, or null. */
    @Nullable
    String keyProblem() {
        return keyProblem;
    }

    boolean hasSameKey(SignerCertificate other) {
        return keyInfo.equals(other.keyInfo);
    }

    /** Whether the signer says that this is its certificate. */
    boolean isNamedBy(PartyIdentifier signer) {
        return signer.isOf(names);
    }

    /** Whether this is the certificate that the signer says it signed with. */
    boolean isMeantBy(SignedAttributes attributes) {
        return attributes.certificateHash() == null || Arrays.equals(attributes.certificateHash(), sha256);
    }
}
