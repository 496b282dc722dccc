/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crypto;

import java.util.Arrays;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.jspecify.annotations.Nullable;

/**
 * Removes the padding of RSAES-OAEP with SHA-256, MGF1 with SHA-256 and an empty label (RFC 8017 section 7.1.2).
 *
 * <p>The time depends only on the length of the block until the padding has proved right. All wrong paddings give one
 * result. Otherwise a sender could learn the message step by step (Manger, CRYPTO 2001).
 */
public final class OaepPadding {
    private static final int HASH_LENGTH = 32;
    private static final byte[] LABEL_HASH = hash(new byte[0]);

    private OaepPadding() {}

    /**
     * Returns the padded message; the caller wipes it. Null if the padding is wrong.
     *
     * @param block the result of the raw decryption, as long as the modulus; this method does not change it
     */
    public static byte @Nullable [] remove(byte[] block) {
        if (block.length < 2 * HASH_LENGTH + 2) {
            return null; // a property of the key, which is public
        }
        byte[] seed = Arrays.copyOfRange(block, 1, 1 + HASH_LENGTH);
        byte[] data = Arrays.copyOfRange(block, 1 + HASH_LENGTH, block.length);
        applyMask(seed, data);
        applyMask(data, seed);
        int wrong = block[0];
        for (int i = 0; i < HASH_LENGTH; i++) {
            wrong |= data[i] ^ LABEL_HASH[i];
        }
        int searching = -1; // all bits are set until the separator
        int separator = 0;
        for (int i = HASH_LENGTH; i < data.length; i++) {
            int isZero = Masks.ifZero(data[i] & 0xff);
            int isOne = Masks.ifZero((data[i] & 0xff) ^ 1);
            separator |= searching & isOne & i;
            wrong |= searching & ~isZero & ~isOne;
            searching &= ~isOne;
        }
        wrong |= searching;
        byte[] message = wrong == 0 ? Arrays.copyOfRange(data, separator + 1, data.length) : null;
        Arrays.fill(seed, (byte) 0);
        Arrays.fill(data, (byte) 0);
        return message;
    }

    /** Combines the target with MGF1 of the seed (RFC 8017 section B.2.1). */
    private static void applyMask(byte[] target, byte[] seed) {
        Digest digest = SHA256Digest.newInstance();
        byte[] mask = new byte[HASH_LENGTH];
        for (int offset = 0; offset < target.length; offset += HASH_LENGTH) {
            int counter = offset / HASH_LENGTH;
            digest.update(seed, 0, seed.length);
            digest.update((byte) (counter >>> 24));
            digest.update((byte) (counter >>> 16));
            digest.update((byte) (counter >>> 8));
            digest.update((byte) counter);
            digest.doFinal(mask, 0);
            for (int i = 0; i < HASH_LENGTH && offset + i < target.length; i++) {
                target[offset + i] ^= mask[i];
            }
        }
        Arrays.fill(mask, (byte) 0);
    }

    private static byte[] hash(byte[] bytes) {
        Digest digest = SHA256Digest.newInstance();
        digest.update(bytes, 0, bytes.length);
        byte[] hash = new byte[HASH_LENGTH];
        digest.doFinal(hash, 0);
        return hash;
    }
}
