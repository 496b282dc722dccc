/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.KeyRules;

/** X.509 certificates as bytes. */
public final class Certificates {
    private Certificates() {}

    /**
     * The certificate that these bytes are. It is not trusted by being read.
     *
     * @param der one certificate, DER
     * @throws KeystoreUnusableException if they are none
     */
    public static X509Certificate fromDer(byte[] der) {
        try {
            return CertificateProviders.certificate(der);
        } catch (GeneralSecurityException | RuntimeException unreadable) {
            throw new KeystoreUnusableException("certificate: cannot be read", unreadable);
        }
    }

    /** Why the key of a certificate must not be used, if so. Looks at its kind and size alone. */
    public static Optional<String> problemWithKey(X509Certificate certificate, CertificateUse use) {
        return KeyRules.problem(certificate, use);
    }

    /** The length of a certificate in DER, in bytes. */
    public static int length(X509Certificate certificate) {
        try {
            return certificate.getEncoded().length;
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }
}
