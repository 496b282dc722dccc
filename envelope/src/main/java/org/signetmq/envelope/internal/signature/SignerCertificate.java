/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.PartyNames;
import org.signetmq.envelope.internal.cms.Sha256;
import org.signetmq.envelope.internal.cms.SignedAttributes;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.crypto.VerifyingKey;
import org.signetmq.keystore.trust.Certificates;

/** A certificate that signatures are verified with, parsed once. Thread-safe. */
public final class SignerCertificate {
    private final X509Certificate certificate;
    private final PartyNames names;
    private final VerifyingKey key;
    private final Sha256 sha256;
    private final int length;
    private final PublicKeyInfo keyInfo;
    private final @Nullable String keyProblem;

    /** One of the directory. */
    SignerCertificate(X509Certificate certificate) {
        this(certificate, digest(certificate), 0);
    }

    /**
     * One that came with a message.
     *
     * @param sha256 the digest of its encoding
     * @param length of its encoding
     */
    public SignerCertificate(X509Certificate certificate, Sha256 sha256, int length) {
        this.certificate = certificate;
        this.names = PartyNames.of(certificate);
        this.keyInfo = PublicKeyInfo.of(certificate);
        this.keyProblem =
                Certificates.problemWithKey(certificate, CertificateUse.SIGNING).orElse(null);
        this.key = VerifyingKey.of(certificate.getPublicKey());
        this.sha256 = sha256;
        this.length = length;
    }

    private static Sha256 digest(X509Certificate certificate) {
        try {
            return Sha256.of(Slice.of(certificate.getEncoded()));
        } catch (CertificateEncodingException unreadable) {
            throw new KeystoreUnusableException("certificate: cannot be encoded", unreadable);
        }
    }

    Sha256 sha256() {
        return sha256;
    }

    /** The length of its encoding if it came with a message, else 0. */
    int length() {
        return length;
    }

    public X509Certificate certificate() {
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
        return attributes.certificateHash() == null || sha256.is(attributes.certificateHash());
    }
}
