/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.enrolment.KeyMaterial.Pkcs12Bags;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.internal.x509.PemText;

/**
 * A file that other software wrote, with private keys, certificates or both: PKCS#12, JKS, PEM or DER. Its content says
 * which of them it is, not its name. Immutable.
 *
 * @param source the name of the file, for messages
 * @param blocks none for a key store
 */
public record ImportFile(String source, byte[] bytes, ImportFile.Kind kind, List<PemText.Block> blocks) {
    /** The greatest length of a file, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    /** The greatest length of a file that may have revocation lists, in bytes. */
    public static final int MAX_LIST_BYTES = 16 << 20;

    private static final int MOST_BLOCKS = 1000;
    private static final int MOST_CERTIFICATES = 256;
    private static final int JKS = 0xfeedfeed;
    private static final int JCEKS = 0xcececece;
    private static final int DER_SEQUENCE = 0x30;
    private static final int PKCS12_VERSION = 3;
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String CRL = "X509 CRL";
    private static final String PKCS7 = "PKCS7";

    /** The kinds of files. */
    enum Kind {
        PKCS12,
        JKS,
        /** PEM, or one block of it in DER. */
        BLOCKS
    }

    /**
     * Reads a file.
     *
     * @param maxBytes the greatest length
     * @throws KeystoreUnusableException if it cannot be read, is too large or is none of the kinds
     */
    public static ImportFile read(Path file, int maxBytes) {
        return of(file.toString(), BoundedFile.read(file, maxBytes));
    }

    /**
     * Reads a file that may have private keys.
     *
     * @throws KeystoreUnusableException as {@link #read} does, and if it has a private key that other users may read
     */
    public static ImportFile readSecret(Path file) {
        ImportFile read = read(file, MAX_BYTES);
        if (read.hasPrivateKey()) {
            PermissionCheck.forThisUser().secret(file).requireNoFinding();
        }
        return read;
    }

    /**
     * Returns the content of a file.
     *
     * @param source its name, for messages
     * @param bytes which the object keeps
     * @throws KeystoreUnusableException if it is none of the kinds
     */
    public static ImportFile of(String source, byte[] bytes) {
        if (bytes.length == 0) {
            throw new KeystoreUnusableException(source + ": empty");
        }
        if (bytes.length > MAX_LIST_BYTES) {
            throw new KeystoreUnusableException(source + ": larger than " + MAX_LIST_BYTES + " bytes");
        }
        int magic = bytes.length < Integer.BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
        if (magic == JCEKS) {
            throw new KeystoreUnusableException(source + ": a JCEKS key store; convert it to PKCS#12 first: keytool"
                    + " -importkeystore -srcstoretype JCEKS -deststoretype PKCS12");
        }
        if (magic == JKS) {
            return new ImportFile(source, bytes, Kind.JKS, List.of());
        }
        if (PemText.isPem(bytes)) {
            return new ImportFile(source, bytes, Kind.BLOCKS, PemText.blocks(bytes, source, MOST_BLOCKS));
        }
        String label = bytes[0] == DER_SEQUENCE ? labelOf(bytes) : null;
        if (label == null) {
            throw new KeystoreUnusableException(source
                    + ": truncated, or no PKCS#12, JKS, PEM or DER file of keys, certificates or revocation lists");
        }
        return label.isEmpty()
                ? new ImportFile(source, bytes, Kind.PKCS12, List.of())
                : new ImportFile(source, bytes, Kind.BLOCKS, List.of(PemText.Block.of(label, bytes, source)));
    }

    /** Returns the label that DER would have in PEM; empty for PKCS#12, null for anything else. */
    private static @Nullable String labelOf(byte[] der) {
        try {
            ASN1Sequence outer = ASN1Sequence.getInstance(ASN1Primitive.fromByteArray(der));
            if (outer.getObjectAt(0) instanceof ASN1Integer version) {
                return version.hasValue(PKCS12_VERSION) ? "" : PemKeys.PKCS8;
            }
            if (outer.getObjectAt(0) instanceof ASN1ObjectIdentifier) {
                return PKCS7;
            }
            if (outer.size() == 2 && outer.getObjectAt(1) instanceof ASN1OctetString) {
                return PemKeys.ENCRYPTED;
            }
        } catch (IOException | RuntimeException malformed) { // the parser throws undocumented exceptions
            return null;
        }
        try {
            X509Certificate unused = CertificateProviders.certificate(der);
            return CERTIFICATE;
        } catch (GeneralSecurityException none) {
            try {
                X509CRL unused = CertificateProviders.crl(der);
                return CRL;
            } catch (GeneralSecurityException malformed) {
                return null;
            }
        }
    }

