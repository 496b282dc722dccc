/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.GeneralSecurityException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/** A key that wraps data keys: AES-256 key wrap (RFC 3394). Thread-safe. */
public final class KeyEncryptionKey implements AutoCloseable {
    /** Of a wrapped data key. */
    public static final int WRAPPED_LENGTH = DataKey.LENGTH + 8;

    private final DataKey key;
    private final UseCount users = new UseCount(this::wipe);
    /** Looking a cipher up costs more than wrapping. */
    private final ConcurrentLinkedQueue<Cipher> ciphers = new ConcurrentLinkedQueue<>();

    private KeyEncryptionKey(DataKey key) {
        this.key = key;
    }

    /** Wraps with this key, which it closes. */
    public static KeyEncryptionKey of(DataKey key) {
        return new KeyEncryptionKey(key);
    }

    /** The data key, wrapped: 40 bytes. */
    public byte[] wrap(DataKey dataKey) {
        Cipher cipher = enter();
        try {
            cipher.init(Cipher.WRAP_MODE, key.secret());
            return cipher.wrap(dataKey.secret());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("key wrap: refused by its provider", impossible);
        } finally {
            leave(cipher);
        }
    }

    /** The data key that was wrapped, or null if this is not the key it was wrapped with, or it was changed. */
    public @Nullable DataKey unwrap(byte[] wrapped) {
        if (wrapped.length != WRAPPED_LENGTH) {
            return null;
        }
        Cipher cipher = enter();
        try {
            // Decrypting gives the bytes, of which unwrapping would leave a copy in a key that nobody wipes.
            cipher.init(Cipher.DECRYPT_MODE, key.secret());
            return DataKey.takeOwnershipOf(cipher.doFinal(wrapped));
        } catch (GeneralSecurityException wrong) {
            return null;
        } finally {
            leave(cipher);
        }
    }

    private Cipher enter() {
        if (!users.acquire()) {
            throw new IllegalStateException("key-encryption key: used after close");
        }
        Cipher pooled = ciphers.poll();
        return pooled == null ? CryptoProviders.standard().aesKeyWrap() : pooled;
    }

    private void leave(Cipher cipher) {
        ciphers.add(cipher);
        users.release(); // last: who wipes must find every cipher
    }

    /** Wiped once nobody wraps with it. Harmless when repeated. */
    @Override
    public void close() {
        users.retire();
    }

    /** A cipher keeps its key until it gets another. */
    private void wipe() {
        key.close();
        try (DataKey blank = DataKey.takeOwnershipOf(new byte[DataKey.LENGTH])) {
            for (Cipher cipher = ciphers.poll(); cipher != null; cipher = ciphers.poll()) {
                cipher.init(Cipher.WRAP_MODE, blank.secret());
            }
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("key wrap: refused by its provider", impossible);
        }
    }

    @Override
    public String toString() {
        return "KeyEncryptionKey[256 bit]";
    }
}
