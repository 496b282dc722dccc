/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.signetmq.perf.rr.Figured.LIMITED;
import static org.signetmq.perf.rr.Figured.LOAD;
import static org.signetmq.perf.rr.Figured.rates;
import static org.signetmq.perf.rr.Figured.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Golden;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.testkit.Tier;

final class RrReportTest {
    private static final String NOT_APART = "not apart from none";
    private static final Plan PLAN = Figured.plan(Setting.NONE, LIMITED);

    @Test
    void busyLoad_isHeldAgainstItsBars() {
        List<Target> targets = targets(Figured.results(LOAD));

        assertThat(targets)
                .extracting(Target::name, Target::verdict)
                .containsExactly(
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: share_of_none", Verdict.MET),
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: share_of_unlimited", Verdict.MISSED),
                        tuple("confidentiality.32.p256, 32 clients, 1 queue: added_cpu_ms", Verdict.MISSED),
                        tuple("integrity.p256, 32 clients, 1 queue: share_of_limit", Verdict.MISSED),
                        tuple("privacy.p256, 32 clients, 1 queue: share_of_limit", Verdict.NOT_MEASURED),
                        tuple("plain, 32 clients, 1 queue: share_of_none", Verdict.NOT_MEASURED));
        assertThat(targets.get(0).measured()).isEqualTo(0.95);
    }

    @Test
    void blocksThatDifferByMuch_proveNothing() {
        List<Result> noisy = rows(PLAN, rates(1000, 600, 1000), rates(1000, 1000, 1000), rates(1000, 1000, 1000));

        assertThat(targets(noisy).get(0).measured()).isEqualTo(1);
        assertThat(targets(noisy).get(0).verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void fewClients_sayNothingOfTheTargets() {
        assertThat(targets(Figured.results(Load.of(31, 1, 2048))))
                .hasSize(6)
                .allMatch(target -> target.verdict() == Verdict.NOT_MEASURED)
                .allMatch(target -> target.name().contains("at least 32 clients"));
    }

    @Test
    void oneClient_isHeldAgainstTheBarsOfLatency() {
        List<Target> targets = targets(Figured.results(Load.of(1, 1, 2048)));

        assertThat(targets.subList(0, 2))
                .extracting(Target::name, Target::verdict)
                .containsExactly(
                        tuple("confidentiality.32.p256, 1 client, 1 queue: p50_us / none's", Verdict.MISSED),
                        tuple("privacy.p256, 1 client, 1 queue: p50_us / none's", Verdict.NOT_MEASURED));
        assertThat(targets.get(0).measured()).isCloseTo(1 / 0.95, within(0.01));
    }

    @Test
    void eachBusyLoad_hasItsTargets() {
        List<Result> rows = new ArrayList<>();
        Stream.of(LOAD, Load.of(81, 21, 2048), Load.of(31, 1, 2048))
                .map(Figured::results)
                .forEach(rows::addAll);

        List<Target> targets = targets(rows);

        assertThat(targets).hasSize(12);
        assertThat(targets.get(6).name()).isEqualTo("confidentiality.32.p256, 81 clients, 21 queues: share_of_none");
    }

    @Test
    void rowAroundOne_isNotApartFromNone() {
        assertThat(line(
                        rates(1000, 990, 1000),
                        rates(1000, 1010, 1000),
                        rates(1000, 995, 1000),
                        rates(1000, 1005, 1000)))
                .endsWith(NOT_APART);
    }

    @Test
    void rowBelowOneInEnoughRounds_isApartFromNone() {
        assertThat(line(rates(1000, 950, 1000), rates(1000, 960, 1000), rates(1000, 955, 1000), rates(1000, 940, 1000)))
                .doesNotContain(NOT_APART);
    }

    @Test
    void rowBelowOneInFewRounds_mayBeSoByChance() {
        assertThat(line(rates(1000, 950, 1000), rates(1000, 960, 1000), rates(1000, 955, 1000)))
                .endsWith(NOT_APART);
    }

    @Test
    void rowWithoutAShare_saysNothing() {
        assertThat(line(rates(1000, 950))).doesNotContain(NOT_APART);
        assertThat(lineOf("none", rows(PLAN, rates(1000, 950, 1000)))).doesNotContain(NOT_APART);
    }

    @Tag(Tier.LONG)
    @Test
    void charts_areRatesSharesAndProcessorTimes(@TempDir Path folder) throws IOException {
        new RrReport(Figured.results(LOAD)).draw(new ChartFolder(folder));

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
                .contains("integrity.p256, at least 32 clients: share_of_limit");
    }

    private static List<Target> targets(List<Result> rows) {
        return new RrReport(rows).targets();
    }

    /** Returns the first line of the row with these rates. */
    private static String line(double[]... rounds) {
        return lineOf(LIMITED.label(), rows(PLAN, rounds));
    }

    private static String lineOf(String setting, List<Result> rows) {
        return Golden.printed(out -> new RrReport(rows).print(out))
                .lines()
                .filter(line -> line.startsWith(setting + " "))
                .findFirst()
                .orElseThrow();
    }
}
