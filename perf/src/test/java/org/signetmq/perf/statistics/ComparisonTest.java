/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.signetmq.perf.statistics.Comparison.Verdict.APART;
import static org.signetmq.perf.statistics.Comparison.Verdict.NOT_APART;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class ComparisonTest {
    private static final int RUNS = 1_000;
    private static final long SEED = 42;

    @Test
    void rowsOfTheSameValues_areNotApart() {
        double[] row = {0.9, 0.8, 0.95, 0.85, 0.9};

        Comparison comparison = Comparison.of(row, row);

        assertThat(comparison.ratio()).isEqualTo(1);
        assertThat(comparison.interval()).isEqualTo(new Interval(1, 1));
        assertThat(comparison.verdict()).isEqualTo(NOT_APART);
    }

    /** The rounds differ much more than the rows: only the ratio within each round shows the difference. */
    @Test
    void rowThatIsFasterInEachRound_isApart() {
        double[] second = {100, 200, 50, 400, 150};
        double[] first = Arrays.stream(second).map(value -> value * 1.02).toArray();

        Comparison comparison = Comparison.of(first, second);

        assertThat(comparison.ratio()).isCloseTo(1.02, within(1e-9));
        assertThat(comparison.verdict()).isEqualTo(APART);
        assertThat(Comparison.of(second, first).verdict()).isEqualTo(APART);
    }

    @Test
    void rowThatIsSlowerInOneRoundOfFive_isNotApart() {
        Comparison comparison = Comparison.of(new double[] {1.1, 1.2, 0.9, 1.1, 1.3}, new double[] {1, 1, 1, 1, 1});

        assertThat(comparison.interval()).isEqualTo(new Interval(0.9, 1.3));
        assertThat(comparison.verdict()).isEqualTo(NOT_APART);
    }

    @Test
    void fewerThanFourRounds_tellNothingApart() {
        Comparison comparison = Comparison.of(new double[] {10, 11, 12}, new double[] {1, 1, 1});

        assertThat(comparison.interval()).isEqualTo(new Interval(10, 12));
        assertThat(comparison.verdict()).isEqualTo(NOT_APART);
        assertThat(Comparison.of(new double[] {10, 11, 12, 10}, new double[] {1, 1, 1, 1})
                        .verdict())
                .isEqualTo(APART);
    }

    @ParameterizedTest
    @CsvSource({"4, 0.10, 0.15", "5, 0.04, 0.085", "6, 0.02, 0.09", "10, 0.02, 0.09"})
    void rowsWithoutADifference_areSeldomApart(int rounds, double least, double most) {
        assertThat(shareApart(rounds, 1)).as("seed " + SEED).isBetween(least, most);
    }

    @Test
    void rowsThatDifferByMoreThanTheNoise_areApart() {
        assertThat(shareApart(5, 1.1)).as("seed " + SEED).isGreaterThan(0.98);
        assertThat(shareApart(10, 1.05)).as("seed " + SEED).isGreaterThan(0.98);
    }

    /** Rounds differ by a factor of 1.5 or so, and rows within a round by 2 %. */
    private static double shareApart(int rounds, double factor) {
        SplittableRandom random = new SplittableRandom(SEED);
        int apart = 0;
        for (int run = 0; run < RUNS; run++) {
            double[] first = new double[rounds];
            double[] second = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                double speed = Math.exp(0.4 * SampleTest.normal(random));
                first[round] = speed * factor * Math.exp(0.02 * SampleTest.normal(random));
                second[round] = speed * Math.exp(0.02 * SampleTest.normal(random));
            }
            if (Comparison.of(first, second).verdict() == APART) {
                apart++;
            }
        }
        return (double) apart / RUNS;
    }

    @Test
    void rowsOfOtherRounds_andValuesThatAreNotPositive_areRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Comparison.of(new double[] {1, 2}, new double[] {1}))
                .withMessage("rounds: must be those of both rows, found 2 and 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Comparison.of(new double[] {1}, new double[] {0}))
                .withMessage("value: must be positive, found 0.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Comparison.of(new double[] {Double.NaN}, new double[] {1}));
    }
}
