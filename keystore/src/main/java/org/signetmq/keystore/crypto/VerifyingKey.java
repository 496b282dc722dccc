/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PSSParameterSpec;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.SignatureScheme;

/** The public key of a signer. Keeps prepared primitives. Thread-safe. */
public final class VerifyingKey {
    private final PublicKey key;
    private final @Nullable SignatureScheme natural;
    private final Map<Primitive, Queue<Signature>> prepared = new ConcurrentHashMap<>();

    private record Primitive(SignatureScheme scheme, String digest) {}

    private VerifyingKey(PublicKey key) {
        this.key = key;
        this.natural = SignatureScheme.of(key).orElse(null);
    }

    /** Verifies with this key. */
    public static VerifyingKey of(PublicKey key) {
        return new VerifyingKey(key);
    }

    /**
     * Whether the signature is this key's over these bytes.
     *
     * @param digest SHA-256, SHA-384 or SHA-512
     */
    public boolean verify(SignatureScheme scheme, String digest, byte[] bytes, byte[] signatureValue) {
        if (!fits(scheme)) {
            return false;
        }
        AsymmetricOperations.countVerification();
        Queue<Signature> pool =
                prepared.computeIfAbsent(new Primitive(scheme, digest), unused -> new ConcurrentLinkedQueue<>());
        try {
            Signature signature = pool.poll();
            if (signature == null) {
                signature = prepare(scheme, digest);
            }
            signature.update(bytes);
            boolean right = signature.verify(signatureValue);
            pool.add(signature);
            return right;
        } catch (GeneralSecurityException | RuntimeException notASignature) {
            return false;
        }
    }

    private boolean fits(SignatureScheme scheme) {
        return natural == scheme || (natural == SignatureScheme.RSA && scheme == SignatureScheme.RSA_PSS);
    }

    private Signature prepare(SignatureScheme scheme, String digest) throws GeneralSecurityException {
        CryptoProviders providers = CryptoProviders.standard();
        Signature signature = providers.signature(scheme.primitive(digest));
        PSSParameterSpec parameters = scheme.parameters(digest);
        if (parameters != null) {
            signature.setParameter(parameters);
        }
        signature.initVerify(providers.forVerifying(key, scheme.primitive(digest)));
        return signature;
    }
}
