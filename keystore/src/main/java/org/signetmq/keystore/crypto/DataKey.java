/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

/** A content-encryption key. Thread-safe. */
public final class DataKey extends AesKey {
    private DataKey(byte[] material) {
        super(material);
    }

    /** A key of these bytes; the array is the key's from now on, and is wiped with it. */
    public static DataKey takeOwnershipOf(byte[] material) {
        return new DataKey(material);
    }

    /** A new random key. */
    public static DataKey generate(CryptoProviders providers) {
        byte[] material = new byte[LENGTH];
        providers.random().nextBytes(material);
        return new DataKey(material);
    }

    /** Counts in a user, which must close its {@link KeyLease}. Returns false if the key is closed. */
    @Override
    public boolean acquire() {
        return super.acquire();
    }
}
