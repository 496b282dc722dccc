/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.PemText;

/**
 * A file that other software wrote, with private keys, certificates or both: PKCS#12, JKS, PEM or DER. Its content says
 * which of them it is, not its name. Immutable.
 */
public final class ImportFile {
    /** The greatest length of a file, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    /** The greatest length of a file that may have revocation lists, in bytes. */
    public static final int MAX_LIST_BYTES = 16 << 20;

    private static final int JKS = 0xfeedfeed;
    private static final int JCEKS = 0xcececece;
    private static final int DER_SEQUENCE = 0x30;
    private static final int MOST_BLOCKS = 1000;
    private static final int PKCS12_VERSION = 3;
    private static final String CRL_LABEL = "X509 CRL";

    private final String source;
    private final byte[] bytes;
    private final Format format;

    /** The kinds of files. */
    enum Format {
        PKCS12(true, true),
        JKS(true, true),
        PEM(false, false),
        /** PKCS#8, not encrypted. */
        KEY(true, false),
        ENCRYPTED_KEY(true, true),
        CERTIFICATE(false, false),
        PKCS7(false, false),
        /** A revocation list. */
        CRL(false, false);

        private final boolean hasKey;
        private final boolean needsPassword;

        Format(boolean hasKey, boolean needsPassword) {
            this.hasKey = hasKey;
            this.needsPassword = needsPassword;
        }
    }

    private ImportFile(String source, byte[] bytes, Format format) {
        this.source = source;
        this.bytes = bytes;
        this.format = format;
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
        return new ImportFile(source, bytes, format(source, bytes));
    }

    private static Format format(String source, byte[] bytes) {
        int magic = bytes.length < Integer.BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
        if (magic == JKS) {
            return Format.JKS;
        }
        if (magic == JCEKS) {
            throw new KeystoreUnusableException(source + ": a JCEKS key store; convert it to PKCS#12 first: keytool"
                    + " -importkeystore -srcstoretype JCEKS -deststoretype PKCS12");
        }
        if (PemText.isPem(bytes)) {
            return Format.PEM;
        }
        if (bytes[0] == DER_SEQUENCE) {
            return ofDer(source, bytes);
        }
        throw unknown(source, null);
    }

    private static Format ofDer(String source, byte[] bytes) {
        try {
            ASN1Sequence outer = ASN1Sequence.getInstance(ASN1Primitive.fromByteArray(bytes));
            if (outer.getObjectAt(0) instanceof ASN1Integer version) {
                return version.hasValue(PKCS12_VERSION) ? Format.PKCS12 : Format.KEY;
            }
            if (outer.getObjectAt(0) instanceof ASN1ObjectIdentifier) {
                return Format.PKCS7;
            }
            return outer.size() == 2 && outer.getObjectAt(1) instanceof ASN1OctetString
                    ? Format.ENCRYPTED_KEY
                    : certificate(source, bytes);
        } catch (KeystoreUnusableException e) {
            throw e;
        } catch (Exception e) { // the parser throws undocumented exceptions
            throw unknown(source, e);
        }
    }

    private static Format certificate(String source, byte[] bytes) {
        try {
            X509Certificate unused = CertificateProviders.certificate(bytes);
            return Format.CERTIFICATE;
        } catch (GeneralSecurityException none) {
            try {
                X509CRL unused = CertificateProviders.crl(bytes);
                return Format.CRL;
            } catch (GeneralSecurityException e) {
                throw unknown(source, e);
            }
        }
    }

    private static KeystoreUnusableException unknown(String source, @Nullable Exception cause) {
        return new KeystoreUnusableException(
                source + ": truncated, or no PKCS#12, JKS, PEM or DER file of keys, certificates or revocation lists",
                cause);
    }

    /** Tells whether the file may have a private key. */
    public boolean hasPrivateKey() {
        return format.hasKey || (format == Format.PEM && blocks().stream().anyMatch(PemText.Block::isPrivateKey));
    }

    /** Tells whether a password is needed to read the file. */
    public boolean needsPassword() {
        return (isStore() ? KeyMaterial.needsPassword(this) : format.needsPassword)
                || (format == Format.PEM && blocks().stream().anyMatch(PemKeys::isEncrypted));
    }

    /** Tells whether a password is needed to read the certificates of the file. */
    public boolean hidesCertificates() {
        return format == Format.PKCS12 && !Pkcs12Bags.showsKey(this) && needsPassword();
    }

    /** Tells whether the file is a key store, which may have certificates alone. */
    boolean isStore() {
        return format == Format.PKCS12 || format == Format.JKS;
    }

    /** Tells whether the file has a revocation list. */
    public boolean hasRevocationList() {
        return format == Format.CRL
                || (format == Format.PEM
                        && blocks().stream().anyMatch(block -> block.label().equals(CRL_LABEL)));
    }

    /** Returns the revocation lists of the file. */
    List<X509CRL> revocationLists() {
        List<byte[]> encoded = format == Format.CRL
                ? List.of(bytes)
                : blocks().stream()
                        .filter(block -> block.label().equals(CRL_LABEL))
                        .map(PemText.Block::content)
                        .toList();
        List<X509CRL> lists = new ArrayList<>();
        try {
            for (byte[] list : encoded) {
                lists.add(CertificateProviders.crl(list));
            }
            return List.copyOf(lists);
        } catch (GeneralSecurityException e) {
            throw new KeystoreUnusableException(source + ": holds something that is not a revocation list", e);
        }
    }

    /** Rejects private keys in a file that is for certificates alone. */
    void requireNoPrivateKey() {
        if (hasPrivateKey()) {
            throw new KeystoreUnusableException(source + ": holds a private key, which does not belong there; take the"
                    + " certificate alone, and ask its owner whether the key is still secret");
        }
    }

    /** Returns the name of the file, for messages. */
    public String source() {
        return source;
    }

    Format format() {
        return format;
    }

    byte[] bytes() {
        return bytes;
    }

    List<PemText.Block> blocks() {
        return PemText.blocks(bytes, source, MOST_BLOCKS);
    }

    @Override
    public String toString() {
        return "ImportFile[" + source + ", " + format + "]";
    }
}
