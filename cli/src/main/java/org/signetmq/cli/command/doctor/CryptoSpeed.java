/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.DataKey;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.crypto.KeyTransport;
import org.signetmq.keystore.crypto.SoftwareKey;

/** Measures how fast each cryptographic primitive is on this machine. */
final class CryptoSpeed {
    private static final int PAYLOAD_BYTES = 2048;
    private static final int TAG_BITS = 128;
    private static final int KEY_BYTES = 32;
    private static final String DIGEST = "SHA-512";

    private final CryptoProviders providers;
    private final Duration each;
    private final byte[] payload = new byte[PAYLOAD_BYTES];
    private final List<Primitive> primitives = new ArrayList<>();
    private long nonces;

    private CryptoSpeed(CryptoProviders providers, Duration each) {
        this.providers = providers;
        this.each = each;
        providers.random().nextBytes(payload);
    }

    /**
     * A measured primitive, as a row of the report.
     *
     * @param microseconds the mean time of one operation
     */
    record Primitive(
            String name,
            String provider,
            @JsonProperty("us_per_op") double microseconds) {
        String line() {
            return String.format(Locale.ROOT, "%-28s %-30s %10.2f", name, provider, microseconds);
        }
    }

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
            speed.symmetric();
            speed.signatures();
            speed.keys();
            return speed.primitives;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("crypto: a primitive is missing from this Java runtime", missing);
        }
    }

    private void symmetric() throws GeneralSecurityException {
        SecretKey key = aesKey();
        aesGcm("", providers.aesGcm(), payload);
        aesGcm(" 256 KiB", providers.aesGcmInBulk(), new byte[ContentCipher.BULK_LENGTH]);
        Cipher wrap = providers.aesKeyWrap();
        time("AES-256 key wrap", wrap.getProvider(), () -> {
            wrap.init(Cipher.WRAP_MODE, key);
            return wrap.wrap(key);
        });
        MessageDigest digest = CryptoProviders.digest(DIGEST);
        time(DIGEST, digest.getProvider(), () -> digest.digest(payload));
    }

    private void aesGcm(String length, Cipher cipher, byte[] content) throws GeneralSecurityException {
        SecretKey key = aesKey();
        byte[] nonce = new byte[KeyLease.NONCE_LENGTH];
        byte[] sealed = new byte[content.length + ContentCipher.TAG_LENGTH];
        time("AES-256-GCM encrypt" + length, cipher.getProvider(), () -> {
            ByteBuffer.wrap(nonce).putLong(nonces++); // the cipher takes no nonce twice
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(content, 0, content.length, sealed, 0);
        });
        byte[] opened = new byte[sealed.length];
        time("AES-256-GCM decrypt" + length, cipher.getProvider(), () -> {
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(sealed, 0, sealed.length, opened, 0);
        });
    }

    private SecretKey aesKey() {
        byte[] key = new byte[KEY_BYTES];
        providers.random().nextBytes(key);
        return new SecretKeySpec(key, "AES");
    }

    private void signatures() throws GeneralSecurityException {
        KeyPair rsa = generated(KeyAlgorithm.RSA_2048);
        signature("ECDSA P-256", SignatureScheme.ECDSA, p256());
        signature("RSA-2048", SignatureScheme.RSA, rsa);
        signature("RSA-2048 PSS", SignatureScheme.RSA_PSS, rsa);
        signature("Ed25519", SignatureScheme.ED25519, generated(KeyAlgorithm.ED25519));
    }

    private void signature(String name, SignatureScheme scheme, KeyPair pair) throws GeneralSecurityException {
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

    private void keys() throws GeneralSecurityException {
        KeyPair own = p256();
        KeyPair other = p256();
        time("ECDH P-256", providers.ecdh().getProvider(), () -> {
            KeyAgreement agreement = providers.ecdh();
            agreement.init(own.getPrivate());
            agreement.doPhase(other.getPublic(), true);
            return agreement.generateSecret();
        });
        KeyPair rsa = generated(KeyAlgorithm.RSA_2048);
        SoftwareKey software = new SoftwareKey(rsa.getPrivate(), providers);
        KeyTransport transport = new KeyTransport(providers);
        Provider provider = providers.rsaOaep().getProvider();
        try (DataKey key = DataKey.generate(providers)) {
            time("RSA-2048 OAEP wrap", provider, () -> transport.wrap(rsa.getPublic(), key));
            byte[] wrapped = transport.wrap(rsa.getPublic(), key);
            time("RSA-2048 OAEP unwrap", provider, () -> {
                DataKey opened = transport.unwrap(software, KeyTransportPadding.OAEP_SHA_256, wrapped);
                if (opened == null) {
                    throw new GeneralSecurityException("the data key did not unwrap");
                }
                opened.close();
                return opened;
            });
        }
        byte[] random = new byte[KEY_BYTES];
        time("random data key", providers.random().getProvider(), () -> {
            providers.random().nextBytes(random);
            return random;
        });
    }

    private KeyPair p256() throws GeneralSecurityException {
        KeyPairGenerator generator = providers.ecKeyPairs();
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private KeyPair generated(KeyAlgorithm algorithm) throws GeneralSecurityException {
        return CryptoProviders.generate(algorithm, providers.random());
    }

    private void time(String name, Provider provider, Operation operation) throws GeneralSecurityException {
        run(operation); // the warm-up
        primitives.add(new Primitive(name, provider.getName(), run(operation)));
    }

    private double run(Operation operation) throws GeneralSecurityException {
        long start = System.nanoTime();
        long end = start + each.toNanos();
        long operations = 0;
        int seen = 0;
        do {
            seen ^= System.identityHashCode(operation.run()); // kept, so that nothing is optimised away
            operations++;
        } while (System.nanoTime() < end);
        long elapsed = System.nanoTime() - start + (seen & 1);
        return elapsed / 1000.0 / operations;
    }
}
