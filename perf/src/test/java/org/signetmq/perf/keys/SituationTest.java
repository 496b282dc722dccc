/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.Result;

final class SituationTest {
    static final Situation SITUATION = new Situation("E1a/b", MeasuredWrapping.raw(), Arrival.CLOSED, new FileMix(80));

    static Result outcome(double rate) {
        return Result.EMPTY
                .with("files_per_s", rate)
                .with("p50_us", 1.0)
                .with("p99_us", 2.0)
                .with("dry_share", 0.5)
                .with("spread", 1.0);
    }

    static List<Result> rows(Map<Pool, Result> outcomes) {
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

    private static Map<Pool, Result> outcomes(Map<Pool, Double> rates) {
        Map<Pool, Result> outcomes = new LinkedHashMap<>();
        rates.forEach((pool, rate) -> outcomes.put(pool, outcome(rate)));
        return outcomes;
    }

    private static String printed(Map<Pool, Double> rates) {
        return Golden.printed(out -> new KeysReport(rows(outcomes(rates))).print(out));
    }
}
