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
import org.signetmq.perf.upload.FileMix;

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

    @Test
    void row_hasTheFieldsOfJsonInTheirOrder() {
        Result row = rows(Map.of(Pool.OFF, outcome(50))).get(0);

        String json = "{'experiment':'E1a/b','keys':'raw','arrival':'closed loop','mix':'80/20','pool':'off',"
                + "'files_per_s':50.0,'share_of_off':1.0,'share_of_best':1.0,'spread':1.0,"
                + "'p50_us':1.0,'p99_us':2.0,'dry_share':0.5}";
        assertThat(row.json().toString()).isEqualTo(json.replace('\'', '"'));
    }

    @Test
    void bestManualSetting_mayBeNoPool_butNeverTheAutomaticOne() {
        List<Result> rows = rows(outcomes(Map.of(Pool.OFF, 100.0, Pool.TUNED, 50.0, Pool.AUTO, 200.0)));

        assertThat(share(rows, "off", "share_of_best")).isEqualTo(1);
        assertThat(share(rows, "(32,1000)", "share_of_best")).isEqualTo(0.5);
        assertThat(share(rows, "auto", "share_of_best")).isEqualTo(2);
        assertThat(share(rows, "auto", "share_of_off")).isEqualTo(2);
    }

    @Test
    void situationWithoutARunWithoutPool_hasNoShareOfIt() {
        List<Result> rows = rows(outcomes(Map.of(Pool.TUNED, 50.0, Pool.AUTO, 40.0)));

        assertThat(rows).noneMatch(row -> row.has("share_of_off"));
        assertThat(share(rows, "auto", "share_of_best")).isEqualTo(0.8);
    }

    @Test
    void nothingSteady_hasNeitherRateNorShares() {
        Result row = rows(outcomes(Map.of(Pool.OFF, Double.NaN))).get(0);

        assertThat(row.has("files_per_s")).isFalse();
        assertThat(row.has("share_of_off")).isFalse();
        assertThat(row.has("share_of_best")).isFalse();
        assertThat(row.number("p99_us")).isEqualTo(2);
    }

    @Test
    void saturatedArrival_hasMoreUploadersThanCores_andTheOthersHalfAsMany() {
        int cores = Runtime.getRuntime().availableProcessors();

        assertThat(Arrival.SATURATED.uploaders()).isEqualTo(2 * cores);
        assertThat(Arrival.CLOSED.uploaders()).isBetween(1, cores);
        assertThat(Arrival.BURSTY.uploaders()).isEqualTo(Arrival.CLOSED.uploaders());
    }

    private static double share(List<Result> rows, String pool, String field) {
        return rows.stream()
                .filter(row -> row.is("pool", pool))
                .findFirst()
                .orElseThrow()
                .number(field);
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
