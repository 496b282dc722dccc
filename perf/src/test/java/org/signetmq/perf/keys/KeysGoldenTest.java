/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.perf.Golden;
import org.signetmq.perf.keys.MeasuredWrapping.Wrapping;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.upload.FileMix;
import org.signetmq.testkit.Tier;

/** The published measurement, rendered again. */
final class KeysGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Tag(Tier.LONG)
    @Test
    void publishedFile_givesTheSameTablesAndJson() throws Exception {
        JsonNode results =
                JSON.readTree(Path.of("../docs/measured/keys.json").toFile()).path("results");
        List<Result> rows = new ArrayList<>();
        Map<String, Situation> situations = new LinkedHashMap<>();
        Map<String, Map<Pool, Result>> outcomes = new LinkedHashMap<>();
        for (JsonNode row : results) {
            if (row.has("pool")) {
                Situation situation = situation(row);
                situations.put(situation.name(), situation);
                outcomes.computeIfAbsent(situation.name(), first -> new LinkedHashMap<>())
                        .put(pool(row.path("pool").asText()), new Result(row));
            }
        }
        situations.forEach(
                (name, situation) -> rows.addAll(situation.results(Objects.requireNonNull(outcomes.get(name)))));
        for (JsonNode row : results) {
            if (row.has("bytes_per_key")) {
                rows.add(HeapPerKey.row(
                        row.path("keys").asText(), row.path("bytes_per_key").asDouble()));
            } else if (row.has("producers")) {
                rows.add(UnwrapCount.row(
                        row.path("producers").asInt(),
                        row.path("cache").asInt(),
                        row.path("unwraps_per_message").asDouble()));
            }
        }

        KeysReport report = new KeysReport(rows);
        Golden.check("keys.txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
        assertThat(JSON.writeValueAsString(rows)).isEqualTo(JSON.writeValueAsString(results));
        report.draw(new ChartFolder(Path.of(System.getProperty("signet.golden.charts", folder.toString()), "keys")));
    }

    private static Situation situation(JsonNode row) {
        Arrival arrival = Arrays.stream(Arrival.values())
                .filter(one -> one.toString().equals(row.path("arrival").asText()))
                .findFirst()
                .orElseThrow();
        MeasuredWrapping keys = new MeasuredWrapping(row.path("keys").asText(), new Wrapping(key -> new byte[0]), 1);
        FileMix mix = new FileMix(Integer.parseInt(row.path("mix").asText().replaceAll("/.*", "")));
        return new Situation(row.path("experiment").asText(), keys, arrival, mix);
    }

    private static Pool pool(String name) {
        return List.of(Pool.OFF, Pool.AUTO, Pool.DEFAULT, Pool.TUNED).stream()
                .filter(pool -> pool.name().equals(name))
                .findFirst()
                .orElseGet(() -> new Pool(name, PregenerationSettings.OFF));
    }
}
