/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.trust.RevocationList;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.PemText;
import org.signetmq.keystore.keys.SoftwareKey;

/** Writes keys and certificates as PEM text (RFC 7468), and reads certificates from PEM or DER files. Thread-safe. */
public final class Pem {
    private static final int MAX_CERTIFICATE_FILE = 1 << 20;
    private static final int MAX_CRL_FILE = 16 << 20;
    private static final int DER_SEQUENCE = 0x30;

    private Pem() {}

    /** Returns one block of PEM with this label and content. */
    public static String block(String label, byte[] der) {
        return PemText.of(label, der);
    }

    /** Returns the identity's certificate and those of its issuers as PEM. */
    public static String certificatePem(Identity identity) {
        return identity.chain().stream().map(Pem::certificatePem).collect(Collectors.joining());
    }

    /** Returns certificates as the content of a PEM file. */
    static byte[] bytes(Collection<X509Certificate> certificates) {
        return certificates.stream()
                .map(Pem::certificatePem)
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns one certificate as PEM. */
    public static String certificatePem(X509Certificate certificate) {
        return block("CERTIFICATE", PublicKeyInfo.encoded(certificate));
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
        return read(file, MAX_CERTIFICATE_FILE, "CERTIFICATE", "certificate", CertificateProviders::certificate);
    }

    /**
     * Reads the revocation lists of a PEM or DER file, at least one.
     *
     * @throws KeystoreUnusableException if the file cannot be read or has no list
     */
    public static List<X509CRL> readCrls(Path file) {
        return read(file, MAX_CRL_FILE, "X509 CRL", "revocation list", CertificateProviders::crl);
    }

    /** Reads revocation lists as {@link #readCrls} does, in a form that finds entries without a scan. */
    static List<RevocationList> readLists(Path file) {
        return read(file, MAX_CRL_FILE, "X509 CRL", "revocation list", RevocationList::fromDer);
    }

    private interface Parser<T> {
        T parse(byte[] der) throws GeneralSecurityException;
    }

    private static <T> List<T> read(Path file, int most, String label, String content, Parser<T> parser) {
        List<T> found = new ArrayList<>();
        for (byte[] der : blocks(file, BoundedFile.read(file, most), label)) {
            try {
                found.add(parser.parse(der));
            } catch (GeneralSecurityException | KeystoreUnusableException e) {
                throw new KeystoreUnusableException(file + ": holds something that is not a " + content, e);
            }
        }
        return List.copyOf(found);
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
