/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.signetmq.keystore.CryptoProviders;
import org.signetmq.keystore.VerifyingKey;

/** A certificate that signatures are verified with, parsed once. Thread-safe. */
final class SignerCertificate {
    private final X509Certificate certificate;
    private final PartyNames names;
    private final VerifyingKey key;
    private final byte[] sha256;

    SignerCertificate(X509Certificate certificate) {
        this.certificate = certificate;
        this.names = PartyNames.of(certificate);
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

    /** Whether the signer says that this is its certificate. */
    boolean isNamedBy(PartyIdentifier signer) {
        return signer.isOf(names);
    }

    /** Whether this is the certificate that the signer says it signed with. */
    boolean isMeantBy(SignedAttributes attributes) {
        return attributes.certificateHash() == null || Arrays.equals(attributes.certificateHash(), sha256);
    }
}
