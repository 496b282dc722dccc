/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.Running;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.testkit.Tier;

/** Short real runs, from the jar. */
@Timeout(600)
@Tag(Tier.LONG)
final class FilesystemIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeEach
    void assumeMounts() throws Exception {
        Assumed.mounts();
    }

    /** Runs until the shape is there, or three times, each longer than the last: a busy machine compiles long. */
    @Test
    void shortRun_measuresAllDisks_andNoEncryptedOneIsCheaperThanPlain() throws Exception {
        Path json = folder.resolve("filesystem.json");
        JsonNode file = shortRun(json, 1);
        for (int seconds = 2; seconds <= 4 && !encryptionCosts(file); seconds += 2) {
            file = shortRun(json, seconds);
        }

        assertThat(encryptionCosts(file)).as("processor time of %s", file).isTrue();
        List<Result> rows = Result.list(file.path("results"));
        assertThat(rows)
                .extracting(row -> row.text("part") + " " + row.text("setting"))
                .containsExactly(
                        "one.directory none@plain",
                        "one.directory none@gocryptfs",
                        "one.directory confidentiality.32.p256@plain",
                        "one.directory client.confidentiality.32.p256@plain",
                        "one.image none@image",
                        "one.image none@fscrypt");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.number("round_trips_per_s")).isPositive());
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(row.has("cpu_ms_per_round_trip.disk")).isEqualTo(row.is("disk", Disks.GOCRYPTFS)));
        assertThat(Result.list(file.path("losses")))
                .hasSize(4)
                .allSatisfy(loss -> assertThat(loss.number(Loss.WORST)).isGreaterThan(-100));
        assertThat(Result.list(file.path("disks"))).hasSize(4);
    }

    private JsonNode shortRun(Path json, int seconds) throws Exception {
        Ran ran = run(
                "--scenario one --size 20480 --clients 8 --rounds 1 --seconds " + seconds + " --warm-up " + 2 * seconds,
                json);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        return new ObjectMapper().readTree(json.toFile());
    }

    /** The report has the same bar. */
    private static boolean encryptionCosts(JsonNode file) {
        List<Result> losses = Result.list(file.path("losses")).stream()
                .filter(loss -> loss.text(Loss.SETTING).startsWith("none@"))
                .toList();
        return losses.size() == 2 && losses.stream().allMatch(loss -> loss.number(Loss.CPU) >= LossReport.CHEAPEST);
    }

    @Test
    void coverage_findsPayloadsInClear_onlyWhereNothingHidesThem() throws Exception {
        Path json = folder.resolve("filesystem.json");

        Ran ran = run("--scenario coverage", json);

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.err()).doesNotContain("about 0 min");
        List<Result> rows =
                Result.list(new ObjectMapper().readTree(json.toFile()).path("coverage"));
        assertThat(rows).extracting(row -> row.text("setting")).hasSize(7).startsWith("none+tls@plain");
        assertThat(new CoverageReport(rows).targets())
                .as(ran.out())
                .hasSize(9)
                .extracting(Target::verdict)
                .containsOnly(Verdict.MET);
    }

    @Test
    void cold_drainsWhatWasStoredBeforeARestart_andCanGoOn() throws Exception {
        Path json = folder.resolve("filesystem.json");
        String options = "--scenario cold --backlog 4 --warm-up 1";

        Ran ran = run(options, json);

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        List<Result> rows =
                Result.list(new ObjectMapper().readTree(json.toFile()).path("cold"));
        assertThat(new ColdReport(rows).json()).hasSize(12).allSatisfy(row -> {
            assertThat(row.number("messages_per_s")).isPositive();
            assertThat(row.number("share_of_none")).isPositive();
        });

        Ran again = run(options + " --resume", json);

        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.err()).doesNotContain("none@plain");
        assertThat(Result.list(new ObjectMapper().readTree(json.toFile()).path("cold")))
                .isEqualTo(rows);
    }

    private Ran run(String options, Path json) throws Exception {
        Path disks = Files.createDirectories(folder.resolve("disks"));
        Path temporary = Files.createTempDirectory(folder, "run").resolve("temporary");
        Ran ran = Ran.fromJar(
                temporary,
                Duration.ofMinutes(40),
                ("filesystem " + options + " --folder " + disks + " --json " + json).split(" "));
        assertNothingLeft(disks);
        assertThat(temporary).isEmptyDirectory();
        return ran;
    }

    private static void assertNothingLeft(Path disks) throws Exception {
        assertThat(MountTable.read().below(disks.toRealPath())).isEmpty();
        assertThat(disks).isEmptyDirectory();
    }

    @Test
    void signal_endsTheCommand_andItsMounts() throws Exception {
        List<String> arguments =
                List.of("filesystem", "--quick", "--size", "2048", "--warm-up", "0.5", "--folder", folder.toString());
        try (Running running = Running.start(List.of(), arguments)) {
            running.awaitLine(line -> line.contains("warming up"));
            assertThat(MountTable.read().below(folder.toRealPath()))
                    .as("while it runs")
                    .hasSize(2);

            running.terminate();

            assertNothingLeft(folder);
        }
    }
}
