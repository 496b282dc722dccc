/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The tier of tests that runs: the short one of each push, or the long one of {@code mvn verify -Plong}. A test with
 * the tag {@link #LONG} runs in the long tier alone.
 */
public final class Tier {
    /** The tag of tests that need many rounds, large bodies, a quiet machine or minutes. */
    public static final String LONG = "long";

    private static final boolean IS_LONG = LONG.equals(System.getProperty("signet.tier"));

    private Tier() {}

    /** Returns whether the long tier runs. */
    public static boolean isLong() {
        return IS_LONG;
    }

    /** Returns the rounds of a random test: all in the long tier, else a tenth of them, and at least one. */
    public static int rounds(int all) {
        return IS_LONG ? all : Math.max(1, all / 10);
    }

    /**
     * Reports a time that depends on the machine, beside its goal, in the output of the long tier. No test fails of it.
     *
     * @param name what took the time
     */
    public static void report(String name, Duration time, Duration goal) {
        if (IS_LONG) {
            System.out.printf(
                    "TIME %s: %d ms, goal %d ms%s%n",
                    name, time.toMillis(), goal.toMillis(), time.compareTo(goal) > 0 ? ", MISSED" : "");
        }
    }

    /** Returns the cases of a test: all in the long tier, else the first of them. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public static <T> Stream<T> cases(int inShortTier, T... all) {
        return Arrays.stream(all).limit(IS_LONG ? all.length : inShortTier);
    }
}
