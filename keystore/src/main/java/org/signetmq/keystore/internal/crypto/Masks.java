/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crypto;

/** Compares small numbers without a branch. */
final class Masks {
    private Masks() {}

    /** Returns -1 for zero, and 0 for any other number from 0 to 2^31-1. */
    static int ifZero(int value) {
        return (value - 1) >> 31;
    }

    /** Returns -1 if the first number is smaller. Both are from 0 to 2^31-1. */
    static int ifLess(int first, int second) {
        return (first - second) >> 31;
    }
}
