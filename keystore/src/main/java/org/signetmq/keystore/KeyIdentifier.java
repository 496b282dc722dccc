/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/**
 * The subject key identifier of a certificate (RFC 5280 section 4.2.1.2): its extension, or where that is missing the
 * SHA-1 of the public key bits, which is how most issuers make it. Names a key; proves nothing.
 */
public final class KeyIdentifier {
    private final byte[] bytes;

    private KeyIdentifier(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The identifier that a certificate carries or would carry. */
    public static KeyIdentifier of(X509Certificate certificate) {
        byte[] extension = certificate.getExtensionValue("2.5.29.14");
        if (extension != null) {
            try {
                byte[] inner = ASN1OctetString.getInstance(extension).getOctets();
                return new KeyIdentifier(ASN1OctetString.getInstance(inner).getOctets());
            } catch (IllegalArgumentException notAnOctetString) {
                return ofKey(certificate); // an extension that says nothing
            }
        }
        return ofKey(certificate);
    }

    private static KeyIdentifier ofKey(X509Certificate certificate) {
        byte[] keyBits = SubjectPublicKeyInfo.getInstance(
                        certificate.getPublicKey().getEncoded())
                .getPublicKeyData()
                .getBytes();
        return new KeyIdentifier(CryptoProviders.sha1OfPublicKey(keyBits));
    }

    /** An identifier of these bytes, copied. */
    public static KeyIdentifier of(byte[] bytes) {
        return new KeyIdentifier(bytes.clone());
    }

    /** A copy of the bytes, usually 20. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Lower-case hex. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyIdentifier that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
