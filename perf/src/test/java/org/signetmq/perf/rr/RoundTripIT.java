/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;

/** The command as users run it: from its jar, with a broker and clients of its own. */
final class RoundTripIT {
    @TempDir
    private Path folder;

    @Test
    void confidentiality_isMeasuredBesideNone() throws Exception {
        Path json = folder.resolve("rr.json");
        Path temporary = folder.resolve("temporary");

        Ran ran = Ran.fromJar(
                temporary,
                Duration.ofMinutes(3),
                "rr",
                "--quality",
                "confidentiality",
                "--clients",
                "2",
                "--seconds",
                "1",
                "--runs",
                "1",
                "--warm-up",
                "1",
                "--json",
                json.toString(),
                "--plot",
                folder.resolve("charts").toString());

        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
        assertThat(ran.out())
                .contains("none")
                .contains("confidentiality.32.p256")
                .contains("confidentiality.unlimited.p256");
        JsonNode results = new ObjectMapper().readTree(json.toFile()).path("results");
        assertThat(results).hasSize(5);
        results.forEach(RoundTripIT::assertMeasured);
        assertThat(results.findValuesAsText("quality"))
                .isEqualTo(List.of("none", "confidentiality", "confidentiality", "confidentiality", "confidentiality"));
        assertThat(results.findValuesAsText("key")).isEqualTo(List.of("none", "p256", "p256", "rsa2048", "rsa2048"));
        assertThat(files(folder.resolve("charts"))).contains("rr-rate.svg", "rr-rate.png", "rr-share.svg");
        assertThat(files(temporary)).as("what is left behind").noneMatch(name -> name.startsWith("signet-perf-"));
    }

    private static void assertMeasured(JsonNode row) {
        assertThat(row.path("clients").asInt()).isEqualTo(2);
        assertThat(row.path("round_trips_per_s").asDouble()).isPositive();
        assertThat(row.path("share_of_none").asDouble()).isPositive();
        assertThat(row.path("p50_us").asDouble()).isPositive();
        assertThat(row.path("p99_us").asDouble())
                .isGreaterThanOrEqualTo(row.path("p50_us").asDouble());
        assertThat(row.path("cpu_ms_per_round_trip").path("broker").asDouble()).isPositive();
        assertThat(row.path("cpu_ms_per_round_trip").path("client").asDouble()).isPositive();
        assertThat(row.path("cold").path("round_trips_per_s").asDouble()).isPositive();
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
