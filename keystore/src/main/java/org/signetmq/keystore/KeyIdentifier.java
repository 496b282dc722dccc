/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.jspecify.annotations.Nullable;

/**
 * A subject key identifier (RFC 5280 section 4.2.1.2). It names a key and proves nothing. An envelope uses the
 * identifier that a certificate claims. A policy uses the one that Signet computes from the key. Immutable.
 */
public final class KeyIdentifier {
    private static final String EXTENSION = "2.5.29.14";
    private static final String ISSUER_EXTENSION = "2.5.29.35";

    /** The longest identifier that is read, in bytes: the length of SHA-512. */
    public static final int MAX_LENGTH = 64;

    private final byte[] bytes;

    private KeyIdentifier(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the identifier that the certificate claims in its extension. If the extension is missing or unusable,
     * returns the computed one. Any issuer can write any identifier there.
     */
    public static KeyIdentifier of(X509Certificate certificate) {
        return extension(certificate).orElseGet(() -> ofKey(certificate));
    }

    /**
     * Returns the identifier of the issuer's key that the certificate claims in its extension (RFC 5280 section
     * 4.2.1.1). It is empty if the extension is missing or unusable. Any issuer can write any identifier there.
     */
    public static Optional<KeyIdentifier> ofIssuer(X509Certificate certificate) {
        return extension(
                certificate,
                ISSUER_EXTENSION,
                inner -> AuthorityKeyIdentifier.getInstance(inner).getKeyIdentifierOctets());
    }

    /** Computes the identifier of a certificate's key: the SHA-1 of the public key bits. */
    public static KeyIdentifier ofKey(X509Certificate certificate) {
        return ofKey(PublicKeyInfo.structure(certificate));
    }

    /** Computes the identifier of a key. SHA-1 names the key here and protects nothing. */
    public static KeyIdentifier ofKey(SubjectPublicKeyInfo key) {
        return ofKeyBits(key.getPublicKeyData().getBytes());
    }

    /** Computes the identifier of a key by its bits, which for an EC key are its point. */
    public static KeyIdentifier ofKeyBits(byte[] keyBits) {
        SHA1Digest digest = new SHA1Digest();
        digest.update(keyBits, 0, keyBits.length);
        byte[] identifier = new byte[digest.getDigestSize()];
        digest.doFinal(identifier, 0);
        return new KeyIdentifier(identifier);
    }

    /** Tells whether the extension is absent, or has an identifier of 1 to {@link #MAX_LENGTH} bytes. */
    public static boolean isWellFormed(X509Certificate certificate) {
        return certificate.getExtensionValue(EXTENSION) == null
                || extension(certificate).isPresent();
    }

    private static Optional<KeyIdentifier> extension(X509Certificate certificate) {
        return extension(
                certificate,
                EXTENSION,
                inner -> ASN1OctetString.getInstance(inner).getOctets());
    }

    private static Optional<KeyIdentifier> extension(
            X509Certificate certificate, String name, Function<byte[], byte @Nullable []> identifier) {
        try {
            return Optional.ofNullable(certificate.getExtensionValue(name))
                    .map(extension -> identifier.apply(
                            ASN1OctetString.getInstance(extension).getOctets()))
                    .map(KeyIdentifier::of)
                    .filter(KeyIdentifier::isUsable);
        } catch (RuntimeException malformed) { // the parser throws undocumented exceptions
            return Optional.empty();
        }
    }

    private boolean isUsable() {
        return bytes.length > 0 && bytes.length <= MAX_LENGTH;
    }

    /** Returns an identifier of a copy of these bytes. */
    public static KeyIdentifier of(byte[] bytes) {
        return new KeyIdentifier(bytes.clone());
    }

    /** Returns a copy of the bytes, usually 20. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the bytes as lower-case hex. */
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
