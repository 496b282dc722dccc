/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;

/** Ciphers of AES key wrap, kept for the next user: looking one up costs more than wrapping. Thread-safe. */
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

    /** Makes those that are here, and those that come back, forget their last keys. */
    @Override
    public void close() {
        closed = true;
        forgetKeys();
    }

    /** A cipher keeps its key until it gets another. */
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
