/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.util.Arrays;

/** Looks for some bytes in others, in long steps (Horspool's algorithm). */
public final class ByteSearch {
    private final byte[] wanted;
    private final int[] steps = new int[256];

    /** Looks for these bytes, at least one. */
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
        for (int end = last; end < bytes.length; end += steps[bytes[end] & 0xFF]) {
            if (bytes[end] == wanted[last] && Arrays.equals(bytes, end - last, end, wanted, 0, last)) {
                return true;
            }
        }
        return false;
    }
}
