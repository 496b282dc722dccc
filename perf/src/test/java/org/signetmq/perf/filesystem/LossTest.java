/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.Golden;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.perf.setting.Setting;

final class LossTest {
    private static final int SIZE = 2048;
    private static final List<Result> ROWS = rows();

    private static List<Result> rows() {
        List<Result> rows = new ArrayList<>();
        for (Comparison comparison : Comparison.values()) {
            for (int clients : List.of(1, 20, 60)) {
                rows.add(row(comparison, comparison.baseline(), clients, 1));
            }
        }
        Setting gocryptfs = Comparison.fileSystems().get(0);
        rows.add(row(Comparison.DIRECTORY, gocryptfs, 1, 0.8).with("added_cpu_ms", 0.1));
        rows.add(row(Comparison.DIRECTORY, gocryptfs, 20, 0.5).with("added_cpu_ms", 0.1));
        rows.add(row(Comparison.DIRECTORY, gocryptfs, 60, 0.7).with("added_cpu_ms", 0.2));
        rows.add(row(Comparison.DIRECTORY, Comparison.signet(), 1, 0.98).with("added_cpu_ms", 0.01));
        rows.add(row(Comparison.DIRECTORY, Comparison.signet(), 20, 0.96).with("added_cpu_ms", 0.01));
        rows.add(row(Comparison.IMAGE, Comparison.fileSystems().get(1), 20, 1.2).with("added_cpu_ms", -0.1));
        return rows;
    }

    private static Result row(Comparison comparison, Setting setting, int clients, double share) {
        return setting.json()
                .with("part", comparison.part(Scenario.ONE))
                .with("clients", clients)
                .with("queues", 10)
                .with("size", SIZE)
                .with("round_trips_per_s", share * 1000 * clients)
                .with("share_of_none", share)
                .with("runs.share_of_none.min", share)
                .with("runs.share_of_none.max", share)
                .with("p50_us", 100 / share)
                .with("p99_us", 200 / share)
                .with("cpu_ms_per_round_trip.broker", 0.3)
                .with("cpu_ms_per_round_trip.client", 0.1);
    }

    @Test
    void loss_hasLatencyWorstPointPeakAndProcessorTime_besideThePublishedOnes() {
        Result loss = Loss.all(ROWS).get(0).json();

        assertThat(loss.text(Loss.SCENARIO)).isEqualTo("one");
        assertThat(loss.text(Loss.SETTING)).isEqualTo("none@gocryptfs");
        assertThat(loss.number(Loss.LATENCY)).isCloseTo(25, within(1e-9));
        assertThat(loss.number(Loss.WORST)).isCloseTo(-50, within(1e-9));
        assertThat(loss.number(Loss.WORST_CLIENTS)).isEqualTo(20);
        assertThat(loss.number(Loss.PEAK)).isCloseTo(-30, within(1e-9));
        assertThat(loss.number(Loss.CPU)).isCloseTo(1.5, within(1e-9));
        assertThat(loss.number(Loss.PUBLISHED_LATENCY + ".A")).isEqualTo(23);
        assertThat(loss.number(Loss.PUBLISHED_WORST + ".B")).isEqualTo(-31);
    }

    @Test
    void loadThatWasNotMeasured_isLeftOut() {
        Result loss = Loss.all(ROWS).get(2).json();

        assertThat(loss.text(Loss.SETTING)).isEqualTo("none@fscrypt");
        assertThat(loss.has(Loss.LATENCY)).isFalse();
        assertThat(loss.has(Loss.WORST)).isTrue();
    }

    @Test
    void sizeThatIsNotPublished_hasNoPublishedLoss() {
        List<Result> rows = ROWS.stream().map(row -> row.with("size", 1000)).toList();

        assertThat(Loss.all(rows).get(0).json().has(Loss.PUBLISHED_WORST)).isFalse();
    }

    @Test
    void encryptionThatIsCheaperThanNone_missesItsShape() {
        List<Target> targets = new LossReport(ROWS).targets();

        assertThat(targets)
                .filteredOn(target -> target.name().equals("one, 2048 bytes: fscrypt shape: processor time, of none"))
                .extracting(Target::verdict)
                .containsExactly(Verdict.MISSED);
        assertThat(targets)
                .filteredOn(target -> target.name().equals("one, 2048 bytes: gocryptfs shape: processor time, of none"))
                .extracting(Target::verdict)
                .containsExactly(Verdict.MET);
    }

    /** The baseline runs most often, so its code is compiled first. */
    @Test
    void settingThatIsNotWarm_provesNothing() {
        List<Result> rows = ROWS.stream()
                .map(row -> row.with("jit_ms_per_s.broker", 90).with("jit_ms_per_s.client", 20))
                .toList();

        assertThat(new LossReport(rows).targets())
                .isNotEmpty()
                .allSatisfy(target -> assertThat(target.verdict()).isEqualTo(Verdict.NOISY));
    }

    @Test
    void report_staysTheSame() throws Exception {
        LossReport report = new LossReport(ROWS);

        Golden.check("filesystem.txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
    }
}
