/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
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
    private final byte[] payload = new byte[PAYLOAD_BYTES];
    private final Duration each;

    /**
     * A measurement with these providers.
     *
     * @param each the time for each primitive, after as long a warm-up
     */
    CryptoSpeed(CryptoProviders providers, Duration each) {
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

    /** Measures all primitives that Signet uses. Takes about forty times the time for each. */
    List<Primitive> measure() {
        List<Primitive> primitives = new ArrayList<>();
        try {
            aes(primitives);
            MessageDigest digest = CryptoProviders.digest("SHA-512");
            primitives.add(timed("SHA-512", digest.getProvider().getName(), () -> digest.digest(payload)));
            signatures(primitives);
            keys(primitives);
            byte[] key = new byte[KEY_BYTES];
            primitives.add(
                    timed("random data key", providers.random().getProvider().getName(), () -> {
                        providers.random().nextBytes(key);
                        return key;
                    }));
            return primitives;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("crypto: a primitive is missing from this Java runtime", missing);
        }
    }

    private void aes(List<Primitive> primitives) throws GeneralSecurityException {
        SecretKey key = aesKey();
        aesGcm(primitives, "", providers.aesGcm(), payload);
        aesGcm(primitives, " 256 KiB", providers.aesGcmInBulk(), new byte[ContentCipher.BULK_LENGTH]);
        Cipher wrap = providers.aesKeyWrap();
        primitives.add(timed("AES-256 key wrap", wrap.getProvider().getName(), () -> {
            wrap.init(Cipher.WRAP_MODE, key);
            return wrap.wrap(key);
        }));
    }

    private void aesGcm(List<Primitive> primitives, String length, Cipher cipher, byte[] content)
            throws GeneralSecurityException {
        SecretKey key = aesKey();
        String provider = cipher.getProvider().getName();
        byte[] nonce = new byte[KeyLease.NONCE_LENGTH];
        byte[] sealed = new byte[content.length + ContentCipher.TAG_LENGTH];
        primitives.add(timed("AES-256-GCM encrypt" + length, provider, () -> {
            next(nonce);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(content, 0, content.length, sealed, 0);
        }));
        byte[] opened = new byte[sealed.length];
        primitives.add(timed("AES-256-GCM decrypt" + length, provider, () -> {
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(sealed, 0, sealed.length, opened, 0);
        }));
    }

    private SecretKey aesKey() {
        byte[] key = new byte[KEY_BYTES];
        providers.random().nextBytes(key);
        return new SecretKeySpec(key, "AES");
    }

    private static void next(byte[] nonce) {
        int i = nonce.length - 1;
        nonce[i]++;
        while (nonce[i] == 0 && i > 0) {
            i--;
            nonce[i]++;
        }
    }

    private void signatures(List<Primitive> primitives) throws GeneralSecurityException {
        KeyPair rsa = rsa();
        KeyPair ed25519 = CryptoProviders.generate(KeyAlgorithm.ED25519, providers.random());
        signature(primitives, "ECDSA P-256", SignatureScheme.ECDSA, p256());
        signature(primitives, "RSA-2048", SignatureScheme.RSA, rsa);
        signature(primitives, "RSA-2048 PSS", SignatureScheme.RSA_PSS, rsa);
        signature(primitives, "Ed25519", SignatureScheme.ED25519, ed25519);
    }

    private void signature(List<Primitive> primitives, String name, SignatureScheme scheme, KeyPair pair)
            throws GeneralSecurityException {
        Signature signing = providers.signing(scheme, DIGEST, pair.getPrivate());
        primitives.add(timed(name + " sign", signing.getProvider().getName(), () -> {
            signing.update(payload);
            return signing.sign();
        }));
        signing.update(payload);
        byte[] value = signing.sign();
        Signature verifying = providers.verifying(scheme, DIGEST, pair.getPublic());
        primitives.add(timed(name + " verify", verifying.getProvider().getName(), () -> {
            verifying.update(payload);
            return verifying.verify(value);
        }));
    }

    private void keys(List<Primitive> primitives) throws GeneralSecurityException {
        KeyPair own = p256();
        KeyPair other = p256();
        String provider = providers.ecdh().getProvider().getName();
        primitives.add(timed("ECDH P-256", provider, () -> {
            KeyAgreement agreement = providers.ecdh();
            agreement.init(own.getPrivate());
            agreement.doPhase(other.getPublic(), true);
            return agreement.generateSecret();
        }));
        KeyPair rsa = rsa();
        DataKey key = DataKey.generate(providers);
        KeyTransport keyTransport = new KeyTransport(providers);
        String transport = providers.rsaOaep().getProvider().getName();
        primitives.add(timed("RSA-2048 OAEP wrap", transport, () -> keyTransport.wrap(rsa.getPublic(), key)));
        byte[] wrapped = keyTransport.wrap(rsa.getPublic(), key);
        SoftwareKey software = new SoftwareKey(rsa.getPrivate(), providers);
        primitives.add(timed("RSA-2048 OAEP unwrap", transport, () -> {
            DataKey opened = keyTransport.unwrap(software, KeyTransportPadding.OAEP_SHA_256, wrapped);
            if (opened == null) {
                throw new GeneralSecurityException("the data key did not unwrap");
            }
            opened.close();
            return opened;
        }));
        key.close();
    }

    private KeyPair p256() throws GeneralSecurityException {
        KeyPairGenerator generator = providers.ecKeyPairs();
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private KeyPair rsa() throws GeneralSecurityException {
        return CryptoProviders.generate(KeyAlgorithm.RSA_2048, providers.random());
    }

    private Primitive timed(String name, String provider, Operation operation) throws GeneralSecurityException {
        run(operation);
        return new Primitive(name, provider, run(operation));
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
