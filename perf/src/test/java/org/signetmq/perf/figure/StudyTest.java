/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.TargetLines;
import org.signetmq.perf.figure.Study.Length;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.Plan;
import org.signetmq.perf.rr.Plan.Timing;
import org.signetmq.perf.rr.RunOptions;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.testkit.Tier;

/** The plans, published figures and targets of all studies, with made-up rows. */
final class StudyTest {
    private static final Timing TIMING = new Timing(1, 1, 4, List.of());

    static Stream<Study> studies() {
        return Stream.of(
                ClientsStudy.SINGLE_QUEUE, ClientsStudy.MANY_QUEUES, new ReuseStudy(), new SizeStudy(), new TlsStudy());
    }

    @ParameterizedTest
    @MethodSource("studies")
    void firstLook_endsWithinFiveMinutes(Study study) {
        assertThat(seconds(study, Length.QUICK, RunOptions.quick(StudyRun.TIMING)))
                .isLessThan(290);
    }

    /** The full set may take three hours: the studies, the file systems, mailboxes, digests (5 minutes). */
    @Test
    void allStudies_leaveTimeForTheRestOfTheFullSet() {
        assertThat(studies()
                        .mapToDouble(study -> seconds(study, Length.FULL, StudyRun.TIMING))
                        .sum())
                .isLessThan(96 * 60);
    }

    private static double seconds(Study study, Length length, Timing timing) {
        return study.plans(length, timing).stream().mapToDouble(Plan::seconds).sum();
    }

    /** Returns a row for each setting and load: none at 1, others at this share. */
    private static List<Result> rows(Study study, double share) {
        List<Result> rows = new ArrayList<>();
        for (Plan plan : study.plans(Length.FULL, TIMING)) {
            for (Load load : plan.loads()) {
                for (Setting setting : plan.settings()) {
                    rows.add(row(plan, setting, load, setting.equals(plan.baseline()) ? 1 : share));
                }
            }
        }
        return rows;
    }

    private static Result row(Plan plan, Setting setting, Load load, double share) {
        Result row = setting.json().with(Rows.PART, plan.part());
        for (var field : load.json().json().properties()) {
            row = row.with(field.getKey(), field.getValue());
        }
        return row.with(Rows.SHARE, share)
                .with("round_trips_per_s", 1000 * share)
                .with("share_of_limit", share)
                .with("share_of_unlimited", share)
                .with("unwraps_per_message", setting.protection().isAms() ? 1.0 : 1.0 / 32)
                .with("cpu_ms_per_round_trip.broker", 0.2 / share)
                .with("cpu_ms_per_round_trip.client", 0.2 / share)
                .with("added_cpu_ms", 0.4 / share - 0.4);
    }

