/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;

final class RrReportTest {
    @Test
    void busyLoad_isHeldAgainstItsBars() {
        List<Target> targets = targets(Figured.results());

        assertThat(targets)
                .extracting(Target::name, Target::verdict)
                .containsExactly(
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: share_of_none", Verdict.MET),
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: share_of_unlimited", Verdict.MISSED),
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: cpu_of_none", Verdict.MISSED),
                        tuple("integrity.0.p256, 32 clients, 1 queue: share_of_none", Verdict.NOT_MEASURED),
                        tuple("privacy.0.p256, 32 clients, 1 queue: share_of_none", Verdict.NOT_MEASURED));
        assertThat(targets.get(0).measured()).isEqualTo(0.95);
    }

    @Test
    void runsThatDifferByMuch_proveNothing() {
        List<Result> noisy = Row.results(List.of(Figured.row(
                Figured.LIMITED,
                Figured.LOAD,
                Figured.sample(600, 1000, 1000),
                Figured.sample(1000, 1000, 1000),
                Figured.sample(1000, 1000, 1000))));

        assertThat(targets(noisy).get(0).measured()).isEqualTo(1);
        assertThat(targets(noisy).get(0).verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void fewClients_sayNothingOfTheTargets() {
        Row row = Figured.row(Figured.LIMITED, new Load(8, 1, 2048), Figured.sample(990, 1000, 1000));
        List<Result> idle = Row.results(List.of(row));

        assertThat(targets(idle)).hasSize(5).allMatch(target -> target.verdict() == Verdict.NOT_MEASURED);
    }

    @Test
    void eachBusyLoad_hasItsTargets() {
        Load crowd = new Load(81, 21, 2048);
        List<Row> rows = new ArrayList<>(Figured.rows(Figured.LOAD));
        rows.addAll(Figured.rows(crowd));
        rows.addAll(Figured.rows(new Load(31, 1, 2048)));

        List<Target> targets = targets(Row.results(rows));

        assertThat(targets).hasSize(10);
        assertThat(targets.get(5).name()).isEqualTo("confidentiality.32.p256, 81 clients, 21 queues: share_of_none");
    }

    @Test
    void shareOfUnlimited_isAsNoisyAsTheShareOfNone() {
        Row limited = Figured.row(
                Figured.LIMITED, Figured.LOAD, Figured.sample(500, 1000, 1000), Figured.sample(1000, 1000, 1000));
        Row unlimited = Figured.row(
                Figured.UNLIMITED, Figured.LOAD, Figured.sample(500, 1000, 1000), Figured.sample(1000, 1000, 1000));

        Target target = targets(Row.results(List.of(limited, unlimited))).get(1);

        assertThat(target.measured()).isEqualTo(1);
        assertThat(target.verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void charts_areRatesSharesAndProcessorTimes(@TempDir Path folder) throws IOException {
        new RrReport(Figured.results()).draw(new ChartFolder(folder));

        for (String name : List.of("rr-rate", "rr-share", "rr-cpu-broker", "rr-cpu-client")) {
            assertThat(folder.resolve(name + ".svg")).content().contains("<svg");
            assertThat(folder.resolve(name + ".png")).isNotEmptyFile();
        }
    }

    @Test
    void nothingMeasured_drawsNothing_andSaysSoInEachTarget(@TempDir Path folder) throws IOException {
        RrReport nothing = new RrReport(List.of());

        nothing.draw(new ChartFolder(folder));

        assertThat(folder).isEmptyDirectory();
        assertThat(nothing.targets())
                .extracting(Target::name)
                .contains("integrity.0.p256, at least 32 clients: share_of_none");
    }

    private static List<Target> targets(List<Result> results) {
        return new RrReport(results).targets();
    }
}
