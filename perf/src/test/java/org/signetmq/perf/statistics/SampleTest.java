/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class SampleTest {
    private static final int SERIES = 1_000;
    private static final long SEED = 41;

    @Test
    void median_isTheMiddleOne_orTheMeanOfTheMiddleTwo() {
        assertThat(Sample.of(9, 1, 4).median()).isEqualTo(4);
        assertThat(Sample.of(9, 1, 2, 4).median()).isEqualTo(3);
        assertThat(Sample.of(7).median()).isEqualTo(7);
    }

    @Test
    void ends_areTheSmallestAndTheLargestValue() {
        Sample sample = Sample.of(9, 1, 2, 4);

        assertThat(sample.size()).isEqualTo(4);
        assertThat(sample.minimum()).isEqualTo(1);
        assertThat(sample.maximum()).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 30})
    void equalValues_haveAnIntervalOfOneValue(int size) {
        double[] values = new double[size];
        Arrays.fill(values, 0.5);

        assertThat(Sample.of(values).interval()).isEqualTo(new Interval(0.5, 0.5));
    }

    @Test
    void fewValues_haveAnIntervalFromTheSmallestToTheLargest() {
        assertThat(Sample.of(3, 1).interval()).isEqualTo(new Interval(1, 3));
        assertThat(Sample.of(3, 1, 2).interval()).isEqualTo(new Interval(1, 3));
        // the median of a resample of 4 or 5 is an end more often than 2.5 % of the time
        assertThat(Sample.of(4, 3, 1, 2).interval()).isEqualTo(new Interval(1, 4));
        assertThat(Sample.of(4, 3, 1, 2, 5).interval()).isEqualTo(new Interval(1, 5));
    }

    @Test
    void manyValues_haveAnIntervalAroundTheirMedian_withoutTheirEnds() {
        double[] values = new double[101];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }

        Interval interval = Sample.of(values).interval();

        // by the binomial distribution the interval of 95 % reaches from the 40th to the 61st value
        assertThat(interval.low()).isBetween(37.0, 43.0);
        assertThat(interval.high()).isBetween(57.0, 63.0);
    }

    @Test
    void interval_dependsOnTheValuesAlone_notOnTheirOrder() {
        Sample sample = Sample.of(5, 1, 4, 2, 8, 6, 7, 3);

        assertThat(sample.interval()).isEqualTo(sample.interval());
        assertThat(Sample.of(1, 2, 3, 4, 5, 6, 7, 8).interval()).isEqualTo(sample.interval());
    }

    @Test
    void interval_movesAndScalesWithTheValues() {
        Interval interval = Sample.of(1, 2, 4, 8, 16, 32).interval();
        Interval moved = Sample.of(11, 12, 14, 18, 26, 42).interval();
        Interval scaled = Sample.of(2, 4, 8, 16, 32, 64).interval();

        assertThat(moved).isEqualTo(new Interval(interval.low() + 10, interval.high() + 10));
        assertThat(scaled).isEqualTo(new Interval(interval.low() * 2, interval.high() * 2));
    }

    /** The true median of the synthetic values is 1; their logarithms are normal, as those of times often are. */
    @ParameterizedTest
    @CsvSource({"4, 0.85, 0.90", "5, 0.92, 0.96", "6, 0.91, 0.98", "10, 0.91, 0.98", "20, 0.91, 0.98"})
    void intervals_coverTheTrueMedian_asOftenAsTheySay(int size, double least, double most) {
        SplittableRandom random = new SplittableRandom(SEED);
        int covered = 0;
        for (int i = 0; i < SERIES; i++) {
            double[] values = new double[size];
            for (int j = 0; j < size; j++) {
                values[j] = Math.exp(0.2 * normal(random));
            }
            if (Sample.of(values).interval().contains(1)) {
                covered++;
            }
        }

        assertThat((double) covered / SERIES).as("seed " + SEED).isBetween(least, most);
    }

    @Test
    void valuesThatAreNoNumbers_andNoValues_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sample.of(1, Double.NaN))
                .withMessage("sample: must have finite values, found [1.0, NaN]");
        assertThatIllegalArgumentException().isThrownBy(() -> Sample.of(Double.POSITIVE_INFINITY));
        assertThatIllegalArgumentException().isThrownBy(Sample::of);
    }

    @Test
    void intervalThatEndsBeforeItBegins_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Interval(2, 1))
                .withMessage("interval: must not end before it begins, found 2.0 to 1.0");
        assertThatIllegalArgumentException().isThrownBy(() -> new Interval(Double.NaN, 1));
    }

    /** Returns a normal value, by Box and Muller. */
    static double normal(SplittableRandom random) {
        double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
        return radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