    /** Tells whether the file may have a private key. */
    public boolean hasPrivateKey() {
        return isStore() || blocks.stream().anyMatch(PemText.Block::isPrivateKey);
    }

    /** Tells whether a password is needed to read the file. */
    public boolean needsPassword() {
        return isStore() ? KeyMaterial.needsPassword(this) : blocks.stream().anyMatch(PemKeys::isEncrypted);
    }

    /** Tells whether a password is needed to read the certificates of the file. */
    public boolean hidesCertificates() {
        return kind == Kind.PKCS12 && !Pkcs12Bags.showsKey(this) && needsPassword();
    }

    /** Tells whether the file is a key store, which may have certificates alone. */
    boolean isStore() {
        return kind != Kind.BLOCKS;
    }

    /** Tells whether the file has a revocation list. */
    public boolean hasRevocationList() {
        return blocks.stream().anyMatch(block -> block.label().equals(CRL));
    }

    /** Returns the revocation lists of the file. */
    List<X509CRL> revocationLists() {
        List<X509CRL> lists = new ArrayList<>();
        try {
            for (PemText.Block block : blocks) {
                if (block.label().equals(CRL)) {
                    lists.add(CertificateProviders.crl(block.content()));
                }
            }
            return List.copyOf(lists);
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException(source + ": holds something that is not a revocation list", e);
        }
    }

    /**
     * Returns the certificates of files, each once, in the order of the files. Those of key stores are with their keys.
     */
    static List<X509Certificate> certificates(Collection<ImportFile> files) {
        Set<X509Certificate> found = new LinkedHashSet<>();
        files.forEach(file -> found.addAll(file.certificates()));
        return List.copyOf(found);
    }

    /**
     * Returns the certificates of files that have nothing secret.
     *
     * @throws KeystoreUnusableException if a file has a private key, or if they have no certificate
     */
    static List<X509Certificate> certificatesAlone(List<ImportFile> files) {
        files.forEach(ImportFile::requireNoPrivateKey);
        List<X509Certificate> found = certificates(files);
        if (found.isEmpty()) {
            throw new KeystoreUnusableException(sources(files) + ": holds no certificate");
        }
        return found;
    }

    /** Returns the names of files, for messages. */
    static String sources(List<ImportFile> files) {
        return files.stream().map(ImportFile::source).collect(Collectors.joining(", "));
    }

    private List<X509Certificate> certificates() {
        List<X509Certificate> found = new ArrayList<>();
        for (PemText.Block block : blocks) {
            switch (block.label()) {
                case CERTIFICATE, "X509 CERTIFICATE" -> found.add(certificate(block.content(), source));
                case PKCS7, "CMS" -> addBundle(block.content(), found);
                default -> {
                    // keys and parameters are no certificates
                }
            }
            requireFew(found);
        }
        return found;
    }

    private void addBundle(byte[] pkcs7, List<X509Certificate> found) {
        try {
            for (X509CertificateHolder holder :
                    new CMSSignedData(pkcs7).getCertificates().getMatches(null)) {
                found.add(certificate(holder.getEncoded(), source));
                requireFew(found);
            }
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (CMSException | IOException | RuntimeException e) {
            throw new KeystoreUnusableException(source + ": not a PKCS#7 file of certificates", e);
        }
    }

    private void requireFew(List<X509Certificate> found) {
        if (found.size() > MOST_CERTIFICATES) {
            throw new KeystoreUnusableException(source + ": more than " + MOST_CERTIFICATES + " certificates");
        }
    }

    static X509Certificate certificate(byte[] der, String source) {
        try {
            return CertificateProviders.certificate(der);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new KeystoreUnusableException(source + ": holds " + unreadable(der), e);
        }
    }

    private static String unreadable(byte[] der) {
        try {
            return KeyRules.unreadableKey(der)
                    .map(problem -> "a certificate that cannot be used: " + problem)
                    .orElse("a damaged certificate");
        } catch (RuntimeException none) {
            return "something that is not a certificate";
        }
    }

    /** Rejects private keys in a file that is for certificates alone. */
    void requireNoPrivateKey() {
        if (hasPrivateKey()) {
            throw new KeystoreUnusableException(source + ": holds a private key, which does not belong there; take the"
                    + " certificate alone, and ask its owner whether the key is still secret");
        }
    }

    @Override
    public String toString() {
        return "ImportFile[" + source + ", " + kind + "]";
    }
}
