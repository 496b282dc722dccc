/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;

final class KeysTablesTest {
    private static final FileMix MIX = new FileMix(80);
    private static final KeyKind KEYS = KeyKind.raw();

    @Test
    void tuningThatGainsAQuarter_andAutoThatGainsItToo() {
        PoolExperiment.Block block = block(Map.of(
                PoolChoice.OFF, 100.0, PoolChoice.DEFAULT, 140.0, PoolChoice.TUNED, 175.0, PoolChoice.AUTO, 170.0));

        assertThat(situation(block).tuned()).isEqualTo(1.25);
        assertThat(situation(block).autoShare()).isBetween(0.97, 0.98);
        assertThat(printed(block))
                .contains("1.25   yes      1.75       0.97   yes")
                .contains("in 1 of 1 situations");
    }

    @Test
    void autoBehindTheBest_isSaid() {
        PoolExperiment.Block block = block(Map.of(
                PoolChoice.OFF, 200.0, PoolChoice.DEFAULT, 140.0, PoolChoice.TUNED, 141.0, PoolChoice.AUTO, 170.0));

        assertThat(block.bestManual()).isEqualTo(200);
        assertThat(printed(block))
                .contains("1.01    no      1.00       0.85    no")
                .contains("in 0 of 1 situations");
    }

    @Test
    void unsteadyRun_isShownAsSuchAndComparedWithNothing() {
        PoolExperiment.Block block = block(Map.of(
                PoolChoice.OFF,
                100.0,
                PoolChoice.DEFAULT,
                140.0,
                PoolChoice.TUNED,
                Double.NaN,
                PoolChoice.AUTO,
                140.0));

        assertThat(block.bestManual()).isEqualTo(140);
        assertThat(situation(block).autoShare()).isEqualTo(1);
        assertThat(printed(block)).contains("unsteady").doesNotContain("NaN");
    }

    private static PoolExperiment.Block block(Map<PoolChoice, Double> rates) {
        List<UploadRun.Outcome> outcomes = new ArrayList<>();
        rates.forEach((pool, rate) -> outcomes.add(
                new UploadRun.Outcome(new UploadRun.Case(KEYS, pool, Arrival.CLOSED, MIX), rate, 1, 2, 0.5, 1)));
        return new PoolExperiment.Block("E1a/b", KEYS, Arrival.CLOSED, MIX, outcomes);
    }

    private static String printed(PoolExperiment.Block block) {
        return Golden.printed(out -> new KeysTables(out).pools(KeysResults.pools(List.of(block))));
    }

    private static Situation situation(PoolExperiment.Block block) {
        return new Situation(KeysResults.pools(List.of(block)));
    }
}
