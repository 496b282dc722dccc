/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

/**
 * A data key with all that its use needs.
 *
 * @param key the key
 * @param wrapped its recipient infos
 * @param noncePrefix the fixed field of its nonces
 */
record PreparedKey(DataKey key, byte[] wrapped, int noncePrefix) implements AutoCloseable {
    /** What the key and its objects take of the heap beside the recipient infos, about. */
    private static final int OBJECTS = 256;

    /** What it takes of the heap, about. */
    int bytes() {
        return wrapped.length + OBJECTS;
    }

    /** A new random key, wrapped. */
    static PreparedKey generate(CryptoProviders providers, KeyWrapping wrapping) {
        DataKey key = DataKey.generate(providers);
        try {
            return new PreparedKey(key, wrapping.wrap(key), providers.random().nextInt());
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
