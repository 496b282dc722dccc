/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The signature scheme of a key. */
public enum SignatureScheme {
    /** RSASSA-PKCS1-v1_5. */
    RSA,
    /** RSASSA-PSS with MGF1. The salt is as long as the digest. */
    RSA_PSS,
    ECDSA,
    /** PureEdDSA over Curve25519 (RFC 8032). */
    ED25519,
    /** ML-DSA-65 (FIPS 204), pure and without a context. */
    ML_DSA_65,
    /** ML-DSA-87 (FIPS 204), pure and without a context. */
    ML_DSA_87;

    /** Tells whether the scheme is one of ML-DSA, which withstands quantum computers. */
    public boolean isMlDsa() {
        return this == ML_DSA_65 || this == ML_DSA_87;
    }

    /** Returns the default scheme of a key; empty if the key cannot sign. */
    public static Optional<SignatureScheme> of(PublicKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> Optional.of(RSA);
            case "EC", "ECDSA" -> Optional.of(ECDSA);
            case "EdDSA", "Ed25519" -> Optional.of(ED25519);
            default ->
                KeyAlgorithm.postQuantum(key)
                        .filter(KeyAlgorithm::isMlDsa)
                        .map(algorithm -> algorithm == KeyAlgorithm.ML_DSA_65 ? ML_DSA_65 : ML_DSA_87);
        };
    }

    /** Returns the JCA name of the signature algorithm with a digest such as SHA-512. */
    public String primitive(String digest) {
        String compact = digest.replace("-", "");
        return switch (this) {
            case RSA -> compact + "withRSA";
            case RSA_PSS -> "RSASSA-PSS";
            case ECDSA -> compact + "withECDSA";
            case ED25519 -> "Ed25519";
            case ML_DSA_65, ML_DSA_87 -> "ML-DSA";
        };
    }

    /** Returns the parameters of the signature algorithm, or null if it takes none. */
    @Nullable
    public PSSParameterSpec parameters(String digest) {
        if (this != RSA_PSS) {
            return null;
        }
        int saltLength = Integer.parseInt(digest.substring("SHA-".length())) / Byte.SIZE;
        return new PSSParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), saltLength, 1);
    }
}
