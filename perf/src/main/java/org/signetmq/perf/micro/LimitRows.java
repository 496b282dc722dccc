/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.signetmq.perf.Payload;

/** The bare primitives, as fast as their provider lets them be: what no envelope can beat. */
final class LimitRows {
    private static final int TAG_BITS = 128;
    private static final int TAG_BYTES = 16;
    private static final int SIGNATURES = 256;

    private final Provider aes;
    private final Provider ec;
    private final Provider rsa;

    LimitRows(Provider aes, Provider ec, Provider rsa) {
        this.aes = aes;
        this.ec = ec;
        this.rsa = rsa;
    }

    Operation operation(RowName name) throws GeneralSecurityException {
        byte[] payload = Payload.ofSize(name.size());
        return switch (name.word(1) + (name.words().size() > 2 ? "." + name.word(2) : "")) {
            case "aes256gcm.encrypt" -> encrypt(payload);
            case "aes256gcm.decrypt" -> decrypt(payload);
            case "sha512" -> sha512(payload);
            case "ecdsa-p256.sign" -> sign(payload, ecdsa());
            case "ecdsa-p256.verify" -> verify(payload, ecdsa());
            case "rsa2048.sign" -> sign(payload, rsa());
            case "rsa2048.verify" -> verify(payload, rsa());
            default -> throw new IllegalArgumentException("row: unknown limit " + name);
        };
    }

    private Operation encrypt(byte[] payload) {
        SecretKey key = key();
        AtomicLong counter = new AtomicLong();
        ThreadLocal<Cipher> ciphers = perThread(() -> Cipher.getInstance("AES/GCM/NoPadding", aes));
        ThreadLocal<byte[]> outputs = ThreadLocal.withInitial(() -> new byte[payload.length + TAG_BYTES]);
        return () -> {
            Cipher cipher = ciphers.get();
            byte[] nonce = ByteBuffer.allocate(12)
                    .putLong(4, counter.getAndIncrement())
                    .array();
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(payload, 0, payload.length, outputs.get(), 0);
        };
    }

    private Operation decrypt(byte[] payload) throws GeneralSecurityException {
        SecretKey key = key();
        GCMParameterSpec parameters = new GCMParameterSpec(TAG_BITS, new byte[12]);
        Cipher encryption = Cipher.getInstance("AES/GCM/NoPadding", aes);
        encryption.init(Cipher.ENCRYPT_MODE, key, parameters);
        byte[] ciphertext = encryption.doFinal(payload);
        ThreadLocal<Cipher> ciphers = perThread(() -> Cipher.getInstance("AES/GCM/NoPadding", aes));
        ThreadLocal<byte[]> outputs = ThreadLocal.withInitial(() -> new byte[ciphertext.length]);
        return () -> {
            Cipher cipher = ciphers.get();
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
            return cipher.doFinal(ciphertext, 0, ciphertext.length, outputs.get(), 0);
        };
    }

    private Operation sha512(byte[] payload) {
        ThreadLocal<MessageDigest> digests = perThread(() -> aes.getService("MessageDigest", "SHA-512") == null
                ? MessageDigest.getInstance("SHA-512")
                : MessageDigest.getInstance("SHA-512", aes));
        return () -> digests.get().digest(payload);
    }

    /** A way to sign, with a key for it. */
    private record Signing(String algorithm, Provider provider, KeyPair pair) {
        Signature begun() throws GeneralSecurityException {
            Signature signature = Signature.getInstance(algorithm, provider);
            signature.initSign(pair.getPrivate());
            return signature;
        }
    }

    private static Operation sign(byte[] payload, Signing signing) {
        ThreadLocal<Signature> signatures = perThread(signing::begun);
        return () -> {
            Signature signature = signatures.get();
            signature.update(payload);
            return signature.sign();
        };
    }

    /** Of many signatures, one after the other: a processor learns its way through the same one. */
    private static Operation verify(byte[] payload, Signing signing) throws GeneralSecurityException {
        Signature signer = signing.begun();
        byte[][] values = new byte[SIGNATURES][];
        for (int i = 0; i < SIGNATURES; i++) {
            signer.update(payload);
            values[i] = signer.sign();
        }
        AtomicInteger next = new AtomicInteger();
        ThreadLocal<Signature> signatures = perThread(() -> {
            Signature signature = Signature.getInstance(signing.algorithm(), signing.provider());
            signature.initVerify(signing.pair().getPublic());
            return signature;
        });
        return () -> {
            Signature signature = signatures.get();
            signature.update(payload);
            return signature.verify(values[Math.floorMod(next.getAndIncrement(), SIGNATURES)]);
        };
    }

    private Signing ecdsa() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", ec);
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return new Signing("SHA512withECDSA", ec, generator.generateKeyPair());
    }

    private Signing rsa() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", rsa);
        generator.initialize(2048);
        return new Signing("SHA512withRSA", rsa, generator.generateKeyPair());
    }

    private static SecretKey key() {
        byte[] material = new byte[32];
        new SecureRandom().nextBytes(material);
        return new SecretKeySpec(material, "AES");
    }

    private interface Lookup<T> {
        T find() throws GeneralSecurityException;
    }

    private static <T> ThreadLocal<T> perThread(Lookup<T> lookup) {
        return ThreadLocal.withInitial(() -> {
            try {
                return lookup.find();
            } catch (GeneralSecurityException missing) {
                throw new IllegalStateException(missing);
            }
        });
    }
}
