/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A view of a part of an array. The array must not change while slices of it are in use. */
public record Slice(byte[] array, int offset, int length) {
    public static Slice of(byte[] array) {
        return new Slice(array, 0, array.length);
    }

    /** Returns the remaining bytes of a buffer with an array. */
    public static Slice of(ByteBuffer buffer) {
        return new Slice(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    }

    public byte[] copy() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    public boolean contentEquals(byte[] other) {
        return Arrays.equals(array, offset, offset + length, other, 0, other.length);
    }

    public boolean contentEquals(Slice other) {
        return Arrays.equals(array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    }

    /** Tells whether this slice directly follows the other in the same array. */
    public boolean follows(Slice other) {
        return array == other.array && offset == other.offset + other.length;
    }

    /** Returns a buffer of these bytes, which compares by content. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(array, offset, length);
    }

    /** Copies the bytes to this position of another array. */
    public void copyTo(byte[] other, int position) {
        System.arraycopy(array, offset, other, position, length);
    }
}
