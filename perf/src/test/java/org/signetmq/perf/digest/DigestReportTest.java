/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Golden;
import org.signetmq.perf.digest.Setting.Pace;
import org.signetmq.perf.digest.Work.Kind;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.testkit.Tier;

/** Made-up results, rendered. */
final class DigestReportTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Tag(Tier.LONG)
    @Test
    void madeUpResults_giveTheSameTables() throws Exception {
        DigestReport report = new DigestReport(rows(), queues());

        Golden.check("digest.txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
        Path charts = Path.of(System.getProperty("signet.golden.charts", folder.toString()), "digest");
        report.draw(new ChartFolder(charts));
        assertThat(charts.resolve("digest-sha-256-throttled.svg")).exists();
        assertThat(charts.resolve("digest-aes-256-gcm-unthrottled.png")).exists();
        assertThat(charts.resolve("digest-aes-256-gcm-throttled.png")).doesNotExist();
    }

    @Test
    void publishedFigures_areThoseOfWayAndBlock() {
        Result pipeline = Published.addTo(way("pipeline", Kind.SHA_256, Pace.THROTTLED, 1 << 20));

        assertThat(pipeline.number("published.read_mb_per_s")).isEqualTo(97.4);
        assertThat(pipeline.number("published.digest_mb_per_s")).isEqualTo(72.2);
        assertThat(pipeline.number("published.both_mb_per_s")).isEqualTo(64.7);
        assertThat(pipeline.number("published.both_of_digest")).isBetween(0.896, 0.897);
        assertThat(Published.addTo(way("signet", Kind.SHA_256, Pace.THROTTLED, 1 << 20))
                        .has("published"))
                .isFalse();
    }

    @Test
    void chart_showsPublishedSharesBesideOurs() {
        Result ours = Published.addTo(way("loop", Kind.SHA_256, Pace.THROTTLED, 1 << 20));

        assertThat(new DigestReport(List.of(ours), List.of()).besidePublished())
                .extracting(row -> row.text("way"), row -> row.number("both_of_digest"))
                .containsExactly(tuple("loop", 0.5), tuple("loop 2011", 34.3 / 72.1));
    }

    @Test
    void target_isNoisyIfHalfOfTheRunsAreMuchSlower() {
        Result noisy = way("signet", Kind.SHA_256, Pace.UNTHROTTLED, 4096).with("both_mb_per_s.median", 1000);

        assertThat(new DigestReport(List.of(noisy), List.of()).targets().get(0).verdict())
                .isEqualTo(Verdict.NOISY);
    }

    @Test
    void target_isNoisyIfOtherProgramsTookTheCores_butNotIfThrottled() {
        List<Result> rows = Stream.of(Pace.UNTHROTTLED, Pace.THROTTLED)
                .map(pace -> way("signet", Kind.SHA_256, pace, 4096).with("cores_of_others", 1.5))
                .toList();

        assertThat(new DigestReport(rows, List.of()).targets().subList(0, 2))
                .extracting(Target::verdict)
                .containsExactly(Verdict.NOISY, Verdict.MET);
    }

    @Test
    void nothingMeasured_isSaid() {
        assertThat(new DigestReport(List.of(), List.of()).targets())
                .isNotEmpty()
                .allMatch(target -> target.verdict() == Verdict.NOT_MEASURED);
    }

    private static List<Result> rows() {
        List<Result> rows = new ArrayList<>();
        for (int block : Experiment.BLOCKS) {
            for (String way : List.of("loop", "pipeline", "signet")) {
                rows.add(Published.addTo(way(way, Kind.SHA_256, Pace.THROTTLED, block)));
                rows.add(way(way, Kind.SHA_256, Pace.UNTHROTTLED, block));
                rows.add(way(way, Kind.AES_256_GCM, Pace.UNTHROTTLED, block));
            }
        }
        return rows;
    }

    private static List<Result> queues() {
        return Stream.of(2, 5, 16)
                .flatMap(buffers -> Stream.of(Handover.Kind.values())
                        .map(queue -> way("pipeline", Kind.SHA_256, Pace.UNTHROTTLED, 1 << 20)
                                .with("queue", queue.toString())
                                .with("buffers", buffers)))
                .toList();
    }

    private static Result way(String way, Kind work, Pace pace, int block) {
        double speed = pace == Pace.THROTTLED ? 72 : 2000;
        double share = !way.equals("loop") ? 0.97 : block == 1 << 20 ? 0.5 : 0.96;
        Result row = Result.EMPTY
                .with("work", work.toString())
                .with("way", way)
                .with("block", block)
                .with("throttled", pace == Pace.THROTTLED);
        Map<String, Double> figures =
                Map.of("read_mb_per_s", 1.4 * speed, "digest_mb_per_s", speed, "both_mb_per_s", share * speed);
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            row = row.with(figure.getKey() + ".median", 0.99 * figure.getValue())
                    .with(figure.getKey() + ".min", 0.9 * figure.getValue())
                    .with(figure.getKey() + ".max", figure.getValue());
        }
        return row.with("serial_mb_per_s", speed / 1.7)
                .with("both_of_least", share)
                .with("both_of_digest", share)
                .with("cpu_s_per_gb", way.equals("pipeline") ? 0.75 : 0.5)
                .with("cores_of_others", 0.125);
    }
}
