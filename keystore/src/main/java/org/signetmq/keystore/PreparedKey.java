/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import org.jspecify.annotations.Nullable;

/**
 * A data key with all that its use needs.
 *
 * @param key the key
 * @param wrapped its recipient infos
 * @param noncePrefix the fixed field of its nonces
 * @param cipher ready for this key, for its first user; or null
 */
record PreparedKey(
        DataKey key,
        byte[] wrapped,
        int noncePrefix,
        @Nullable ContentCipher cipher) implements AutoCloseable {
    /** What the key and its objects take of the heap beside the recipient infos, about. */
    private static final int OBJECTS = 256;

    /** What a cipher with its expanded key takes, about. */
    private static final int CIPHER = 2048;

    /** What it takes of the heap, about. */
    int bytes() {
        return wrapped.length + OBJECTS + (cipher == null ? 0 : CIPHER);
    }

    /** With a cipher for many messages: to expand the key costs more than to encrypt 2 KB. */
    PreparedKey withCipher() {
        ContentCipher ready = new ContentCipher();
        ready.prepare(key);
        return new PreparedKey(key, wrapped, noncePrefix, ready);
    }

    /** A new random key, wrapped. */
    static PreparedKey generate(CryptoProviders providers, KeyWrapping wrapping) {
        DataKey key = DataKey.generate(providers);
        try {
            return new PreparedKey(key, wrapping.wrap(key), providers.random().nextInt(), null);
        } catch (RuntimeException | Error failed) {
            key.close();
            throw failed;
        }
    }

    /** Wipes a key that nobody uses. */
    @Override
    public void close() {
        key.close();
        if (cipher != null) {
            cipher.close();
        }
    }
}
