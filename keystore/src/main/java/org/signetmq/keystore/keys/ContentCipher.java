/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/** Encrypts and decrypts contents with AES-256-GCM (RFC 5084, NIST SP 800-38D). Reusable, for one thread at a time. */
public final class ContentCipher implements AutoCloseable {
    /** The length of the authentication tag in bytes. */
    public static final int TAG_LENGTH = 16;

    private static final int TAG_BITS = TAG_LENGTH * Byte.SIZE;

    /** The shortest content in bytes for the bulk cipher. For shorter contents a new key costs too much with it. */
    public static final int BULK_LENGTH = 256 << 10;

    private final CryptoProviders providers;
    private final Cipher cipher;
    private @Nullable Cipher bulk;

    /** Creates a cipher of these providers. */
    public ContentCipher(CryptoProviders providers) {
        this.providers = providers;
        this.cipher = providers.aesGcm();
    }

    private Cipher cipherFor(int length) {
        if (length < BULK_LENGTH) {
            return cipher;
        }
        if (bulk == null) {
            bulk = providers.aesGcmInBulk();
        }
        return bulk;
    }

    /** Encrypts a part of the buffer in place, and writes the tag of 16 bytes behind it. */
    public void encrypt(KeyLease use, byte[] buffer, int offset, int length) {
        encrypt(use.key(), new GCMParameterSpec(TAG_BITS, use.nonce()), ByteBuffer.wrap(buffer, offset, length));
    }

    /** Encrypts the remaining bytes in place. The caller must never repeat a nonce under one key. */
    void encrypt(DataKey key, GCMParameterSpec parameters, ByteBuffer clear) {
        byte[] buffer = clear.array();
        int offset = clear.arrayOffset() + clear.position();
        Cipher fitting = cipherFor(clear.remaining());
        try {
            fitting.init(Cipher.ENCRYPT_MODE, key.secret(), parameters);
            fitting.doFinal(buffer, offset, clear.remaining(), buffer, offset);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("encryption: rejected by its provider", impossible);
        }
    }

    /**
     * Decrypts.
     *
     * @param input ciphertext and tag, in an array
     * @param output receives the plaintext from index 0; another array than the input
     * @return false if the tag does not match; the output then has no plaintext
     */
    public boolean decrypt(DataKey key, GCMParameterSpec parameters, ByteBuffer input, byte[] output) {
        int length = input.remaining();
        if (length < TAG_LENGTH) {
            return false; // for the JDK this is an error of the caller
        }
        Cipher fitting = cipherFor(length);
        try {
            fitting.init(Cipher.DECRYPT_MODE, key.secret(), parameters);
            fitting.doFinal(input.array(), input.arrayOffset() + input.position(), length, output, 0);
            return true;
        } catch (AEADBadTagException wrong) {
            Arrays.fill(output, 0, length - TAG_LENGTH, (byte) 0); // some providers decrypt before they check the tag
            return false;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("decryption: rejected by its provider", impossible);
        }
    }

    /** Replaces the last keys in the ciphers by zeros. */
    @Override
    public void close() {
        forgetKey(cipher);
        if (bulk != null) {
            forgetKey(bulk);
        }
    }

    private void forgetKey(Cipher used) {
        // The JDK keeps the last encryption key until the next one, to reject a repeated nonce.
        byte[] nonce = new byte[KeyLease.NONCE_LENGTH];
        providers.random().nextBytes(nonce);
        try (DataKey blank = DataKey.takeOwnershipOf(new byte[DataKey.LENGTH])) {
            used.init(Cipher.ENCRYPT_MODE, blank.secret(), new GCMParameterSpec(TAG_BITS, nonce));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("encryption: rejected by its provider", impossible);
        }
    }
}