    @ParameterizedTest
    @MethodSource("studies")
    void plans_haveABaselineWithoutProtection_andNamesOfTheirOwn(Study study) {
        for (Length length : Length.values()) {
            List<Plan> plans = study.plans(length, TIMING);

            assertThat(plans)
                    .allSatisfy(plan ->
                            assertThat(plan.baseline().protection().quality()).isEmpty());
            assertThat(plans).extracting(Plan::part).doesNotHaveDuplicates();
            for (Plan plan : plans) {
                assertThat(plan.settings()).extracting(Setting::label).doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("studies")
    void quickPlans_haveFewerBlocks(Study study) {
        assertThat(blocks(study, Length.QUICK)).isLessThan(blocks(study, Length.FULL));
    }

    private static int blocks(Study study, Length length) {
        return study.plans(length, TIMING).stream()
                .mapToInt(plan -> plan.settings().size() * plan.loads().size())
                .sum();
    }

    @ParameterizedTest
    @MethodSource("studies")
    void targets_ofCompleteRows_areAllMeasured(Study study) {
        List<Target> targets = study.targets(study.withPublished(
                rows(study, 0.9).stream().map(StudyTest::withLaw).toList()));

        assertThat(targets).isNotEmpty();
        assertThat(TargetLines.of(targets)).doesNotContain("not measured");
    }

    @ParameterizedTest
    @MethodSource("studies")
    void targets_withoutRows_areNotMeasured(Study study) {
        String targets = TargetLines.of(study.targets(List.of()));

        assertThat(targets).contains("not measured").doesNotContain("| yes |");
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("studies")
    void charts_areDrawn(Study study, @TempDir Path folder) throws Exception {
        study.draw(study.withPublished(rows(study, 0.9)), new ChartFolder(folder));

        assertThat(Files.size(folder.resolve(study.name() + ".svg"))).isPositive();
    }

    @Test
    void publishedShare_standsBesideOurs_forBothManners() {
        List<Result> rows = ClientsStudy.MANY_QUEUES.withPublished(rows(ClientsStudy.MANY_QUEUES, 0.9));

        for (String setting : List.of(Rows.CONFIDENTIALITY, Rows.AMS_CONFIDENTIALITY)) {
            Result busy = new Rows(rows)
                    .part("")
                    .with(Rows.CLIENTS, 241)
                    .first(setting)
                    .orElseThrow();
            assertThat(busy.number(Rows.PUBLISHED)).isCloseTo(0.451, within(0.001));
        }
        assertThat(new Rows(rows).part("").first("plain").orElseThrow().has(Rows.PUBLISHED))
                .isFalse();
    }

    @Test
    void publishedShare_isReadBetweenTwoNumbersOfClients() {
        List<Result> rows = ClientsStudy.SINGLE_QUEUE.withPublished(rows(ClientsStudy.SINGLE_QUEUE, 0.9));

        Result row = new Rows(rows)
                .with(Rows.CLIENTS, 32)
                .first(Rows.CONFIDENTIALITY)
                .orElseThrow();

        assertThat(row.number(Rows.PUBLISHED)).isBetween(11332.0 / 24602, 14418.0 / 24636);
    }

    @Test
    void share_belowItsBar_missesTheTarget() {
        String good = TargetLines.of(ClientsStudy.SINGLE_QUEUE.targets(rows(ClientsStudy.SINGLE_QUEUE, 0.96)));
        String bad = TargetLines.of(ClientsStudy.SINGLE_QUEUE.targets(rows(ClientsStudy.SINGLE_QUEUE, 0.94)));

        String target = "| 81 clients: confidentiality.32.p256 share_of_none | %s | >= 0.950 | %s |";
        assertThat(good).contains(target.formatted("0.960", "yes"));
        assertThat(bad).contains(target.formatted("0.940", "**no**"));
    }

    @Test
    void anonymousProducers_areComparedWithNamedOnes() {
        List<Result> rows = rows(ClientsStudy.MANY_QUEUES, 0.9).stream()
                .map(row -> row.is("producers", "anonymous") && row.is("protection", "ams.confidentiality")
                        ? row.with(Rows.SHARE, 0.45)
                        : row)
                .toList();

        assertThat(TargetLines.of(ClientsStudy.MANY_QUEUES.targets(rows)))
                .contains("| anonymous / named producers: confidentiality.32.p256 | 1.000 | >= 0.980 | yes |")
                .contains("| anonymous / named producers: ams.confidentiality.32 | 0.500 | <= 0.800 | yes |");
    }

    @Test
    void lawOfReuse_isFittedToTheProcessorTime() {
        List<Result> rows =
                rows(new ReuseStudy(), 0.9).stream().map(StudyTest::withLaw).toList();

        assertThat(TargetLines.of(new ReuseStudy().targets(rows)))
                .contains("R2 of T(N) = T + K/N, ams | 1.000 | >= 0.980 | yes |")
                .contains("K of signet / K of ams | 0.100 | <= 0.250 | yes |");
    }

    /** K is 1 ms in the manner of AMS, 0.1 ms in Signet. */
    private static Result withLaw(Result row) {
        double k = row.text("protection").startsWith("ams") ? 1 : 0.1;
        double keys = row.is("reuse", "unlimited") ? 0 : 1 / Math.max(1, row.number("reuse"));
        return row.with("cpu_ms_per_round_trip.broker", 0.2).with("cpu_ms_per_round_trip.client", 0.2 + k * keys);
    }

    @Test
    void rowsOfAFile_tellTheirStudy() {
        List<Result> rows = rows(new TlsStudy(), 0.9).stream()
                .map(row -> row.with(StudyRun.STUDY, "tls"))
                .toList();

        assertThat(new StudyReport(rows).title()).isEqualTo("Protected messages and protected connections");
        assertThat(new StudyReport(rows).parts()).containsExactly("shared queues", "dedicated queues");
    }
}
