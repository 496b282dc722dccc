/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.util.Arrays;

/**
 * Looks for the bytes of a text in others, in long steps (Horspool's algorithm), and over the zeros of a journal in
 * one.
 */
public final class ByteSearch {
    private static final byte[] ZEROS = new byte[4096];

    private final byte[] wanted;
    private final int[] steps = new int[256];

    /** Looks for these bytes, at least two; of the last two at least one is not zero. */
    public ByteSearch(byte[] wanted) {
        this.wanted = wanted.clone();
        Arrays.fill(steps, wanted.length);
        for (int i = 0; i < wanted.length - 1; i++) {
            steps[wanted[i] & 0xFF] = wanted.length - 1 - i;
        }
    }

    /** Returns whether the bytes hold the wanted ones. */
    public boolean isIn(byte[] bytes) {
        int last = wanted.length - 1;
        for (int end = last; end < bytes.length; end += Math.max(steps[bytes[end] & 0xFF], zeros(bytes, end))) {
            if (bytes[end] == wanted[last] && Arrays.equals(bytes, end - last, end, wanted, 0, last)) {
                return true;
            }
        }
        return false;
    }

    /** How many zeros, up to 4,096, begin at the index. The wanted bytes end at none of the later ones. */
    private static int zeros(byte[] bytes, int index) {
        int length = Math.min(ZEROS.length, bytes.length - index);
        int other = Arrays.mismatch(bytes, index, index + length, ZEROS, 0, length);
        return other < 0 ? length : other;
    }
}
