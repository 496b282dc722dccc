/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.BadPaddingException;
import org.bouncycastle.asn1.ASN1BMPString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.AuthenticatedSafe;
import org.bouncycastle.asn1.pkcs.CertBag;
import org.bouncycastle.asn1.pkcs.ContentInfo;
import org.bouncycastle.asn1.pkcs.EncryptedData;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.Pfx;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.SafeBag;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/**
 * What a PKCS#12 file has and the JDK's key store leaves out: keys that are not encrypted, and certificates without a
 * key that no attribute of Java marks. All encryptions in a file together may ask for as many rounds as that of a key.
 */
final class Pkcs12Bags {
    private final ImportFile file;
    private final char @Nullable [] password;
    private final Map<String, PrivateKey> keys = new LinkedHashMap<>();
    private final List<X509Certificate> certificates = new ArrayList<>();
    private BigInteger rounds = BigInteger.ZERO;
    private boolean hasKey;

    private Pkcs12Bags(ImportFile file, char @Nullable [] password) {
        this.file = file;
        this.password = password;
    }

    /** Tells whether the file shows without a password that it has a private key, as almost all do that have one. */
    static boolean showsKey(ImportFile file) {
        try {
            return read(file, null).hasKey;
        } catch (GeneralSecurityException | IOException | RuntimeException malformed) { // its reader says so
            return false;
        }
    }

    /**
     * Reads a file.
     *
     * @param password empty for none; null to read nothing but what encryption and keys the file shows
     * @throws KeystoreUnusableException if the encryptions ask for too many rounds
     */
    static Pkcs12Bags read(ImportFile file, char @Nullable [] password) throws GeneralSecurityException, IOException {
        Pkcs12Bags found = new Pkcs12Bags(file, password);
        Pfx store = Pfx.getInstance(file.bytes());
        if (store.getMacData() != null) {
            found.count(store.getMacData().getIterationCount());
        }
        byte[] safe = octets(store.getAuthSafe().getContent());
        for (ContentInfo part : AuthenticatedSafe.getInstance(safe).getContentInfo()) {
            if (part.getContentType().equals(PKCSObjectIdentifiers.data)) {
                found.bags(octets(part.getContent()));
            } else if (part.getContentType().equals(PKCSObjectIdentifiers.encryptedData)) {
                EncryptedData encrypted = EncryptedData.getInstance(part.getContent());
                AlgorithmIdentifier algorithm = encrypted.getEncryptionAlgorithm();
                found.count(PemKeys.rounds(algorithm, file.source()));
                if (password != null) {
                    found.bags(decrypted(algorithm, encrypted.getContent().getOctets(), password));
                }
            }
        }
        return found;
    }

    private void count(BigInteger more) {
        PemKeys.requireFew(more, file.source());
        rounds = rounds.add(more);
        PemKeys.requireFew(rounds, file.source());
    }

    /** Returns the keys that are not encrypted, by the names that the file gives them, or by numbers. */
    Map<String, PrivateKey> keys() {
        return keys;
    }

    /** Returns all certificates. */
    List<X509Certificate> certificates() {
        return certificates;
    }

    private static byte[] octets(ASN1Encodable content) {
        return ASN1OctetString.getInstance(content).getOctets();
    }

    private void bags(byte[] encoded) throws GeneralSecurityException, IOException {
        for (ASN1Encodable each : ASN1Sequence.getInstance(encoded)) {
            SafeBag bag = SafeBag.getInstance(each);
            ASN1ObjectIdentifier kind = bag.getBagId();
            if (kind.equals(PKCSObjectIdentifiers.pkcs8ShroudedKeyBag)) {
                hasKey = true;
                count(PemKeys.rounds(
                        EncryptedPrivateKeyInfo.getInstance(bag.getBagValue()).getEncryptionAlgorithm(),
                        file.source()));
            } else if (kind.equals(PKCSObjectIdentifiers.keyBag)) {
                hasKey = true;
                if (password != null) {
                    keys.put(name(bag), CertificateProviders.privateKey(PrivateKeyInfo.getInstance(bag.getBagValue())));
                }
            } else if (kind.equals(PKCSObjectIdentifiers.certBag) && password != null) {
                CertBag certificate = CertBag.getInstance(bag.getBagValue());
                if (certificate.getCertId().equals(PKCSObjectIdentifiers.x509Certificate)) {
                    certificates.add(ImportFile.certificate(octets(certificate.getCertValue()), file.source()));
                }
            }
        }
    }

    private String name(SafeBag bag) {
        ASN1Set attributes = bag.getBagAttributes();
        for (int i = 0; attributes != null && i < attributes.size(); i++) {
            Attribute attribute = Attribute.getInstance(attributes.getObjectAt(i));
            if (attribute.getAttrType().equals(PKCSObjectIdentifiers.pkcs_9_at_friendlyName)) {
                return ASN1BMPString.getInstance(attribute.getAttributeValues()[0])
                        .getString();
            }
        }
        return String.valueOf(keys.size() + 1);
    }

    private static byte[] decrypted(AlgorithmIdentifier algorithm, byte[] content, char[] password)
            throws GeneralSecurityException, IOException {
        try {
            return CertificateProviders.decrypted(algorithm, content, password);
        } catch (BadPaddingException e) {
            if (password.length > 0) {
                throw e;
            }
            // some software ends an empty password by a zero, too
            return CertificateProviders.decrypted(algorithm, content, new char[1]);
        }
    }
}
