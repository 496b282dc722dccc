/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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
