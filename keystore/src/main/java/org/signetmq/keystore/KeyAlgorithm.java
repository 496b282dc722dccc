/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;

/** The kind of an identity's key. */
public enum KeyAlgorithm {
    EC_P256,
    EC_P384,
    EC_P521,
    RSA_2048,
    RSA_3072,
    RSA_4096,
    /** A key that signs, and cannot receive encrypted messages. */
    ED25519,
    /** A post-quantum key that signs (FIPS 204), and cannot receive encrypted messages. */
    ML_DSA_65("2.16.840.1.101.3.4.3.18"),
    ML_DSA_87("2.16.840.1.101.3.4.3.19"),
    /** A post-quantum key that receives encrypted messages (FIPS 203), and cannot sign. */
    ML_KEM_768("2.16.840.1.101.3.4.4.2"),
    ML_KEM_1024("2.16.840.1.101.3.4.4.3");

    /** The object identifier; null for a classical key. */
    private final @Nullable String postQuantum;

    KeyAlgorithm() {
        this.postQuantum = null;
    }

    KeyAlgorithm(String postQuantum) {
        this.postQuantum = postQuantum;
    }

    /** Tells whether the key signs by ML-DSA. */
    public boolean isMlDsa() {
        return this == ML_DSA_65 || this == ML_DSA_87;
    }

    /** Tells whether the key receives by ML-KEM. */
    public boolean isMlKem() {
        return this == ML_KEM_768 || this == ML_KEM_1024;
    }

    /** Returns the post-quantum algorithm with this identifier; empty for any other. */
    public static Optional<KeyAlgorithm> postQuantum(ASN1ObjectIdentifier kind) {
        return Optional.ofNullable(Identifiers.POST_QUANTUM.get(kind));
    }

    /** The identifiers in the form of certificates, apart from the names: a name loads no cryptography. */
    private static final class Identifiers {
        static final Map<ASN1ObjectIdentifier, KeyAlgorithm> POST_QUANTUM = Arrays.stream(values())
                .filter(algorithm -> algorithm.postQuantum != null)
                .collect(Collectors.toUnmodifiableMap(
                        algorithm -> new ASN1ObjectIdentifier(Objects.requireNonNull(algorithm.postQuantum)),
                        algorithm -> algorithm));
    }

    /**
     * Returns the post-quantum algorithm of a key; empty for any other. It reads the encoded key, because providers use
     * different names and classes, and Java 17 knows none.
     */
    public static Optional<KeyAlgorithm> postQuantum(PublicKey key) {
        byte[] encoded = key.getEncoded();
        try {
            return encoded == null
                    ? Optional.empty()
                    : postQuantum(SubjectPublicKeyInfo.getInstance(encoded)
                            .getAlgorithm()
                            .getAlgorithm());
        } catch (IllegalArgumentException other) {
            return Optional.empty();
        }
    }

    /**
     * Returns the name that {@link #label()} has for the algorithm of a key, in the form of any provider; for a key of
     * another kind that of Java.
     */
    public static String label(PublicKey key) {
        if (key instanceof RSAPublicKey rsa) {
            return "rsa-" + rsa.getModulus().bitLength();
        }
        if (key instanceof ECPublicKey ec) {
            return "ec-p" + ec.getParams().getCurve().getField().getFieldSize();
        }
        String name = key instanceof EdECPublicKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        return postQuantum(key).map(KeyAlgorithm::label).orElseGet(() -> name.toLowerCase(Locale.ROOT));
    }

    /** Returns the algorithm of the receiving key beside a key that signs by this algorithm. */
    public KeyAlgorithm receiving() {
        return switch (this) {
            case ML_DSA_65 -> ML_KEM_768;
            case ML_DSA_87 -> ML_KEM_1024;
            case ED25519 -> EC_P256;
            default -> this;
        };
    }

    /** Returns the name in standards, such as {@code ML-DSA-65}, of a post-quantum algorithm. */
    public String standardName() {
        return label().toUpperCase(Locale.ROOT);
    }

    /** Returns the name on the command line, such as {@code ec-p256}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the algorithm with this {@link #label()}; empty for any other text. */
    public static Optional<KeyAlgorithm> named(String label) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.label().equals(label))
                .findFirst();
    }
}
