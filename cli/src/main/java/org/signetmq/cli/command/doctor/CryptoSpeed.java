/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.SoftwareKey;

/** Measures how fast each cryptographic primitive is on this machine. */
final class CryptoSpeed {
    private static final int PAYLOAD_BYTES = 2048;
    private static final int KEY_BYTES = 32;
    private static final int TAG_BITS = ContentCipher.TAG_LENGTH * Byte.SIZE;
    private static final String DIGEST = "SHA-512";

    /** One for all measurements of a process: it takes up to seconds to make. */
    private static @Nullable KeyPair rsa;

    private final CryptoProviders providers;
    private final Duration each;
    private final List<Primitive> measured = new ArrayList<>();

    private CryptoSpeed(CryptoProviders providers, Duration each) {
        this.providers = providers;
        this.each = each;
    }

    /**
     * A measured primitive, as a row of the report.
     *
     * @param microseconds the mean time of one operation
     */
    record Primitive(
            String name,
            String provider,
            @JsonProperty("us_per_op") double microseconds) {}

    private interface Operation {
        Object run() throws GeneralSecurityException;
    }

    /**
     * Measures all primitives that Signet uses, with these providers. Takes about forty times the time for each.
     *
     * @param each the time for each primitive, after as long a warm-up
     */
    static List<Primitive> measure(CryptoProviders providers, Duration each) {
        CryptoSpeed speed = new CryptoSpeed(providers, each);
        try {
            speed.aesGcm("", providers.aesGcm(), PAYLOAD_BYTES);
            speed.aesGcm(" 256 KiB", providers.aesGcmInBulk(), ContentCipher.BULK_LENGTH);
            speed.keyWrapAndDigest();
            KeyPair rsa = rsa(providers);
            speed.signature("ECDSA P-256", SignatureScheme.ECDSA, speed.generated(KeyAlgorithm.EC_P256));
            speed.signature("RSA-2048", SignatureScheme.RSA, rsa);
            speed.signature("RSA-2048 PSS", SignatureScheme.RSA_PSS, rsa);
            speed.signature("Ed25519", SignatureScheme.ED25519, speed.generated(KeyAlgorithm.ED25519));
            speed.keyAgreement();
            speed.keyTransport(rsa);
            speed.time("random data key", providers.random().getProvider(), () -> speed.random(KEY_BYTES));
            return speed.measured;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("crypto: a primitive is missing from this Java runtime", missing);
        }
    }

    static synchronized KeyPair rsa(CryptoProviders providers) throws GeneralSecurityException {
        if (rsa == null) {
            rsa = CryptoProviders.generate(KeyAlgorithm.RSA_2048, providers.random());
        }
        return rsa;
    }

    private void aesGcm(String length, Cipher cipher, int bytes) throws GeneralSecurityException {
        SecretKey key = aesKey();
        byte[] clear = random(bytes);
        byte[] sealed = new byte[bytes + ContentCipher.TAG_LENGTH];
        ByteBuffer nonce = ByteBuffer.allocate(KeyLease.NONCE_LENGTH);
        time("AES-256-GCM encrypt" + length, cipher.getProvider(), () -> {
            nonce.putLong(0, nonce.getLong(0) + 1); // the cipher takes no nonce twice
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce.array()));
            return cipher.doFinal(clear, 0, bytes, sealed, 0);
        });
        time("AES-256-GCM decrypt" + length, cipher.getProvider(), () -> {
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce.array()));
            return cipher.doFinal(sealed, 0, sealed.length, clear, 0);
        });
    }

    private void keyWrapAndDigest() throws GeneralSecurityException {
        SecretKey key = aesKey();
        Cipher wrap = providers.aesKeyWrap();
        time("AES-256 key wrap", wrap.getProvider(), () -> {
            wrap.init(Cipher.WRAP_MODE, key);
            return wrap.wrap(key);
        });
        MessageDigest digest = CryptoProviders.digest(DIGEST);
        byte[] payload = random(PAYLOAD_BYTES);
        time(DIGEST, digest.getProvider(), () -> digest.digest(payload));
    }

    private void signature(String name, SignatureScheme scheme, KeyPair pair) throws GeneralSecurityException {
        byte[] payload = random(PAYLOAD_BYTES);
        Signature signing = providers.signing(scheme, DIGEST, pair.getPrivate());
        time(name + " sign", signing.getProvider(), () -> {
            signing.update(payload);
            return signing.sign();
        });
        signing.update(payload);
        byte[] value = signing.sign();
        Signature verifying = providers.verifying(scheme, DIGEST, pair.getPublic());
        time(name + " verify", verifying.getProvider(), () -> {
            verifying.update(payload);
            return verifying.verify(value);
        });
    }

    private void keyAgreement() throws GeneralSecurityException {
        KeyPairGenerator pairs = providers.ecKeyPairs();
        pairs.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair own = pairs.generateKeyPair();
        KeyPair other = pairs.generateKeyPair();
        time("ECDH P-256", providers.ecdh().getProvider(), () -> {
            KeyAgreement agreement = providers.ecdh();
            agreement.init(own.getPrivate());
            agreement.doPhase(other.getPublic(), true);
            return agreement.generateSecret();
        });
    }

    private void keyTransport(KeyPair rsa) throws GeneralSecurityException {
        SoftwareKey own = new SoftwareKey(rsa.getPrivate(), providers);
        KeyTransport transport = new KeyTransport(providers);
        Provider provider = providers.rsaOaep().getProvider();
        try (DataKey key = DataKey.generate(providers)) {
            PublicKey recipient = transport.converted(rsa.getPublic());
            time("RSA-2048 OAEP wrap", provider, () -> transport.wrap(recipient, key));
            byte[] wrapped = transport.wrap(recipient, key);
            time("RSA-2048 OAEP unwrap", provider, () -> {
                try (DataKey opened = transport.unwrap(own, KeyTransportPadding.OAEP_SHA_256, wrapped)) {
                    return Objects.requireNonNull(opened, "the data key did not unwrap");
                }
            });
        }
    }

    private KeyPair generated(KeyAlgorithm algorithm) throws GeneralSecurityException {
        return CryptoProviders.generate(algorithm, providers.random());
    }

    private SecretKey aesKey() {
        return new SecretKeySpec(random(KEY_BYTES), "AES");
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        providers.random().nextBytes(bytes);
        return bytes;
    }

    private void time(String name, Provider provider, Operation operation) throws GeneralSecurityException {
        run(operation); // the warm-up
        measured.add(new Primitive(name, provider.getName(), run(operation)));
    }

    private double run(Operation operation) throws GeneralSecurityException {
        long start = System.nanoTime();
        long operations = 0;
        int seen = 0;
        do {
            seen ^= System.identityHashCode(operation.run()); // kept, so that nothing is optimised away
            operations++;
        } while (System.nanoTime() - start < each.toNanos());
        long elapsed = System.nanoTime() - start + (seen & 1);
        return elapsed / 1000.0 / operations;
    }
}
