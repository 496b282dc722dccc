/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.perf.variant.Payload;

/**
 * The bare primitives, as fast as their provider lets them be: no envelope can be faster. The providers are those that
 * the product chooses. Each thread has a cipher, digest or signature of its own.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LimitBenchmark {
    private static final int TAG_BITS = 128;
    private static final int SIGNATURES = 256;

    /** The primitive. */
    @Param("aes256gcm.encrypt")
    public String primitive = "aes256gcm.encrypt";

    /** The size of the payload in bytes. */
    @Param("2048")
    public int size;

    private Callable<Object> measured = () -> {
        throw new IllegalStateException("benchmark: not prepared");
    };

    /** Makes keys and messages. */
    @Setup(Level.Trial)
    public void prepare() throws Exception {
        byte[] payload = Payload.ofSize(size);
        measured = switch (primitive) {
            case "aes256gcm.encrypt" -> encrypt(payload);
            case "aes256gcm.decrypt" -> decrypt(payload);
            case "sha512" -> sha512(payload);
            case "ecdsa-p256.sign" -> sign(payload, ecdsa());
            case "ecdsa-p256.verify" -> verify(payload, ecdsa());
            case "rsa2048.sign" -> sign(payload, rsa());
            case "rsa2048.verify" -> verify(payload, rsa());
            default -> throw new IllegalArgumentException("primitive: unknown limit " + primitive);
        };
    }

    private static Callable<Object> encrypt(byte[] payload) throws GeneralSecurityException {
        SecretKey key = key();
        Cipher cipher = cipher();
        byte[] output = new byte[payload.length + TAG_BITS / 8];
        AtomicLong counter = new AtomicLong();
        return () -> {
            byte[] nonce = ByteBuffer.allocate(12)
                    .putLong(4, counter.getAndIncrement())
                    .array();
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(payload, 0, payload.length, output, 0);
        };
    }

    private static Callable<Object> decrypt(byte[] payload) throws GeneralSecurityException {
        SecretKey key = key();
        GCMParameterSpec parameters = new GCMParameterSpec(TAG_BITS, new byte[12]);
        Cipher cipher = cipher();
        cipher.init(Cipher.ENCRYPT_MODE, key, parameters);
        byte[] ciphertext = cipher.doFinal(payload);
        byte[] output = new byte[ciphertext.length];
        return () -> {
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
            return cipher.doFinal(ciphertext, 0, ciphertext.length, output, 0);
        };
    }

    private static Cipher cipher() throws GeneralSecurityException {
        return Cipher.getInstance(
                "AES/GCM/NoPadding", CryptoProviders.standard().aes());
    }

    private static SecretKey key() {
        byte[] material = new byte[32];
        new SecureRandom().nextBytes(material);
        return new SecretKeySpec(material, "AES");
    }

    private static Callable<Object> sha512(byte[] payload) throws GeneralSecurityException {
        Provider aes = CryptoProviders.standard().aes();
        MessageDigest digest = aes.getService("MessageDigest", "SHA-512") == null
                ? MessageDigest.getInstance("SHA-512")
                : MessageDigest.getInstance("SHA-512", aes);
        return () -> digest.digest(payload);
    }

    /** A way to sign, with a key for it. */
    private record Signing(String algorithm, Provider provider, KeyPair pair) {
        Signature signature() throws GeneralSecurityException {
            return Signature.getInstance(algorithm, provider);
        }
    }

    private static Signing ecdsa() throws GeneralSecurityException {
        Provider provider = CryptoProviders.standard().accelerated().orElseGet(BouncyCastleProvider::new);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider);
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return new Signing("SHA512withECDSA", provider, generator.generateKeyPair());
    }

    private static Signing rsa() throws GeneralSecurityException {
        Provider provider =
                CryptoProviders.standard().accelerated().orElseGet(() -> Security.getProvider("SunRsaSign"));
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", provider);
        generator.initialize(2048);
        return new Signing("SHA512withRSA", provider, generator.generateKeyPair());
    }

    private static Callable<Object> sign(byte[] payload, Signing signing) throws GeneralSecurityException {
        Signature signature = signing.signature();
        signature.initSign(signing.pair().getPrivate());
        return () -> {
            signature.update(payload);
            return signature.sign();
        };
    }

    /** Verifies many signatures, one after the other: a processor learns its way through the same one. */
    private static Callable<Object> verify(byte[] payload, Signing signing) throws Exception {
        Callable<Object> signer = sign(payload, signing);
        byte[][] values = new byte[SIGNATURES][];
        for (int i = 0; i < SIGNATURES; i++) {
            values[i] = (byte[]) signer.call();
        }
        Signature signature = signing.signature();
        signature.initVerify(signing.pair().getPublic());
        AtomicInteger next = new AtomicInteger();
        return () -> {
            signature.update(payload);
            return signature.verify(values[Math.floorMod(next.getAndIncrement(), SIGNATURES)]);
        };
    }

    /** Runs the primitive once. */
    @Benchmark
    public Object measure() throws Exception {
        return measured.call();
    }
}
