/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.targets.Target;
import org.signetmq.perf.targets.Verdict;

final class KeysTargetsTest {
    private static final FileMix MIX = new FileMix(80);
    private static final KeyKind KEYS = KeyKind.raw();

    private final List<Result> rows = new ArrayList<>();

    @Test
    void auto_isHeldAgainstTheBestManualSetting() {
        rows.addAll(KeysResults.pools(List.of(block(outcome(PoolChoice.OFF, 100), outcome(PoolChoice.AUTO, 96)))));

        assertThat(auto())
                .extracting(Target::name, Target::measured, Target::verdict)
                .containsExactly("auto / best manual: E1a/b raw, closed loop, 80/20", 0.96, Verdict.MET);
    }

    @Test
    void autoBehindTheBest_isMissed() {
        rows.addAll(KeysResults.pools(List.of(block(outcome(PoolChoice.TUNED, 100), outcome(PoolChoice.AUTO, 94)))));

        assertThat(auto().verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void bestSettingThatScatters_provesNothing() {
        rows.addAll(KeysResults.pools(List.of(block(
                outcome(PoolChoice.DEFAULT, 100).withSpread(1.7),
                outcome(PoolChoice.OFF, 50).withSpread(1),
                outcome(PoolChoice.AUTO, 99)))));

        assertThat(auto().verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void otherSettingThatScatters_doesNotMatter() {
        rows.addAll(KeysResults.pools(List.of(block(
                outcome(PoolChoice.DEFAULT, 100),
                outcome(PoolChoice.OFF, 50).withSpread(9),
                outcome(PoolChoice.AUTO, 99)))));

        assertThat(auto().verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void unsteadyAuto_isNotMeasured() {
        rows.addAll(
                KeysResults.pools(List.of(block(outcome(PoolChoice.OFF, 100), outcome(PoolChoice.AUTO, Double.NaN)))));

        assertThat(auto().verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void unwraps_areThoseOfTheWorstNumberOfProducers() {
        rows.addAll(KeysResults.unwraps(List.of(
                new UnwrapCount.Outcome(241, 1, 1.0),
                new UnwrapCount.Outcome(1, 1024, 1 / 32.0),
                new UnwrapCount.Outcome(241, 1024, 1.05 / 32))));

        assertThat(targets().get(0).measured()).isEqualTo(1.05 / 32);
        assertThat(targets().get(0).verdict()).isEqualTo(Verdict.MET);

        rows.addAll(KeysResults.unwraps(List.of(new UnwrapCount.Outcome(128, 1024, 0.04))));

        assertThat(targets().get(0).verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void nothingMeasured_isSaid() {
        assertThat(targets()).extracting(Target::verdict).containsExactly(Verdict.NOT_MEASURED);
    }

    @Test
    void heap_hasRowsOfItsOwn_andNoTarget() {
        Map<String, Double> heap = new LinkedHashMap<>();
        heap.put("raw", 200.0);
        rows.addAll(KeysResults.heap(heap));

        assertThat(rows).hasSize(1);
        assertThat(targets()).hasSize(1);
    }

    private Target auto() {
        return targets().get(1);
    }

    private List<Target> targets() {
        return KeysTargets.of(rows);
    }

    private static UploadRun.Outcome outcome(PoolChoice pool, double rate) {
        return new UploadRun.Outcome(new UploadRun.Case(KEYS, pool, Arrival.CLOSED, MIX), rate, 1, 2, 0.5, 1);
    }

    private static PoolExperiment.Block block(UploadRun.Outcome... outcomes) {
        return new PoolExperiment.Block("E1a/b", KEYS, Arrival.CLOSED, MIX, new ArrayList<>(List.of(outcomes)));
    }
}
