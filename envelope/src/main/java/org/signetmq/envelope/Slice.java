/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.Arrays;

/** A part of an array, not copied. The array is not to be changed while slices of it are in use. */
record Slice(byte[] array, int offset, int length) {
    static Slice of(byte[] array) {
        return new Slice(array, 0, array.length);
    }

    byte[] copy() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    boolean contentEquals(byte[] other) {
        return Arrays.equals(array, offset, offset + length, other, 0, other.length);
    }

    boolean contentEquals(Slice other) {
        return Arrays.equals(array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    }
}
