/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.crypto.SoftwareKey;
import org.signetmq.keystore.internal.folder.CertificateFiles;
import org.signetmq.keystore.internal.x509.PemText;

/** Writes keys and certificates as PEM text (RFC 7468), and reads certificates from PEM or DER files. Thread-safe. */
public final class Pem {
    private Pem() {}

    /** Returns one block of PEM with this label and content. */
    public static String block(String label, byte[] der) {
        return PemText.of(label, der);
    }

    /** Returns the identity's certificate and those of its issuers as PEM. */
    public static String certificatePem(Identity identity) {
        return identity.chain().stream().map(Pem::certificatePem).collect(Collectors.joining());
    }

    /** Returns one certificate as PEM. */
    public static String certificatePem(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate: cannot be encoded", e);
        }
    }

    /**
     * Returns the identity's private key as PEM of unencrypted PKCS#8.
     *
     * @throws KeystoreUnusableException if the key is not in this process
     */
    public static String privateKeyPem(Identity identity) {
        return block("PRIVATE KEY", SoftwareKey.exported(identity).getEncoded());
    }

    /**
     * Reads the certificates of a PEM or DER file, at least one.
     *
     * @throws KeystoreUnusableException if the file cannot be read, has no certificate, or contains a private key
     */
    public static List<X509Certificate> readCertificates(Path file) {
        return CertificateFiles.readCertificates(file);
    }

    /**
     * Reads the revocation lists of a PEM or DER file, at least one.
     *
     * @throws KeystoreUnusableException if the file cannot be read or has no list
     */
    public static List<X509CRL> readCrls(Path file) {
        return CertificateFiles.readCrls(file);
    }
}
