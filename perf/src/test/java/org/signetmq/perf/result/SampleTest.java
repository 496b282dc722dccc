/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.result.Sample.Interval;

final class SampleTest {
    private static final int SERIES = 500;
    private static final long SEED = 41;

    @Test
    void median_isTheMiddleOne_orTheMeanOfTheMiddleTwo() {
        assertThat(new Sample(9, 1, 4).median()).isEqualTo(4);
        assertThat(new Sample(9, 1, 2, 4).median()).isEqualTo(3);
        assertThat(new Sample(9, 1, 2, 4).spread()).isEqualTo(9);
    }

    @Test
    void fewValues_haveAnIntervalFromTheSmallestToTheLargest() {
        assertThat(new Sample(3, 1).interval()).isEqualTo(new Interval(1, 3));
        // the median of a resample of 4 is an end more often than 2.5 % of the time
        assertThat(new Sample(4, 3, 1, 2).interval()).isEqualTo(new Interval(1, 4));
    }

    @Test
    void manyValues_haveAnIntervalAroundTheirMedian_whateverTheirOrder() {
        double[] values =
                IntStream.range(0, 101).mapToDouble(i -> (i * 37) % 101).toArray();

        Interval interval = new Sample(values).interval();

        // by the binomial distribution the interval of 95 % reaches from the 40th to the 61st value
        assertThat(interval.low()).isBetween(37.0, 43.0);
        assertThat(interval.high()).isBetween(57.0, 63.0);
        assertThat(new Sample(IntStream.range(0, 101).asDoubleStream().toArray()).interval())
                .isEqualTo(interval);
    }

    /** The true median of the synthetic values is 1; their logarithms are normal, as those of times often are. */
    @ParameterizedTest
    @CsvSource({"4, 0.85, 0.91", "6, 0.91, 0.98", "20, 0.91, 0.98"})
    void intervals_coverTheTrueMedian_asOftenAsTheySay(int size, double least, double most) {
        SplittableRandom random = new SplittableRandom(SEED);
        int covered = 0;
        for (int i = 0; i < SERIES; i++) {
            Interval interval = new Sample(IntStream.range(0, size)
                            .mapToDouble(j -> Math.exp(0.2 * normal(random)))
                            .toArray())
                    .interval();
            covered += interval.low() <= 1 && 1 <= interval.high() ? 1 : 0;
        }
        assertThat((double) covered / SERIES).as("seed " + SEED).isBetween(least, most);
    }

    /** Returns a normal value, by Box and Muller. */
    private static double normal(SplittableRandom random) {
        double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
        return radius * Math.cos(2 * Math.PI * random.nextDouble());
    }

    @Test
    void valuesThatAreNoNumbers_andNoValues_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sample(1, Double.NaN))
                .withMessage("sample: must have finite values, found [1.0, NaN]");
        assertThatIllegalArgumentException().isThrownBy(Sample::new);
    }
}
