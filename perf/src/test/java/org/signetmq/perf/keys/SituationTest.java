/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;
import org.signetmq.perf.keys.Situation.Outcome;
import org.signetmq.perf.result.Result;

final class SituationTest {
    static final Situation SITUATION = new Situation("E1a/b", MeasuredWrapping.raw(), Arrival.CLOSED, new FileMix(80));

    static Outcome outcome(double rate) {
        return new Outcome(rate, 1, 2, 0.5, 1);
    }

    static List<Result> rows(Map<Pool, Outcome> outcomes) {
        return SITUATION.results(outcomes);
    }

    @Test
    void tuningThatGainsAQuarter_andAutoThatGainsItToo() {
        assertThat(printed(Map.of(Pool.OFF, 100.0, Pool.DEFAULT, 140.0, Pool.TUNED, 175.0, Pool.AUTO, 170.0)))
                .contains("1.25   yes      1.75       0.97   yes")
                .contains("in 1 of 1 situations");
    }

    @Test
    void autoBehindTheBest_isSaid() {
        assertThat(printed(Map.of(Pool.OFF, 200.0, Pool.DEFAULT, 140.0, Pool.TUNED, 141.0, Pool.AUTO, 170.0)))
                .contains("1.01    no      1.00       0.85    no")
                .contains("in 0 of 1 situations");
    }

    @Test
    void unsteadyRun_isShownAsSuchAndComparedWithNothing() {
        Map<Pool, Double> rates =
                Map.of(Pool.OFF, 100.0, Pool.DEFAULT, 140.0, Pool.TUNED, Double.NaN, Pool.AUTO, 140.0);

        assertThat(printed(rates)).contains("unsteady").doesNotContain("NaN");
        assertThat(rows(outcomes(rates)))
                .filteredOn(row -> row.is("pool", "auto"))
                .extracting(row -> row.number("share_of_best"))
                .containsExactly(1.0);
    }

    @Test
    void median_isThatOfTheSteadyRuns_andHasTheirSpread() {
        Outcome median = Outcome.median(List.of(outcome(30), outcome(Double.NaN), outcome(20), outcome(40)));

        assertThat(median.filesPerSecond()).isEqualTo(30);
        assertThat(median.spread()).isEqualTo(2);
        assertThat(Outcome.median(List.of(outcome(Double.NaN))).isSteady()).isFalse();
    }

    private static Map<Pool, Outcome> outcomes(Map<Pool, Double> rates) {
        Map<Pool, Outcome> outcomes = new LinkedHashMap<>();
        rates.forEach((pool, rate) -> outcomes.put(pool, outcome(rate)));
        return outcomes;
    }

    private static String printed(Map<Pool, Double> rates) {
        return Golden.printed(out -> new KeysReport(rows(outcomes(rates))).print(out));
    }
}
