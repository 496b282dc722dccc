/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/** Unwraps data keys with whatever key wrapped them: AES-256 key wrap (RFC 3394). Thread-safe. */
public final class KeyUnwrapping implements AutoCloseable {
    private final KeyWrapCiphers ciphers = new KeyWrapCiphers();

    /** The data key that was wrapped, or null if this is not the key it was wrapped with, or it was changed. */
    public @Nullable DataKey unwrap(DataKey key, byte[] wrapped) {
        if (wrapped.length != KeyEncryptionKey.WRAPPED_LENGTH) {
            return null;
        }
        Cipher cipher = ciphers.take();
        try {
            // Decrypting gives the bytes, of which unwrapping would leave a copy in a key that nobody wipes.
            cipher.init(Cipher.DECRYPT_MODE, key.secret());
            return DataKey.takeOwnershipOf(cipher.doFinal(wrapped));
        } catch (GeneralSecurityException wrong) {
            return null;
        } finally {
            ciphers.giveBack(cipher);
        }
    }

    /** Forgets the keys it was used with last. */
    @Override
    public void close() {
        ciphers.close();
    }
}
