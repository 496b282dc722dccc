/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Signature;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyEncapsulation;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.policy.QualityOfProtection;

/**
 * The bare primitives, as fast as their provider lets them be: no envelope can be faster. Ciphers and signatures come
 * from the providers that the product chooses.
 */
public final class Primitives {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();
    private static final String DIGEST = "SHA-512";
    private static final SecretKey KEY = new SecretKeySpec(Load.payload(32), "AES");
    private static final int TAG_BITS = 128;
    private static final int SIGNATURES = 256;
    private static final long LOOP_NANOS = 400_000_000;

    /** What was measured already, by name and size. */
    private static final Map<String, Double> MILLIS = new ConcurrentHashMap<>();

    private Primitives() {}

    /** Returns a primitive for one thread, with a cipher, digest or signature of its own. */
    public static Callable<Object> named(String name, byte[] payload) throws Exception {
        return switch (name) {
            case "limit.aes256gcm.encrypt" -> encrypt(payload);
            case "limit.aes256gcm.decrypt" -> decrypt(payload);
            case "limit.sha512" -> digest(payload);
            default -> withKey(name, payload);
        };
    }

    /** Returns an operation with a key, such as {@code limit.p256.sign}. */
    private static Callable<Object> withKey(String name, byte[] payload) throws Exception {
        String operation = name.substring(name.lastIndexOf('.') + 1);
        KeyAlgorithm algorithm = Arrays.stream(KeyAlgorithm.values())
                .filter(one -> name.equals("limit." + label(one) + "." + operation))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("operation: unknown " + name));
        KeyPair pair = CryptoProviders.generate(algorithm, PROVIDERS.random());
        return switch (operation) {
            case "sign" -> sign(payload, pair);
            case "verify" -> verify(payload, pair);
            case "agree" -> agree(pair);
            case "encapsulate" -> () -> KeyEncapsulation.to(pair.getPublic(), PROVIDERS);
            case "decapsulate" -> decapsulate(pair);
            default -> throw new IllegalArgumentException("operation: unknown " + name);
        };
    }

    /** Returns the name of a kind of key in results, such as {@code p256} or {@code mldsa65}. */
    private static String label(KeyAlgorithm algorithm) {
        return algorithm.label().replaceFirst("^ec-", "").replace("-", "");
    }

    /** Returns the milliseconds that the primitives of one message take, for sender and receiver together. */
    static double millisOfMessage(QualityOfProtection quality, KeyKind key, int size) {
        double cipher = quality.encrypts() ? millis("aes256gcm.encrypt", size) + millis("aes256gcm.decrypt", size) : 0;
        double signature = key.algorithms().stream()
                .mapToDouble(one -> millis(label(one) + ".sign", size) + millis(label(one) + ".verify", size))
                .sum();
        return quality.signs() ? cipher + signature : cipher;
    }

    private static double millis(String name, int size) {
        return MILLIS.computeIfAbsent(name + " " + size, unknown -> {
            try {
                Callable<Object> primitive = named("limit." + name, Load.payload(size));
                double unused = loop(primitive); // warms up
                return loop(primitive);
            } catch (Exception e) {
                throw new IllegalStateException("primitive: " + name, e);
            }
        });
    }

    /** Returns the milliseconds of processor time that a call takes. */
    private static double loop(Callable<Object> primitive) throws Exception {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long used = 0;
        long calls = 0;
        while (used < LOOP_NANOS) {
            for (int i = 0; i < 16; i++) {
                primitive.call();
            }
            calls += 16;
            used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
        }
        return used / 1e6 / calls;
    }

    /** The digest of the native library where it has one, even if the product chooses another. */
    private static Callable<Object> digest(byte[] payload) throws GeneralSecurityException {
        Provider aes = PROVIDERS.aes();
        boolean isThere = aes.getService("MessageDigest", DIGEST) != null;
        MessageDigest digest = isThere ? MessageDigest.getInstance(DIGEST, aes) : MessageDigest.getInstance(DIGEST);
        return () -> digest.digest(payload);
    }

    private static Callable<Object> encrypt(byte[] payload) {
        Cipher cipher = PROVIDERS.aesGcm();
        byte[] output = new byte[payload.length + TAG_BITS / Byte.SIZE];
        AtomicLong counter = new AtomicLong();
        return () -> {
            ByteBuffer nonce = ByteBuffer.allocate(12).putLong(4, counter.getAndIncrement());
            cipher.init(Cipher.ENCRYPT_MODE, KEY, new GCMParameterSpec(TAG_BITS, nonce.array()));
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

    private static Callable<Object> agree(KeyPair pair) {
        PrivateKeyOperations own = new SoftwareKey(pair.getPrivate(), PROVIDERS);
        return () -> Objects.requireNonNull(own.agree(pair.getPublic()));
    }

    private static Callable<Object> decapsulate(KeyPair pair) {
        PrivateKeyOperations own = new SoftwareKey(pair.getPrivate(), PROVIDERS);
        byte[] ciphertext = KeyEncapsulation.to(pair.getPublic(), PROVIDERS).ciphertext();
        return () -> Objects.requireNonNull(KeyEncapsulation.answer(own, ciphertext));
    }

    private static Callable<Object> sign(byte[] payload, KeyPair pair) throws GeneralSecurityException {
        SignatureScheme scheme = SignatureScheme.of(pair.getPublic()).orElseThrow();
        Signature signature = PROVIDERS.signing(scheme, DIGEST, pair.getPrivate());
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
        Signature signature = PROVIDERS.verifying(scheme, DIGEST, pair.getPublic());
        Supplier<byte[]> next = inTurn(signatures);
        return () -> {
            signature.update(payload);
            return signature.verify(next.get());
        };
    }

    /** Returns the elements of an array, one after the other, again and again. */
    public static Supplier<byte[]> inTurn(byte[][] all) {
        AtomicInteger next = new AtomicInteger();
        return () -> all[Math.floorMod(next.getAndIncrement(), all.length)];
    }
}
