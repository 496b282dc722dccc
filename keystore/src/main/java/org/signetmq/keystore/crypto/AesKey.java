/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import javax.crypto.SecretKey;

/**
 * An AES-256 key in memory, counted by its users. It is wiped when it is closed and the last user let go. Printing it
 * never shows it. Thread-safe.
 */
public abstract class AesKey implements AutoCloseable {
    /** The length of the key in bytes. */
    public static final int LENGTH = 32;

    private final byte[] material;
    private final Secret secret = new Secret();
    private final KeyUsage users = new KeyUsage(this::wipe);

    /** The array is the key's from now on, and is wiped with it. */
    AesKey(byte[] material) {
        if (material.length != LENGTH) {
            throw new IllegalArgumentException("key: not 256 bits but " + material.length * Byte.SIZE);
        }
        this.material = material;
    }

    /** Counts in a user, which must {@link #release()}. Returns false if the key is closed. */
    boolean acquire() {
        return users.acquire();
    }

    void release() {
        users.release();
    }

    /** Admits no further user. Wipes the key when the last user let go. Harmless when repeated. */
    @Override
    public void close() {
        users.retire();
    }

    boolean isWiped() {
        return users.isOver();
    }

    /** The key for ciphers. It hands out copies, which the providers wipe. */
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
