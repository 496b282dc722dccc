/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;

final class KeysReportTest {

    private final List<Result> rows = new ArrayList<>();

    @Test
    void auto_isHeldAgainstTheBestManualSetting() {
        rows.addAll(SituationTest.rows(Map.of(Pool.OFF, outcome(100, 1), Pool.AUTO, outcome(96, 1))));

        assertThat(auto())
                .extracting(Target::name, Target::measured, Target::verdict)
                .containsExactly("auto / best manual: E1a/b raw, closed loop, 80/20", 0.96, Verdict.MET);
    }

    @Test
    void autoBehindTheBest_isMissed() {
        rows.addAll(SituationTest.rows(Map.of(Pool.TUNED, outcome(100, 1), Pool.AUTO, outcome(94, 1))));

        assertThat(auto().verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void bestSettingThatScatters_provesNothing() {
        rows.addAll(SituationTest.rows(Map.of(
                Pool.DEFAULT, outcome(100, 1.7),
                Pool.OFF, outcome(50, 1),
                Pool.AUTO, outcome(99, 1))));

        assertThat(auto().verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void otherSettingThatScatters_doesNotMatter() {
        rows.addAll(SituationTest.rows(Map.of(
                Pool.DEFAULT, outcome(100, 1),
                Pool.OFF, outcome(50, 9),
                Pool.AUTO, outcome(99, 1))));

        assertThat(auto().verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void unsteadyAuto_isNotMeasured() {
        rows.addAll(SituationTest.rows(Map.of(Pool.OFF, outcome(100, 1), Pool.AUTO, outcome(Double.NaN, 1))));

        assertThat(auto().verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void unwraps_areThoseOfTheWorstNumberOfProducers() {
        rows.add(UnwrapCount.row(241, 1, 1.0));
        rows.add(UnwrapCount.row(1, 1024, 1 / 32.0));
        rows.add(UnwrapCount.row(241, 1024, 1.05 / 32));
        assertThat(targets().get(0).measured()).isEqualTo(1.05 / 32);
        assertThat(targets().get(0).verdict()).isEqualTo(Verdict.MET);
        assertThat(new KeysReport(rows).isUnwrapMissed())
                .as("a small cache shows the use of a larger one")
                .isFalse();

        rows.add(UnwrapCount.row(128, 1024, 0.04));
        assertThat(targets().get(0).verdict()).isEqualTo(Verdict.MISSED);
        assertThat(new KeysReport(rows).isUnwrapMissed()).isTrue();
    }

    @Test
    void nothingMeasured_isSaid() {
        assertThat(targets()).extracting(Target::verdict).containsExactly(Verdict.NOT_MEASURED);
    }

    @Test
    void heap_hasRowsOfItsOwn_andNoTarget() {
        rows.add(HeapPerKey.row("raw", 200.0));

        assertThat(rows).hasSize(1);
        assertThat(targets()).hasSize(1);
    }

    @Test
    void situations_areHeldApart() {
        rows.addAll(SituationTest.rows(Map.of(Pool.OFF, outcome(100, 1), Pool.AUTO, outcome(96, 1))));
        for (Result row : List.copyOf(rows)) {
            rows.add(row.with("arrival", "bursts").with("share_of_best", row.is("pool", "auto") ? 0.5 : 1.0));
        }

        assertThat(targets())
                .extracting(Target::name, Target::verdict)
                .contains(
                        tuple("auto / best manual: E1a/b raw, closed loop, 80/20", Verdict.MET),
                        tuple("auto / best manual: E1a/b raw, bursts, 80/20", Verdict.MISSED));
    }

    @Test
    void smallerCaches_countForTheExitCodeIfTheyHoldAllProducers() {
        rows.add(UnwrapCount.row(32, 64, 1.0));

        assertThat(targets().get(0).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        assertThat(new KeysReport(rows).isUnwrapMissed()).isTrue();
    }

    @Test
    void tables_showHeapAndUnwraps() {
        rows.add(HeapPerKey.row("raw", 212.4));
        rows.add(UnwrapCount.row(8, 1, 1.0));
        rows.add(UnwrapCount.row(8, 64, 1 / 32.0));
        rows.add(UnwrapCount.row(8, 1024, 0.5));

        String printed = Golden.printed(new KeysReport(rows)::print);

        assertThat(printed)
                .contains("in 0 of 0 situations; tuned: (32,1000), default: (4,100)")
                .containsPattern("(?m)^raw +212$")
                .containsPattern("(?m)^8 +1 +1\\.00000 +$")
                .containsPattern("(?m)^8 +64 +0\\.03125 +yes$")
                .containsPattern("(?m)^8 +1024 +0\\.50000 +no$");
    }

    private Target auto() {
        return targets().get(1);
    }

    private List<Target> targets() {
        return new KeysReport(rows).targets();
    }

    private static Result outcome(double rate, double spread) {
        return SituationTest.outcome(rate).with("spread", spread);
    }
}
