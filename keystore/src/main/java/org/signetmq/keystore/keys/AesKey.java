/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import javax.crypto.SecretKey;

/**
 * An AES-256 key in memory that counts its users. It is wiped after it was closed and the last user released it. Its
 * text never shows the bytes. Thread-safe.
 */
public abstract class AesKey implements AutoCloseable {
    /** The length of the key in bytes. */
    public static final int LENGTH = 32;

    private final byte[] material;
    private final Secret secret = new Secret();
    private final KeyUsage users = new KeyUsage(this::wipe);

    /** Takes ownership of the array, and wipes it with the key. */
    AesKey(byte[] material) {
        if (material.length != LENGTH) {
            throw new IllegalArgumentException("key: not 256 bits but " + material.length * Byte.SIZE);
        }
        this.material = material;
    }

    /**
     * Adds a user, which must call {@link #release()}, or close its {@link KeyLease}. Returns false if the key is
     * closed.
     */
    public boolean acquire() {
        return users.acquire();
    }

    void release() {
        users.release();
    }

    /** Admits no further user. Wipes the key after the last user released it. A second call has no effect. */
    @Override
    public void close() {
        users.retire();
    }

    boolean isWiped() {
        return users.isOver();
    }

    /** Returns the key for ciphers. The providers get copies of the bytes, and wipe them. */
    SecretKey secret() {
        return secret;
    }

    private void wipe() {
        Arrays.fill(material, (byte) 0);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + LENGTH * Byte.SIZE + " bit]";
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
                throw new IllegalStateException("key: used after it was wiped");
            }
            return material.clone();
        }

        private void writeObject(ObjectOutputStream out) throws NotSerializableException {
            throw new NotSerializableException("keys never leave the process");
        }
    }
}
