/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;

final class SampleTest {
    private static final double CLOSE = 1e-9;

    @Test
    void median_isTheMiddleOne_orTheMeanOfTheMiddleTwo() {
        assertThat(Row.median(1, 4, 9)).isEqualTo(4);
        assertThat(Row.median(1, 2, 4, 9)).isEqualTo(3);
    }

    @Test
    void share_isRelativeToBothNeighbours() {
        Result row = only(Figured.row(Figured.LIMITED, Figured.LOAD, Figured.sample(900, 800, 1000)));

        assertThat(row.number("share_of_none")).isEqualTo(1.0, within(CLOSE));
        assertThat(row.number("cold.share_of_none")).isEqualTo(1.0, within(CLOSE));
    }

    @Test
    void cpu_isThatOfBothProcesses_relativeToBothNeighbours() {
        Row row = new Row(Figured.LIMITED, Figured.LOAD);

        row.add(ofCpu(3, 3), ofCpu(1, 1), ofCpu(1, 0));

        assertThat(only(row).number("cpu_of_none")).isEqualTo(4.0, within(CLOSE));
        assertThat(only(row).number("runs.cpu_of_none.median")).isEqualTo(4.0, within(CLOSE));
    }

    @Test
    void evenNumberOfRuns_hasTheMeanOfTheMiddleTwo_andBothEnds() {
        Result row = only(Figured.row(
                Figured.LIMITED,
                Figured.LOAD,
                Figured.sample(900, 1000, 1000),
                Figured.sample(700, 1000, 1000),
                Figured.sample(800, 1000, 1000),
                Figured.sample(600, 1000, 1000)));

        assertThat(row.number("round_trips_per_s")).isEqualTo(750);
        assertThat(row.number("runs.count")).isEqualTo(4);
        assertThat(row.number("runs.round_trips_per_s.median")).isEqualTo(750);
        assertThat(row.number("runs.share_of_none.min")).isEqualTo(0.6, within(CLOSE));
        assertThat(row.number("runs.share_of_none.max")).isEqualTo(0.9, within(CLOSE));
    }

    @Test
    void shareOfUnlimited_isTheMedianOfThoseOfEachRun() {
        Row limited = Figured.row(
                Figured.LIMITED,
                Figured.LOAD,
                Figured.sample(900, 1000, 1000),
                Figured.sample(400, 500, 500),
                Figured.sample(700, 1000, 1000));
        Row unlimited = Figured.row(
                Figured.UNLIMITED,
                Figured.LOAD,
                Figured.sample(1000, 1000, 1000),
                Figured.sample(1000, 1000, 1000),
                Figured.sample(1000, 1000, 1000));

        Result row = Row.results(List.of(limited, unlimited)).get(0);

        assertThat(row.number("share_of_unlimited")).isEqualTo(0.8, within(CLOSE));
    }

    @Test
    void shareOfUnlimited_countsTheRunsThatBothHave() {
        Row limited = Figured.row(
                Figured.LIMITED, Figured.LOAD, Figured.sample(500, 1000, 1000), Figured.sample(900, 1000, 1000));
        Row unlimited = Figured.row(Figured.UNLIMITED, Figured.LOAD, Figured.sample(1000, 1000, 1000));

        assertThat(Row.results(List.of(limited, unlimited)).get(0).number("share_of_unlimited"))
                .isEqualTo(0.5, within(CLOSE));
    }

    @Test
    void unlimitedRowOfAnotherLoad_isNotComparedWith() {
        Row limited = Figured.row(Figured.LIMITED, Figured.LOAD, Figured.sample(500, 1000, 1000));
        Row unlimited = Figured.row(Figured.UNLIMITED, new Load(81, 1, 2048), Figured.sample(1000, 1000, 1000));

        assertThat(Row.results(List.of(limited, unlimited)).get(0).has("share_of_unlimited"))
                .isFalse();
    }

    private static Block.Measured ofCpu(double broker, double client) {
        Result figures =
                Result.EMPTY.with(Row.RATE, 1.0).with(Row.BROKER_CPU, broker).with(Row.CLIENT_CPU, client);
        return new Block.Measured(2, figures, figures);
    }

    private static Result only(Row row) {
        return Row.results(List.of(row)).get(0);
    }

    @Test
    void shareOfUnlimited_isThatOfTheSameRunAndLoad() {
        List<Result> results = Figured.results();

        assertThat(results.get(0).has("share_of_unlimited")).isFalse();
        assertThat(results.get(1).number("share_of_unlimited")).isEqualTo(0.95, within(CLOSE));
        assertThat(results.get(2).has("share_of_unlimited")).isFalse();
    }
}
