/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.util.Arrays;

/** An array that one envelope after the other is written into. Grows as they need it. For one thread at a time. */
public final class Memory {
    /** Lengths differ by a few bytes from one to the next. */
    private static final int SPARE = 4096;

    private byte[] array = new byte[SPARE];

    public byte[] array() {
        return array;
    }

    /** The array, at least so long; its content is not kept. */
    byte[] atLeast(int length) {
        return atLeast(length, 0);
    }

    /** The array, at least so long, with so many bytes of its content. */
    public byte[] atLeast(int length, int kept) {
        if (array.length < length) {
            byte[] longer = new byte[length + SPARE];
            System.arraycopy(array, 0, longer, 0, kept);
            Arrays.fill(array, (byte) 0);
            array = longer;
        }
        return array;
    }
}
