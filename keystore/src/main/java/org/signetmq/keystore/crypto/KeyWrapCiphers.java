/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;

/** A pool of ciphers for AES key wrap, because a look-up costs more than a wrap. Thread-safe. */
public final class KeyWrapCiphers implements AutoCloseable {
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
