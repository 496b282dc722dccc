/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.Sha256;
import org.signetmq.envelope.internal.cms.SignedAttributes;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.VerifyingKey;
import org.signetmq.keystore.trust.Certificates;

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
                Certificates.problemWithKey(certificate, CertificateUse.SIGNING).orElse(null),
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
