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
        Cipher cipher = cipher();
        acquire();
        try {
            cipher.init(Cipher.WRAP_MODE, key.secret());
            return cipher.wrap(dataKey.secret());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("key wrap: refused by its provider", impossible);
        } finally {
            key.release();
            ciphers.add(cipher);
        }
    }

    /** The data key that was wrapped, or null if this is not the key it was wrapped with, or it was changed. */
    public @Nullable DataKey unwrap(byte[] wrapped) {
        Cipher cipher = cipher();
        acquire();
        try {
            cipher.init(Cipher.UNWRAP_MODE, key.secret());
            byte[] material = cipher.unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded();
            return material.length == DataKey.LENGTH ? DataKey.takeOwnershipOf(material) : null;
        } catch (GeneralSecurityException | IllegalArgumentException wrong) {
            return null;
        } finally {
            key.release();
            ciphers.add(cipher);
        }
    }

    private Cipher cipher() {
        Cipher pooled = ciphers.poll();
        return pooled == null ? CryptoProviders.standard().aesKeyWrap() : pooled;
    }

    private void acquire() {
        if (!key.acquire()) {
            throw new IllegalStateException("key-encryption key: used after close");
        }
    }

    @Override
    public void close() {
        key.close();
        ciphers.clear();
    }

    @Override
    public String toString() {
        return "KeyEncryptionKey[256 bit]";
    }
}
