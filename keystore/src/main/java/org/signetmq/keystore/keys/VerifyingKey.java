/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    /** A pool of the initialised signature algorithms of one key. Thread-safe. */
    record PreparedSignatures(
            PreparedSignatures.Preparation preparation, Map<PreparedSignatures.Kind, Queue<Signature>> idle) {
        interface Preparation {
            Signature prepare(SignatureScheme scheme, String digest) throws GeneralSecurityException;
        }

        interface Use<T> {
            T apply(Signature signature) throws GeneralSecurityException;
        }

        record Kind(SignatureScheme scheme, String digest) {}

        PreparedSignatures(Preparation preparation) {
            this(preparation, new ConcurrentHashMap<>());
        }

        <T> T use(SignatureScheme scheme, String digest, Use<T> use) throws GeneralSecurityException {
            Queue<Signature> pool =
                    idle.computeIfAbsent(new Kind(scheme, digest), unused -> new ConcurrentLinkedQueue<>());
            Signature kept = pool.poll();
            Signature signature = kept == null ? preparation.prepare(scheme, digest) : kept;
            T result = use.apply(signature);
            pool.add(signature); // only after success: an algorithm that failed may hold a part of a message
            return result;
        }
    }
}
