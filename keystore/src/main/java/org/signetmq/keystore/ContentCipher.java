/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/** AES-256-GCM with a 16-byte tag (RFC 5084, NIST SP 800-38D). For one thread at a time; reusable. */
public final class ContentCipher implements AutoCloseable {
    /** Of the authentication tag, in bytes. */
    public static final int TAG_LENGTH = 16;

    private static final int TAG_BITS = TAG_LENGTH * Byte.SIZE;

    private final Cipher cipher = CryptoProviders.standard().aesGcm();

    /** Makes encrypting under this key cheaper from its first message on. */
    void prepare(DataKey key) {
        try {
            // as for decryption: that binds no nonce
            cipher.init(
                    Cipher.DECRYPT_MODE, key.secret(), new GCMParameterSpec(TAG_BITS, new byte[KeyUse.NONCE_LENGTH]));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("encryption: refused by its provider", impossible);
        }
    }

    /** Encrypts in place; the 16 bytes of the tag follow, for which the buffer has room. */
    public void encrypt(KeyUse use, byte[] buffer, int offset, int length) {
        try {
            cipher.init(Cipher.ENCRYPT_MODE, use.key().secret(), new GCMParameterSpec(TAG_BITS, use.nonce()));
            cipher.doFinal(buffer, offset, length, buffer, offset);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("encryption: refused by its provider", impossible);
        }
    }

    /**
     * Decrypts.
     *
     * @param input ciphertext and tag, from its beginning
     * @param length of both together
     * @param output gets the plaintext, from its beginning; another array than the input
     * @return false if the tag does not fit: the output then holds nothing of use
     */
    public boolean decrypt(DataKey key, GCMParameterSpec parameters, byte[] input, int length, byte[] output) {
        if (length < TAG_LENGTH) {
            return false; // the JDK takes this for a mistake of the caller
        }
        try {
            cipher.init(Cipher.DECRYPT_MODE, key.secret(), parameters);
            cipher.doFinal(input, 0, length, output, 0);
            return true;
        } catch (AEADBadTagException wrong) {
            return false;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("decryption: refused by its provider", impossible);
        }
    }

    /** Makes the cipher forget the last key. */
    @Override
    public void close() {
        // The JDK keeps the last key it encrypted with until it encrypts with another, to refuse a repeated nonce.
        byte[] nonce = new byte[KeyUse.NONCE_LENGTH];
        CryptoProviders.standard().random().nextBytes(nonce);
        try (DataKey blank = DataKey.takeOwnershipOf(new byte[DataKey.LENGTH])) {
            cipher.init(Cipher.ENCRYPT_MODE, blank.secret(), new GCMParameterSpec(TAG_BITS, nonce));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("encryption: refused by its provider", impossible);
        }
    }
}
