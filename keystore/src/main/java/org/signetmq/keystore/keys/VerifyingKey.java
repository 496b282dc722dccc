/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.SignatureScheme;

/** The public key of a signer, with a pool of signature algorithms. Thread-safe. */
public final class VerifyingKey {
    private final @Nullable SignatureScheme natural;
    private final PreparedSignatures prepared;

    private VerifyingKey(PublicKey key, CryptoProviders providers) {
        this.natural = SignatureScheme.of(key).orElse(null);
        this.prepared = new PreparedSignatures((scheme, digest) -> providers.verifying(scheme, digest, key));
    }

    /** Creates a verifier with this key. */
    public static VerifyingKey of(PublicKey key, CryptoProviders providers) {
        return new VerifyingKey(key, providers);
    }

    /**
     * Verifies a signature of these bytes. Returns false for a wrong or malformed signature, or another scheme than the
     * key's.
     *
     * @param digest SHA-256, SHA-384 or SHA-512
     */
    public boolean verify(SignatureScheme scheme, String digest, byte[] bytes, byte[] signatureValue) {
        if (!fits(scheme)) {
            return false;
        }
        AsymmetricOperations.countVerification();
        try {
            return prepared.use(scheme, digest, signature -> {
                signature.update(bytes);
                return signature.verify(signatureValue);
            });
        } catch (GeneralSecurityException | RuntimeException notASignature) {
            return false;
        }
    }

    private boolean fits(SignatureScheme scheme) {
        return natural == scheme || (natural == SignatureScheme.RSA && scheme == SignatureScheme.RSA_PSS);
    }
}
