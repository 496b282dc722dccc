/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crypto;

import java.util.Arrays;
import java.util.function.Supplier;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.SHA1Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.jspecify.annotations.Nullable;

/**
 * Removes the padding of RSAES-OAEP with one digest, also for MGF1, and an empty label (RFC 8017 section 7.1.2).
 *
 * <p>The time depends only on the length of the block until the padding has proved right. All wrong paddings give one
 * result. Otherwise a sender could learn the message step by step (Manger, CRYPTO 2001).
 */
public final class OaepPadding {
    public static final OaepPadding SHA_256 = new OaepPadding(SHA256Digest::newInstance);
    public static final OaepPadding SHA_1 = new OaepPadding(SHA1Digest::new);

    private final Supplier<Digest> digests;
    private final byte[] labelHash;

    private OaepPadding(Supplier<Digest> digests) {
        this.digests = digests;
        Digest digest = digests.get();
        this.labelHash = new byte[digest.getDigestSize()];
        digest.doFinal(labelHash, 0);
    }

    /**
     * Returns the padded message; the caller wipes it. Null if the padding is wrong.
     *
     * @param block the result of the raw decryption, as long as the modulus; this method does not change it
     */
    public byte @Nullable [] remove(byte[] block) {
        int hashLength = labelHash.length;
        if (block.length < 2 * hashLength + 2) {
            return null; // a property of the key, which is public
        }
        byte[] seed = Arrays.copyOfRange(block, 1, 1 + hashLength);
        byte[] data = Arrays.copyOfRange(block, 1 + hashLength, block.length);
        applyMask(seed, data);
        applyMask(data, seed);
        int wrong = block[0];
        for (int i = 0; i < hashLength; i++) {
            wrong |= data[i] ^ labelHash[i];
        }
        int searching = -1; // all bits are set until the separator
        int separator = 0;
        for (int i = hashLength; i < data.length; i++) {
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
    private void applyMask(byte[] target, byte[] seed) {
        Digest digest = digests.get();
        int hashLength = labelHash.length;
        byte[] mask = new byte[hashLength];
        for (int offset = 0; offset < target.length; offset += hashLength) {
            int counter = offset / hashLength;
            digest.update(seed, 0, seed.length);
            digest.update((byte) (counter >>> 24));
            digest.update((byte) (counter >>> 16));
            digest.update((byte) (counter >>> 8));
            digest.update((byte) counter);
            digest.doFinal(mask, 0);
            for (int i = 0; i < hashLength && offset + i < target.length; i++) {
                target[offset + i] ^= mask[i];
            }
        }
        Arrays.fill(mask, (byte) 0);
    }
}
