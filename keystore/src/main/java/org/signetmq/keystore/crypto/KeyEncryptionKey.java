/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/** A key that wraps data keys: AES-256 key wrap (RFC 3394). Thread-safe. */
public final class KeyEncryptionKey implements AutoCloseable {
    /** Of a wrapped data key. */
    public static final int WRAPPED_LENGTH = DataKey.LENGTH + 8;

    private final DataKey key;
    private final UseCount users = new UseCount(this::wipe);
    private final KeyWrapCiphers ciphers = new KeyWrapCiphers();

    private KeyEncryptionKey(DataKey key) {
        this.key = key;
    }

    /** Wraps with this key, which it closes. */
    public static KeyEncryptionKey of(DataKey key) {
        return new KeyEncryptionKey(key);
    }

    /** The data key, wrapped: 40 bytes. */
    public byte[] wrap(DataKey dataKey) {
        if (!users.acquire()) {
            throw new IllegalStateException("key-encryption key: used after close");
        }
        Cipher cipher = ciphers.take();
        try {
            cipher.init(Cipher.WRAP_MODE, key.secret());
            return cipher.wrap(dataKey.secret());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("key wrap: refused by its provider", impossible);
        } finally {
            ciphers.giveBack(cipher);
            users.release(); // last: who wipes must find every cipher
        }
    }

    /** Wiped once nobody wraps with it. Harmless when repeated. */
    @Override
    public void close() {
        users.retire();
    }

    private void wipe() {
        key.close();
        ciphers.close();
    }

    @Override
    public String toString() {
        return "KeyEncryptionKey[256 bit]";
    }
}
