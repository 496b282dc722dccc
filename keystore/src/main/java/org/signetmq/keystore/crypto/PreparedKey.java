/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

/**
 * A data key that is wrapped and not used yet. It has no nonces: those begin with its use, see NoncePrefixes.
 *
 * @param key the key
 * @param wrapped its recipient infos
 */
public record PreparedKey(DataKey key, byte[] wrapped) implements AutoCloseable {
    /** The heap of the key and its objects beside the recipient infos, in bytes, approximately. */
    private static final int OBJECTS = 256;

    /** Its heap, in bytes, approximately. */
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

    /** Wipes an unused key. */
    @Override
    public void close() {
        key.close();
    }
}
