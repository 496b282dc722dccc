/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.util.Arrays;
import org.signetmq.envelope.internal.der.DerWriter.EncodingMemory;

/** A growing array that takes one message after the other. For one thread at a time. */
public final class OutputBuffer implements EncodingMemory {
    /** Spare bytes, because the lengths of successive messages differ a little. */
    private static final int SPARE = 4096;

    private byte[] array = new byte[SPARE];

    public byte[] array() {
        return array;
    }

    @Override
    public Slice take(int length) {
        return new Slice(atLeast(length, 0), 0, length);
    }

    /** Overwrites all bytes. */
    public void wipe() {
        Arrays.fill(array, (byte) 0);
    }

    /** Returns the array with at least this length. It keeps this number of its first bytes. */
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
