/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.Running;
import org.signetmq.testkit.Tier;

/** The command as users run it: from its jar, with brokers and clients of its own. */
@Tag(Tier.LONG)
final class RoundTripIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROGRESS = "\\s*\\d+:\\d\\d  1/1  2 clients .*round trips/s.*";
    /** Of none, plain, none, confidentiality and none, and of three settings at two other paces. */
    private static final int BLOCKS = 4 + 3 * 2;

    @TempDir
    private Path folder;

    @Test
    void runThatIsEnded_leavesItsBlocks_andGoesOnUntilAllIsMeasured() throws Exception {
        Path first = Files.createDirectory(folder.resolve("first"));
        List<ProcessHandle> children;
        try (Running running = Running.start(List.of("-Djava.io.tmpdir=" + first), arguments())) {
            for (int i = 0; i < 3; i++) { // the file has those before the last
                running.awaitLine(line -> line.matches(PROGRESS));
            }
            children = running.children();
            running.terminate();
        }

        assertThat(children).hasSize(6).noneMatch(ProcessHandle::isAlive);
        assertNothingLeft(first);
        JsonNode ended = file();
        assertThat(ended.path("complete").asBoolean(true)).isFalse();
        assertThat(ended.has("failed")).isFalse();
        assertThat(ended.path("results")).isNotEmpty();
        int before = ended.path("blocks").size();
        assertThat(before).isBetween(2, BLOCKS - 1);

        Path second = folder.resolve("second");
        Ran ran = Ran.fromJar(second, PATIENCE, arguments("--resume").toArray(String[]::new));

        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
        assertNothingLeft(second);
        assertThat(ran.out()).contains("none").contains("plain").contains("confidentiality.32.p256");
        assertThat(ran.err()).containsPattern("(?m)^about 1 min$").doesNotContain("error");
        assertThat(ran.err().lines().filter(line -> line.matches(PROGRESS)))
                .as("blocks of the second run")
                .hasSize(BLOCKS - before);
        JsonNode complete = file();
        for (int i = 0; i < before; i++) {
            assertThat(complete.path("blocks").path(i))
                    .isEqualTo(ended.path("blocks").path(i));
        }
        assertComplete(complete);
        assertThat(names(charts())).contains("rr-rate.svg", "rr-rate.png", "rr-share.svg");
    }

    private static void assertNothingLeft(Path temporary) throws IOException {
        assertThat(names(temporary)).as("what is left behind").noneMatch(name -> name.startsWith("signet-perf-"));
    }

    private static void assertComplete(JsonNode file) {
        assertThat(file.has("complete")).isFalse();
        assertThat(file.path("command").asText()).doesNotContain("--resume");
        assertThat(file.path("blocks")).hasSize(BLOCKS);
        assertThat(file.path("primitives")).hasSize(1);
        assertThat(file.path("results").findValuesAsText("setting"))
                .containsExactly("none", "plain", "confidentiality.32.p256");
        file.path("results").forEach(RoundTripIT::assertMeasured);
        JsonNode sealed = file.path("results").path(2);
        assertThat(sealed.path("share_of_none").asDouble()).isPositive();
        assertThat(sealed.path("limit_of_share").asDouble()).isBetween(0.0, 1.0);
    }

    private List<String> arguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of("rr", "--quality", "confidentiality", "--reuse", "32"));
        arguments.addAll(List.of("--keys", "p256", "--clients", "2", "--rounds", "1"));
        arguments.addAll(List.of("--seconds", "0.5", "--warm-up", "0.5"));
        arguments.addAll(List.of("--json", folder.resolve("rr.json").toString()));
        arguments.addAll(List.of("--plot", charts().toString()));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static void assertMeasured(JsonNode row) {
        assertThat(row.path("clients").asInt()).isEqualTo(2);
        assertThat(row.path("round_trips_per_s").asDouble()).isPositive();
        assertThat(row.path("p50_us").asDouble()).isPositive();
        assertThat(row.path("p99_us").asDouble())
                .isGreaterThanOrEqualTo(row.path("p50_us").asDouble());
        assertThat(row.path("cpu_ms_per_round_trip").path("broker").asDouble()).isPositive();
        assertThat(row.path("cpu_ms_per_round_trip").path("client").asDouble()).isPositive();
        assertThat(row.path("at_50_percent").path("round_trips_per_s").asDouble())
                .isPositive();
        assertThat(row.path("at_80_percent").path("p99_us").asDouble()).isPositive();
    }

    private JsonNode file() throws IOException {
        return JSON.readTree(folder.resolve("rr.json").toFile());
    }

    private Path charts() {
        return folder.resolve("charts");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
