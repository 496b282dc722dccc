/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import javax.crypto.SecretKey;

/**
 * A content-encryption key, counted by its users: it is wiped when it was retired and the last user let go. Printing it
 * never shows it. Thread-safe.
 */
public final class DataKey implements AutoCloseable {
    /** AES-256. */
    public static final int LENGTH = 32;

    private final byte[] material;
    private final Secret secret = new Secret();
    private final UseCount users = new UseCount(this::wipe);

    private DataKey(byte[] material) {
        if (material.length != LENGTH) {
            throw new IllegalArgumentException("data key: not 256 bits but " + material.length * Byte.SIZE);
        }
        this.material = material;
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

    /** Counts in a user, who must {@link #release()}. False if the key is retired: take another. */
    public boolean acquire() {
        return users.acquire();
    }

    /** Counts a user out. */
    void release() {
        users.release();
    }

    /** Lets nobody new in; wipes once the last user is out. Harmless when repeated. */
    @Override
    public void close() {
        users.retire();
    }

    /** Whether the bytes are gone. */
    public boolean isWiped() {
        return users.isOver();
    }

    /** For ciphers: hands out copies, which the providers wipe. */
    public SecretKey secret() {
        return secret;
    }

    private void wipe() {
        Arrays.fill(material, (byte) 0);
    }

    @Override
    public String toString() {
        return "DataKey[" + LENGTH * Byte.SIZE + " bit]";
    }

    private final class Secret implements SecretKey {
        private static final long serialVersionUID = 1L;

        @Override
        public String getAlgorithm() {
            return "AES";
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            if (isWiped()) {
                throw new IllegalStateException("data key: used after it was wiped");
            }
            return material.clone();
        }

        private void writeObject(ObjectOutputStream out) throws NotSerializableException {
            throw new NotSerializableException("data keys never leave the process");
        }
    }
}
