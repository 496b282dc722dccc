/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.generators.KDF2BytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KDFParameters;
import org.jspecify.annotations.Nullable;

/** A key that wraps and unwraps data keys: AES-256 key wrap (RFC 3394). Thread-safe. */
public final class KeyEncryptionKey extends AesKey {
    /** The length of a wrapped data key in bytes. */
    public static final int WRAPPED_LENGTH = LENGTH + 8;

    private final KeyWrapCiphers ciphers;

    /** Creates a key of these 32 bytes. The key owns the array from now on, and wipes it. */
    KeyEncryptionKey(byte[] material, KeyWrapCiphers ciphers) {
        super(material);
        this.ciphers = ciphers;
    }

    /**
     * Derives a key by ANSI X9.63, which is KDF2 of ISO 18033-2.
     *
     * @param secret the secret of the key agreement; this method wipes it
     * @param sharedInfo DER ECC-CMS-SharedInfo
     * @param ciphers the shared ciphers; their owner closes them after the keys
     */
    public static KeyEncryptionKey derive(
            byte[] secret, KeyDerivation derivation, byte[] sharedInfo, KeyWrapCiphers ciphers) {
        byte[] material = new byte[LENGTH];
        KDF2BytesGenerator generator = new KDF2BytesGenerator(digest(derivation));
        generator.init(new KDFParameters(secret, sharedInfo));
        generator.generateBytes(material, 0, material.length);
        Arrays.fill(secret, (byte) 0);
        return new KeyEncryptionKey(material, ciphers);
    }

    /**
     * Derives a key by HKDF with SHA-256 (RFC 5869), without salt.
     *
     * @param secret the encapsulated secret; this method wipes it
     * @param otherInfo DER CMSORIforKEMOtherInfo (RFC 9629 section 5)
     * @param ciphers the shared ciphers; their owner closes them after the keys
     */
    public static KeyEncryptionKey expand(byte[] secret, byte[] otherInfo, KeyWrapCiphers ciphers) {
        byte[] material = new byte[LENGTH];
        HKDFBytesGenerator generator = new HKDFBytesGenerator(SHA256Digest.newInstance());
        generator.init(new HKDFParameters(secret, null, otherInfo));
        generator.generateBytes(material, 0, material.length);
        Arrays.fill(secret, (byte) 0);
        return new KeyEncryptionKey(material, ciphers);
    }

    private static Digest digest(KeyDerivation derivation) {
        return switch (derivation) {
            case SHA_1 -> new SHA1Digest();
            case SHA_256 -> SHA256Digest.newInstance();
            case SHA_384 -> new SHA384Digest();
            case SHA_512 -> new SHA512Digest();
        };
    }

    /** Wraps a data key into 40 bytes. */
    public byte[] wrap(DataKey dataKey) {
        if (!acquire()) {
            throw new IllegalStateException("key-encryption key: used after close");
        }
        Cipher cipher = ciphers.take();
        try {
            cipher.init(Cipher.WRAP_MODE, secret());
            return cipher.wrap(dataKey.secret());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("key wrap: rejected by its provider", impossible);
        } finally {
            ciphers.giveBack(cipher);
            release();
        }
    }

    /** Unwraps a data key. Returns null if another key wrapped it, or if the bytes were changed. */
    public @Nullable DataKey unwrap(byte[] wrapped) {
        if (wrapped.length != WRAPPED_LENGTH) {
            return null;
        }
        Cipher cipher = ciphers.take();
        try {
            // Decryption returns the bytes. UNWRAP_MODE would leave a copy of them in a key that no code wipes.
            cipher.init(Cipher.DECRYPT_MODE, secret());
            return DataKey.takeOwnershipOf(cipher.doFinal(wrapped));
        } catch (GeneralSecurityException wrong) {
            return null;
        } finally {
            ciphers.giveBack(cipher);
        }
    }

    /** The hash of the X9.63 key derivation in elliptic-curve key agreement (RFC 5753 section 7.1.4). */
    public enum KeyDerivation {
        /** Signet only reads it, because OpenSSL writes it by default. It does not need collision resistance. */
        SHA_1,
        /** The derivation that Signet writes. */
        SHA_256,
        SHA_384,
        SHA_512
    }

    /** A pool of ciphers for AES key wrap, because a look-up costs more than a wrap. Thread-safe. */
    public static final class KeyWrapCiphers implements AutoCloseable {
        private final ConcurrentLinkedQueue<Cipher> idle = new ConcurrentLinkedQueue<>();
        private final CryptoProviders providers;
        private volatile boolean closed;

        public KeyWrapCiphers(CryptoProviders providers) {
            this.providers = providers;
        }

        Cipher take() {
            Cipher kept = idle.poll();
            return kept == null ? providers.aesKeyWrap() : kept;
        }

        void giveBack(Cipher cipher) {
            idle.add(cipher);
            if (closed) {
                forgetKeys();
            }
        }

        /** Replaces the last keys in all ciphers by zeros, now or when a user returns the cipher. */
        @Override
        public void close() {
            closed = true;
            forgetKeys();
        }

        /** Gives the idle ciphers a key of zeros, because a cipher keeps its key until the next one. */
        private void forgetKeys() {
            try (DataKey blank = DataKey.takeOwnershipOf(new byte[DataKey.LENGTH])) {
                for (Cipher cipher = idle.poll(); cipher != null; cipher = idle.poll()) {
                    cipher.init(Cipher.WRAP_MODE, blank.secret());
                }
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException("key wrap: rejected by its provider", impossible);
            }
        }
    }
}
