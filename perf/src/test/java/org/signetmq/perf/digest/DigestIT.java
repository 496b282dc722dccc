/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.Running;
import org.signetmq.perf.digest.Setting.Pace;
import org.signetmq.perf.digest.Work.Kind;
import org.signetmq.perf.result.Result;

/** Short real runs. */
@Tag("figures")
final class DigestIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void shortRun_hasTheShapesOfAnyMachine() throws Exception {
        List<Result> rows = new ArrayList<>();
        List<Result> queues = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        try (DataFiles data = DataFiles.create(folder, 2, 6_000_000);
                SignetWays signet = data.make(SignetWays::new)) {
            Experiment experiment = new Experiment(data, signet, lines::add);
            experiment.ways(new Setting(Kind.SHA_256, Pace.THROTTLED, 1 << 20), rows);
            for (Kind work : Kind.values()) {
                experiment.ways(new Setting(work, Pace.UNTHROTTLED, 10_000), rows);
            }
            experiment.queues(4096, List.of(2, 5), queues).run(3);
        }

        assertThat(rows).hasSize(9);
        assertThat(queues).hasSize(4);
        assertThat(rows).allSatisfy(DigestIT::assertSound);
        assertThat(queues).allSatisfy(DigestIT::assertSound);
        assertThat(rows.subList(0, 3)).allSatisfy(row -> {
            // a slow machine may be slower, none is faster than what it is throttled to
            assertThat(row.number("read_mb_per_s.max")).isLessThan(1.05 * Published.READ_RATE / 1e6);
            assertThat(row.number("digest_mb_per_s.max")).isLessThan(1.05 * Published.DIGEST_RATE / 1e6);
        });
        Result loop = rows.get(0);
        assertThat(loop.number("both_mb_per_s.max"))
                .as("it works while it does not read")
                .isLessThan(50);
        assertThat(rows.get(2).number("both_mb_per_s.max"))
                .as("it reads while it works")
                .isGreaterThan(loop.number("both_mb_per_s.max"));
        assertThat(loop.has("published")).isTrue();
        assertThat(folder).isEmptyDirectory();
    }

    private static void assertSound(Result row) {
        for (String figure : List.of("read_mb_per_s", "digest_mb_per_s", "both_mb_per_s")) {
            assertThat(row.number(figure + ".min")).as(figure + " " + row).isPositive();
            assertThat(row.number(figure + ".median"))
                    .isBetween(row.number(figure + ".min"), row.number(figure + ".max"));
        }
        assertThat(row.number("runs")).isEqualTo(3);
        assertThat(row.number("cpu_s_per_gb")).isNotNegative();
        assertThat(row.number("cores_of_others"))
                .isBetween(0.0, (double) Runtime.getRuntime().availableProcessors());
        assertThat(row.number("serial_mb_per_s"))
                .isLessThan(Math.min(row.number("read_mb_per_s.max"), row.number("digest_mb_per_s.max")));
        assertThat(row.number("both_of_least")).isGreaterThanOrEqualTo(row.number("both_of_digest"));
    }

    @Test
    void command_onShortFiles_writesAllRowsAndCharts() throws Exception {
        Path files = Files.createDirectory(folder.resolve("files"));
        Path json = folder.resolve("digest.json");
        Path charts = folder.resolve("charts");

        Ran ran = Ran.with(
                "digest",
                new DigestCommand(2_000_000),
                ("digest --quick --runs 1 --folder " + files + " --json " + json + " --plot " + charts).split(" "));

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.has("failed")).isFalse();
        List<Result> rows = Result.list(file.path("results"));
        // throttled and not, and AES-256-GCM without; in four kinds of blocks and three ways
        assertThat(rows)
                .hasSize((2 + 1) * 4 * 3)
                .allSatisfy(
                        row -> assertThat(row.number("both_mb_per_s.median")).isPositive());
        assertThat(file.path("queues")).isNotEmpty();
        assertThat(charts.resolve("digest-sha-256-throttled.svg")).isNotEmptyFile();
        assertThat(files).isEmptyDirectory();
    }

    @Test
    void signal_endsTheCommand_andDeletesItsFiles() throws Exception {
        try (Running running = Running.start(List.of(), List.of("digest", "--quick", "--folder", folder.toString()))) {
            running.awaitLine(line -> line.startsWith("[warm-up"));
            assertThat(folder).as("while it runs").isNotEmptyDirectory();

            running.terminate();

            assertThat(folder).isEmptyDirectory();
        }
    }
}
