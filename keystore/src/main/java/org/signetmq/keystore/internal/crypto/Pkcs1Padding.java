/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crypto;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Removes the padding of RSAES-PKCS1-v1_5 (RFC 8017 section 7.2.2). The time depends only on the length of the block
 * until the padding has proved right. All wrong paddings give one result.
 */
public final class Pkcs1Padding {
    private static final int FIRST_OF_PADDING = 2;
    private static final int LEAST_PADDING = 8;

    private Pkcs1Padding() {}

    /**
     * Returns the padded message; the caller wipes it. Null if the padding is wrong.
     *
     * @param block the result of the raw decryption, as long as the modulus; this method does not change it
     */
    public static byte @Nullable [] remove(byte[] block) {
        if (block.length < FIRST_OF_PADDING + LEAST_PADDING + 1) {
            return null; // a property of the key, which is public
        }
        int wrong = block[0] | (block[1] ^ 2);
        int searching = -1; // all bits are set until the separator
        int separator = 0;
        for (int i = FIRST_OF_PADDING; i < block.length; i++) {
            int isZero = Masks.ifZero(block[i] & 0xff);
            separator |= searching & isZero & i;
            searching &= ~isZero;
        }
        wrong |= searching | Masks.ifLess(separator, FIRST_OF_PADDING + LEAST_PADDING);
        return wrong == 0 ? Arrays.copyOfRange(block, separator + 1, block.length) : null;
    }
}
