/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import org.signetmq.keystore.KeystoreUnusableException;

/** Wraps data keys for all recipients of a policy. Thread-safe. */
public interface KeyWrapping extends AutoCloseable {
    /**
     * Wraps the key for all recipients, and returns the DER SET of their recipient infos.
     *
     * @throws KeystoreUnusableException if the key cannot be wrapped for a recipient
     */
    byte[] wrap(DataKey key);

    /** Wipes the keys of the wrapping. */
    @Override
    void close();

    /**
     * A data key that is wrapped and not used yet. Its nonces are drawn at its first use.
     *
     * @param key the key
     * @param wrapped the DER SET of its recipient infos
     */
    record PreparedKey(DataKey key, byte[] wrapped) implements AutoCloseable {
        /** The approximate heap of the key and its objects without the recipient infos, in bytes. */
        private static final int OBJECTS = 256;

        /** Returns the approximate heap of the key in bytes. */
        public int bytes() {
            return wrapped.length + OBJECTS;
        }

        /** Generates and wraps a random key. */
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
}
