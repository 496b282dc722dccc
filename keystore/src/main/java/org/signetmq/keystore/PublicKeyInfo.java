/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/** The encoded public key of a certificate (SubjectPublicKeyInfo, RFC 5280), for comparison. Immutable. */
public final class PublicKeyInfo {
    private final byte[] encoded;
    private final int hash;

    private PublicKeyInfo(byte[] encoded) {
        this.encoded = encoded;
        this.hash = Arrays.hashCode(encoded);
    }

    /** Returns the key of a certificate. */
    public static PublicKeyInfo of(X509Certificate certificate) {
        try {
            return new PublicKeyInfo(structure(certificate).getEncoded());
        } catch (IOException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }

    /** Returns a key that is not in a certificate. */
    public static PublicKeyInfo of(PublicKey key) {
        try {
            return new PublicKeyInfo(structure(key).getEncoded());
        } catch (IOException e) {
            throw new IllegalArgumentException("key: cannot be encoded", e);
        }
    }

    /** Tells whether two certificates have the same key. */
    public static boolean isSame(X509Certificate one, X509Certificate other) {
        return of(one).equals(of(other));
    }

    /** Returns the public key from the certificate's bytes, independent of the parser of the certificate. */
    static SubjectPublicKeyInfo structure(X509Certificate certificate) {
        return Certificate.getInstance(encoded(certificate)).getSubjectPublicKeyInfo();
    }

    /** Returns the encoded key. Java 17 adds parameters to post-quantum keys, which it does not know. */
    public static SubjectPublicKeyInfo structure(PublicKey key) {
        SubjectPublicKeyInfo info = SubjectPublicKeyInfo.getInstance(key.getEncoded());
        ASN1ObjectIdentifier kind = info.getAlgorithm().getAlgorithm();
        return KeyAlgorithm.postQuantum(kind).isEmpty()
                ? info
                : new SubjectPublicKeyInfo(
                        new AlgorithmIdentifier(kind), info.getPublicKeyData().getOctets());
    }

    /** Returns a certificate in DER. */
    public static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PublicKeyInfo that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "PublicKeyInfo[" + HexFormat.of().formatHex(encoded) + "]";
    }
}
