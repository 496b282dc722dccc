/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.revocation.RevocationList;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.PemText;

/** Reads certificates and revocation lists from files of PEM text (RFC 7468) or DER. Thread-safe. */
public final class CertificateFiles {
    private static final int MAX_CERTIFICATE_FILE = 1 << 20;
    private static final int MAX_CRL_FILE = 16 << 20;
    private static final int DER_SEQUENCE = 0x30;

    private CertificateFiles() {}

    /**
     * Reads the certificates of a PEM or DER file, at least one.
     *
     * @throws KeystoreUnusableException if the file cannot be read, has no certificate, or contains a private key
     */
    public static List<X509Certificate> readCertificates(Path file) {
        byte[] bytes = BoundedFile.read(file, MAX_CERTIFICATE_FILE);
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            for (byte[] der : blocks(file, bytes, "CERTIFICATE")) {
                certificates.add(CertificateProviders.certificate(der));
            }
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException(file + ": holds something that is not a certificate", e);
        }
        return List.copyOf(certificates);
    }

    /**
     * Reads the revocation lists of a PEM or DER file, at least one.
     *
     * @throws KeystoreUnusableException if the file cannot be read or has no list
     */
    public static List<X509CRL> readCrls(Path file) {
        byte[] bytes = BoundedFile.read(file, MAX_CRL_FILE);
        List<X509CRL> crls = new ArrayList<>();
        try {
            for (byte[] der : blocks(file, bytes, "X509 CRL")) {
                crls.add(CertificateProviders.crl(der));
            }
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException(file + ": holds something that is not a revocation list", e);
        }
        return List.copyOf(crls);
    }

    /** Reads the revocation lists of a file as {@link #readCrls} does, in a form that finds entries without a scan. */
    static List<RevocationList> readLists(Path file) {
        try {
            return blocks(file, BoundedFile.read(file, MAX_CRL_FILE), "X509 CRL").stream()
                    .map(RevocationList::fromDer)
                    .toList();
        } catch (KeystoreUnusableException e) {
            throw String.valueOf(e.getMessage()).startsWith(file.toString())
                    ? e
                    : new KeystoreUnusableException(file + ": holds something that is not a revocation list", e);
        }
    }

    private static List<byte[]> blocks(Path file, byte[] bytes, String label) {
        if (bytes.length > 0 && bytes[0] == DER_SEQUENCE) {
            return List.of(bytes);
        }
        List<PemText.Block> blocks = PemText.blocks(bytes, file.toString(), bytes.length);
        if (blocks.stream().anyMatch(PemText.Block::isPrivateKey)) {
            // users pass these files to other parties
            throw new KeystoreUnusableException(file + ": holds a private key, which does not belong there");
        }
        List<byte[]> found = blocks.stream()
                .filter(block -> block.label().equals(label))
                .map(PemText.Block::content)
                .toList();
        if (found.isEmpty()) {
            throw new KeystoreUnusableException(file + ": neither PEM (-----BEGIN " + label + "-----) nor DER");
        }
        return found;
    }
}
