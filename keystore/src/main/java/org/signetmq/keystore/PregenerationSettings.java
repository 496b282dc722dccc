/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.OptionalInt;

/**
 * How data keys are made ahead of need.
 *
 * @param threads {@code key-pregenerator.threads}, from 1 to {@link #MOST_THREADS}; empty: chosen from what is needed
 *     and how long making one takes
 * @param capacity {@code key-pregenerator.capacity}, keys per policy, from 0 (none are made ahead) to
 *     {@link #MOST_CAPACITY}; empty: chosen from what is needed
 */
public record PregenerationSettings(OptionalInt threads, OptionalInt capacity) {
    public static final int MOST_THREADS = 64;
    public static final int MOST_CAPACITY = 100_000;

    /** Sizes itself. */
    public static final PregenerationSettings AUTO =
            new PregenerationSettings(OptionalInt.empty(), OptionalInt.empty());

    /** Every key is made when it is needed. */
    public static final PregenerationSettings OFF = new PregenerationSettings(OptionalInt.empty(), OptionalInt.of(0));

    public PregenerationSettings {
        check("key-pregenerator.threads", threads, 1, MOST_THREADS);
        check("key-pregenerator.capacity", capacity, 0, MOST_CAPACITY);
    }

    /** So many threads and keys. */
    public static PregenerationSettings of(int threads, int capacity) {
        return new PregenerationSettings(OptionalInt.of(threads), OptionalInt.of(capacity));
    }

    private static void check(String name, OptionalInt value, int least, int most) {
        if (value.isPresent() && (value.getAsInt() < least || value.getAsInt() > most)) {
            throw new IllegalArgumentException(
                    name + ": not between " + least + " and " + most + ": " + value.getAsInt());
        }
    }
}
