/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
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
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.Pfx;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.SafeBag;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.signetmq.keystore.internal.x509.CertificateProviders;

/**
 * What a PKCS#12 file has and the JDK's key store leaves out: keys that are not encrypted, and certificates without a
 * key that no attribute of Java marks. The key store has verified the file before.
 */
final class Pkcs12Bags {
    private final String source;
    private final char[] password;
    private final Map<String, PrivateKey> keys = new LinkedHashMap<>();
    private final List<X509Certificate> certificates = new ArrayList<>();

    private Pkcs12Bags(String source, char[] password) {
        this.source = source;
        this.password = password;
    }

    /** Tells whether the file shows without a password that it has a private key, as almost all do that have one. */
    static boolean showsKey(ImportFile file) {
        try {
            for (ContentInfo part : parts(file)) {
                if (part.getContentType().equals(PKCSObjectIdentifiers.data)) {
                    for (ASN1Encodable each : ASN1Sequence.getInstance(octets(part.getContent()))) {
                        ASN1ObjectIdentifier kind = SafeBag.getInstance(each).getBagId();
                        if (kind.equals(PKCSObjectIdentifiers.keyBag)
                                || kind.equals(PKCSObjectIdentifiers.pkcs8ShroudedKeyBag)) {
                            return true;
                        }
                    }
                }
            }
            return false;
        } catch (RuntimeException malformed) { // the reader of the whole says so
            return false;
        }
    }

    private static ContentInfo[] parts(ImportFile file) {
        byte[] safe = octets(Pfx.getInstance(file.bytes()).getAuthSafe().getContent());
        return AuthenticatedSafe.getInstance(safe).getContentInfo();
    }

    /**
     * Reads a file.
     *
     * @param password empty for none
     */
    static Pkcs12Bags read(ImportFile file, char[] password) throws GeneralSecurityException, IOException {
        Pkcs12Bags found = new Pkcs12Bags(file.source(), password);
        for (ContentInfo part : parts(file)) {
            if (part.getContentType().equals(PKCSObjectIdentifiers.data)) {
                found.bags(octets(part.getContent()));
            } else if (part.getContentType().equals(PKCSObjectIdentifiers.encryptedData)) {
                EncryptedData encrypted = EncryptedData.getInstance(part.getContent());
                found.bags(found.decrypted(
                        encrypted.getEncryptionAlgorithm(),
                        encrypted.getContent().getOctets()));
            }
        }
        return found;
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
            if (bag.getBagId().equals(PKCSObjectIdentifiers.keyBag)) {
                keys.put(name(bag), CertificateProviders.privateKey(PrivateKeyInfo.getInstance(bag.getBagValue())));
            } else if (bag.getBagId().equals(PKCSObjectIdentifiers.certBag)) {
                CertBag certificate = CertBag.getInstance(bag.getBagValue());
                if (certificate.getCertId().equals(PKCSObjectIdentifiers.x509Certificate)) {
                    certificates.add(CertificateReader.certificate(octets(certificate.getCertValue()), source));
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

    private byte[] decrypted(AlgorithmIdentifier algorithm, byte[] content)
            throws GeneralSecurityException, IOException {
        PemKeys.requireFewRounds(algorithm, source);
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
