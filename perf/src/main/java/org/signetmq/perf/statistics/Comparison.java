/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

import java.util.stream.IntStream;

/**
 * A comparison of two rows that were measured in the same rounds.
 *
 * @param ratios the value of the first row over that of the second one, in each round
 */
public record Comparison(Sample ratios) {
    /** The verdict of a comparison. */
    public enum Verdict {
        /** The interval of the ratio leaves out 1: the rows differ. */
        APART,
        /** The run cannot tell the rows apart. */
        NOT_APART
    }

    /**
     * Compares two rows, round by round. The values are positive: rates, times, or ratios to an unprotected row.
     *
     * @throws IllegalArgumentException if the rows have different numbers of rounds, or values that are not positive
     */
    public static Comparison of(double[] first, double[] second) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(
                    "rounds: must be those of both rows, found " + first.length + " and " + second.length);
        }
        return new Comparison(Sample.of(IntStream.range(0, first.length)
                .mapToDouble(round -> positive(first[round]) / positive(second[round]))
                .toArray()));
    }

    private static double positive(double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException("value: must be positive, found " + value);
        }
        return value;
    }

    /** Returns the median of the ratios. */
    public double ratio() {
        return ratios.median();
    }

    /** Returns the interval of the ratio. */
    public Interval interval() {
        return ratios.interval();
    }

    /**
     * Tells whether the rows differ. Fewer than {@link Sample#ENOUGH_ROUNDS} rounds never tell: rows without a
     * difference are all on one side in every fourth run of 3 rounds.
     *
     * <p>For rows without a difference the verdict is wrong in one of 8 runs of 4 rounds, and in one of 16 of 5 rounds.
     */
    public Verdict verdict() {
        return ratios.size() >= Sample.ENOUGH_ROUNDS && !interval().contains(1) ? Verdict.APART : Verdict.NOT_APART;
    }
}
