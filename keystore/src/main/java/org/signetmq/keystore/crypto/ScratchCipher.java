/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.nio.ByteBuffer;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts the parts of one content that waits in a file, and decrypts them again. Its key is new, stays in this object
 * and is wiped at the end, so no other object can read the file. The nonce of a part is its number: no nonce comes
 * twice, and no part can take the place of another. For one thread at a time.
 */
public final class ScratchCipher implements AutoCloseable {
    /** How many bytes longer an encrypted part is. */
    public static final int ADDED = ContentCipher.TAG_LENGTH;

    private final DataKey key;
    private final ContentCipher cipher;
    private long parts;

    /** Makes a cipher with a new key. */
    public ScratchCipher(CryptoProviders providers) {
        this.key = DataKey.generate(providers);
        this.cipher = new ContentCipher(providers);
    }

    /**
     * Encrypts the next part.
     *
     * @return ciphertext and tag, an array of the caller's
     * @throws IllegalStateException if this is closed
     */
    public byte[] encrypt(byte[] clear, int offset, int length) {
        requireOpen();
        byte[] part = new byte[length + ADDED];
        System.arraycopy(clear, offset, part, 0, length);
        cipher.encrypt(key, parameters(parts++), ByteBuffer.wrap(part, 0, length));
        return part;
    }

    /**
     * Decrypts a part.
     *
     * @param number of the part, from 0
     * @param part ciphertext and tag
     * @param clear gets the content, from its beginning; another array than the part
     * @return false if this is not the part of that number: {@code clear} then holds nothing of use
     * @throws IllegalStateException if this is closed
     */
    public boolean decrypt(long number, ByteBuffer part, byte[] clear) {
        requireOpen();
        return cipher.decrypt(key, parameters(number), part, clear);
    }

    private static GCMParameterSpec parameters(long number) {
        byte[] nonce = ByteBuffer.allocate(KeyLease.NONCE_LENGTH)
                .putLong(KeyLease.NONCE_LENGTH - Long.BYTES, number)
                .array();
        return new GCMParameterSpec(ADDED * Byte.SIZE, nonce);
    }

    private void requireOpen() {
        if (key.isWiped()) {
            throw new IllegalStateException("scratch cipher: closed");
        }
    }

    /** Wipes the key. Harmless when repeated. */
    @Override
    public void close() {
        if (!key.isWiped()) {
            key.close();
            cipher.close();
        }
    }
}
