/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.KeyRules;

/** Reads X.509 certificates from bytes. Thread-safe. */
public final class Certificates {
    private Certificates() {}

    /**
     * Reads a certificate, without any check of trust.
     *
     * @param der one certificate, DER
     * @throws KeystoreUnusableException if the bytes are no certificate
     */
    public static X509Certificate fromDer(byte[] der) {
        try {
            return CertificateProviders.certificate(der);
        } catch (GeneralSecurityException | RuntimeException unreadable) {
            throw new KeystoreUnusableException("certificate: cannot be read", unreadable);
        }
    }

    /** Returns the reason why the key of a certificate must not be used, by its kind and size; empty if it may be. */
    public static Optional<String> problemWithKey(X509Certificate certificate, CertificateUse use) {
        return KeyRules.problem(certificate, use);
    }

    /** Returns the length of a certificate in DER, in bytes. */
    public static int length(X509Certificate certificate) {
        return PublicKeyInfo.encoded(certificate).length;
    }
}
