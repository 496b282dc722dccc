/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

/** A content-encryption key (AES-256). Thread-safe. */
public final class DataKey extends AesKey {
    private DataKey(byte[] material) {
        super(material);
    }

    /** Returns a key of these 32 bytes. The key owns the array from now on, and wipes it. */
    public static DataKey takeOwnershipOf(byte[] material) {
        return new DataKey(material);
    }

    /** Generates a random key. */
    public static DataKey generate(CryptoProviders providers) {
        byte[] material = new byte[LENGTH];
        providers.random().nextBytes(material);
        return new DataKey(material);
    }
}
