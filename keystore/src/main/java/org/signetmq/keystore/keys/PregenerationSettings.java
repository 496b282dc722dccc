/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.util.Map;
import java.util.OptionalInt;

/**
 * The settings for the generation of data keys ahead of need.
 *
 * @param threads {@value #THREADS}, from 1 to {@link #MOST_THREADS}; empty for one thread a core
 * @param capacity {@value #CAPACITY}, keys per policy, from 0 (none in advance) to {@link #MOST_CAPACITY}; empty for
 *     400, and two while no message needs a key for two minutes
 */
public record PregenerationSettings(OptionalInt threads, OptionalInt capacity) {
    /** The property of the number of threads. */
    public static final String THREADS = "key-pregenerator.threads";
    /** The property of the number of keys for each policy. */
    public static final String CAPACITY = "key-pregenerator.capacity";

    public static final int MOST_THREADS = 64;
    public static final int MOST_CAPACITY = 100_000;

    /** Both numbers are the defaults. */
    public static final PregenerationSettings AUTO =
            new PregenerationSettings(OptionalInt.empty(), OptionalInt.empty());

    /** Each key is generated when a message needs it. */
    public static final PregenerationSettings OFF = new PregenerationSettings(OptionalInt.empty(), OptionalInt.of(0));

    private static final String AUTO_WORD = "auto";

    public PregenerationSettings {
        check(THREADS, threads, 1, MOST_THREADS);
        check(CAPACITY, capacity, 0, MOST_CAPACITY);
    }

    /**
     * Reads the two properties. Each is a number or {@code auto}, the default. Other properties are ignored.
     *
     * @throws IllegalArgumentException if a value is neither
     */
    public static PregenerationSettings of(Map<String, String> properties) {
        return new PregenerationSettings(number(THREADS, properties), number(CAPACITY, properties));
    }

    private static OptionalInt number(String name, Map<String, String> properties) {
        String value = properties.getOrDefault(name, AUTO_WORD).strip();
        try {
            return value.equals(AUTO_WORD) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(value));
        } catch (NumberFormatException notANumber) {
            throw wrong(name, value);
        }
    }

    /** Returns settings with fixed numbers of threads and keys. */
    public static PregenerationSettings of(int threads, int capacity) {
        return new PregenerationSettings(OptionalInt.of(threads), OptionalInt.of(capacity));
    }

    private static void check(String name, OptionalInt value, int least, int most) {
        value.ifPresent(number -> {
            if (number < least || number > most) {
                throw wrong(name, String.valueOf(number));
            }
        });
    }

    private static IllegalArgumentException wrong(String name, String value) {
        String bounds = name.equals(THREADS) ? "1 to " + MOST_THREADS : "0 to " + MOST_CAPACITY;
        return new IllegalArgumentException("property '" + name + "': must be " + AUTO_WORD + " or a number from "
                + bounds + ", found '" + value + "'");
    }
}
