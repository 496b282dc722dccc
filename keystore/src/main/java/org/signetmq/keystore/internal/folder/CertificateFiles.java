/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.revocation.RevocationList;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/** Reads certificates and revocation lists from files of PEM text (RFC 7468) or DER. Thread-safe. */
public final class CertificateFiles {
    private static final int MAX_CERTIFICATE_FILE = 1 << 20;
    private static final int MAX_CRL_FILE = 16 << 20;
    private static final int DER_SEQUENCE = 0x30;
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

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
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (text.contains("PRIVATE KEY" + DASHES)) {
            // users pass these files to other parties
            throw new KeystoreUnusableException(file + ": holds a private key, which does not belong there");
        }
        List<byte[]> found = new ArrayList<>();
        String begin = BEGIN + label + DASHES;
        String end = END + label + DASHES;
        int at = text.indexOf(begin);
        while (at >= 0) {
            int stop = text.indexOf(end, at + begin.length());
            if (stop < 0) {
                throw new KeystoreUnusableException(file + ": a PEM block has no end line");
            }
            found.add(decode(file, text.substring(at + begin.length(), stop)));
            at = text.indexOf(begin, stop);
        }
        if (found.isEmpty()) {
            throw new KeystoreUnusableException(file + ": neither PEM (" + begin + ") nor DER");
        }
        return found;
    }

    private static byte[] decode(Path file, String base64) {
        try {
            return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new KeystoreUnusableException(file + ": a PEM block is not base 64", e);
        }
    }
}
