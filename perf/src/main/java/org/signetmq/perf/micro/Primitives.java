/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Signature;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.perf.variant.Payload;

/**
 * The bare primitives, as fast as their provider lets them be: no envelope can be faster. The providers are those that
 * the product chooses.
 */
final class Primitives {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();
    private static final SecretKey KEY = new SecretKeySpec(Payload.ofSize(32), "AES");
    private static final int TAG_BITS = 128;
    private static final int SIGNATURES = 256;

    private Primitives() {}

    /** Returns a primitive that one thread calls, with a cipher, digest or signature of its own. */
    static Callable<Object> named(String name, byte[] payload) throws Exception {
        return switch (name) {
            case "limit.aes256gcm.encrypt" -> encrypt(payload);
            case "limit.aes256gcm.decrypt" -> decrypt(payload);
            case "limit.sha512" -> sha512(payload);
            case "limit.ecdsa-p256.sign" -> sign(payload, pair(KeyAlgorithm.EC_P256));
            case "limit.ecdsa-p256.verify" -> verify(payload, pair(KeyAlgorithm.EC_P256));
            case "limit.rsa2048.sign" -> sign(payload, pair(KeyAlgorithm.RSA_2048));
            case "limit.rsa2048.verify" -> verify(payload, pair(KeyAlgorithm.RSA_2048));
            default -> throw new IllegalArgumentException("operation: unknown " + name);
        };
    }

    private static Callable<Object> encrypt(byte[] payload) {
        Cipher cipher = PROVIDERS.aesGcm();
        byte[] output = new byte[payload.length + TAG_BITS / Byte.SIZE];
        AtomicLong counter = new AtomicLong();
        return () -> {
            byte[] nonce = ByteBuffer.allocate(12)
                    .putLong(4, counter.getAndIncrement())
                    .array();
            cipher.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(payload, 0, payload.length, output, 0);
        };
    }

    private static Callable<Object> decrypt(byte[] payload) throws GeneralSecurityException {
        GCMParameterSpec parameters = new GCMParameterSpec(TAG_BITS, new byte[12]);
        Cipher cipher = PROVIDERS.aesGcm();
        cipher.init(Cipher.ENCRYPT_MODE, KEY, parameters);
        byte[] ciphertext = cipher.doFinal(payload);
        byte[] output = new byte[ciphertext.length];
        return () -> {
            cipher.init(Cipher.DECRYPT_MODE, KEY, parameters);
            return cipher.doFinal(ciphertext, 0, ciphertext.length, output, 0);
        };
    }

    private static Callable<Object> sha512(byte[] payload) throws GeneralSecurityException {
        Provider aes = PROVIDERS.aes();
        MessageDigest digest = aes.getService("MessageDigest", "SHA-512") == null
                ? MessageDigest.getInstance("SHA-512")
                : MessageDigest.getInstance("SHA-512", aes);
        return () -> digest.digest(payload);
    }

    private static KeyPair pair(KeyAlgorithm algorithm) throws GeneralSecurityException {
        return CryptoProviders.generate(algorithm, PROVIDERS.random());
    }

    private static Callable<Object> sign(byte[] payload, KeyPair pair) throws GeneralSecurityException {
        SignatureScheme scheme = SignatureScheme.of(pair.getPublic()).orElseThrow();
        Signature signature = PROVIDERS.signing(scheme, "SHA-512", pair.getPrivate());
        return () -> {
            signature.update(payload);
            return signature.sign();
        };
    }

    /** Verifies many signatures, one after the other: a processor learns its way through the same one. */
    private static Callable<Object> verify(byte[] payload, KeyPair pair) throws Exception {
        Callable<Object> signing = sign(payload, pair);
        byte[][] signatures = new byte[SIGNATURES][];
        for (int i = 0; i < SIGNATURES; i++) {
            signatures[i] = (byte[]) signing.call();
        }
        SignatureScheme scheme = SignatureScheme.of(pair.getPublic()).orElseThrow();
        Signature signature = PROVIDERS.verifying(scheme, "SHA-512", pair.getPublic());
        return MicroBenchmark.inTurn(signatures, one -> {
            signature.update(payload);
            return signature.verify(one);
        });
    }
}
