/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.nio.ByteBuffer;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts and decrypts the parts of one content in a temporary file. Its random key never leaves this object, so no
 * other object can read the file. The nonce of a part is its number, so no nonce repeats and no part can replace
 * another. For one thread at a time.
 */
public final class ScratchCipher implements AutoCloseable {
    /** The number of bytes that encryption adds to a part. */
    public static final int ADDED = ContentCipher.TAG_LENGTH;

    private final DataKey key;
    private final ContentCipher cipher;
    private long parts;

    /** Creates a cipher with a random key. */
    public ScratchCipher(CryptoProviders providers) {
        this.key = DataKey.generate(providers);
        this.cipher = new ContentCipher(providers);
    }

    /**
     * Encrypts the next part.
     *
     * @return ciphertext and tag; the caller owns the array
     * @throws IllegalStateException if this cipher is closed
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
     * @param number the number of the part, from 0
     * @param part ciphertext and tag
     * @param clear receives the content from index 0; another array than the part
     * @return false if this is not the part of that number; {@code clear} then has no content
     * @throws IllegalStateException if this cipher is closed
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

    /** Wipes the key. A second call has no effect. */
    @Override
    public void close() {
        if (!key.isWiped()) {
            key.close();
            cipher.close();
        }
    }
}
