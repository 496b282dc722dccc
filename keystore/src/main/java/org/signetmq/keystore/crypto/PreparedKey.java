/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

/**
 * A data key that is wrapped and not used yet. It has no nonces: those begin with its use, see NoncePrefixes.
 *
 * @param key the key
 * @param wrapped its recipient infos
 */
public record PreparedKey(DataKey key, byte[] wrapped) implements AutoCloseable {
    /** What the key and its objects take of the heap beside the recipient infos, about. */
    private static final int OBJECTS = 256;

    /** What it takes of the heap, about. */
    public int bytes() {
        return wrapped.length + OBJECTS;
    }

    /** A new random key, wrapped. */
    public static PreparedKey generate(CryptoProviders providers, KeyWrapping wrapping) {
        DataKey key = DataKey.generate(providers);
        try {
            return new PreparedKey(key, wrapping.wrap(key));
        } catch (RuntimeException | Error failed) {
            key.close();
            throw failed;
        }
    }

    /** Wipes a key that nobody uses. */
    @Override
    public void close() {
        key.close();
    }
}
