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
    private static final int ED25519_LENGTH = 64;

    /** The shortest content whose length DER writes with a byte for the number of bytes. */
    private static final int LONG_FORM = 128;

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
        if (!fits(scheme) || !isDistinguished(scheme, signatureValue)) {
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

    /** Tells whether a signature has the one encoding of its values. The JDK accepts others, too. */
    private static boolean isDistinguished(SignatureScheme scheme, byte[] value) {
        return switch (scheme) {
            case ED25519 -> value.length == ED25519_LENGTH;
            case ECDSA -> isDer(value);
            default -> true; // providers compare the length with that of the key
        };
    }

    /** Tells whether these bytes are a SEQUENCE of two positive INTEGERs in DER. */
    private static boolean isDer(byte[] value) {
        int start = value.length < LONG_FORM + 2 ? 2 : 3;
        if (value.length <= start
                || value[0] != 0x30
                || (value[start - 1] & 0xFF) != value.length - start
                || (start == 3 && (value[1] != (byte) 0x81 || value.length - start < LONG_FORM))) {
            return false;
        }
        return endOfInteger(value, endOfInteger(value, start)) == value.length;
    }

    /** Returns the end of a positive INTEGER in DER, or the end of all bytes plus one if there is none. */
    private static int endOfInteger(byte[] value, int at) {
        int none = value.length + 1;
        if (at + 3 > value.length || value[at] != 2 || value[at + 1] <= 0) {
            return none;
        }
        int end = at + 2 + value[at + 1];
        boolean minimal = end <= value.length && (value[at + 1] == 1 || value[at + 2] != 0 || value[at + 3] < 0);
        return minimal && value[at + 2] >= 0 ? end : none;
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
