/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A part of an array, not copied. The array must not change while slices of it are in use. */
public record Slice(byte[] array, int offset, int length) {
    public static Slice of(byte[] array) {
        return new Slice(array, 0, array.length);
    }

    public byte[] copy() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    public boolean contentEquals(byte[] other) {
        return Arrays.equals(array, offset, offset + length, other, 0, other.length);
    }

    boolean contentEquals(Slice other) {
        return Arrays.equals(array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    }

    /** Whether this slice directly follows the other in the same array. */
    public boolean follows(Slice other) {
        return array == other.array && offset == other.offset + other.length;
    }

    /** A slice that equals another one by its bytes, for use as a key. */
    public static final class Content {
        private final Slice slice;

        public Content(Slice slice) {
            this.slice = slice;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Content that && slice.contentEquals(that.slice);
        }

        @Override
        public int hashCode() {
            int hash = 0;
            for (int i = slice.offset(); i < slice.offset() + slice.length(); i++) {
                hash = 31 * hash + slice.array()[i];
            }
            return hash;
        }
    }
}
