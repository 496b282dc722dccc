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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.PregenerationSettings;
import org.signetmq.perf.Golden;
import org.signetmq.perf.plot.PlotFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.targets.TargetTable;

/** The published measurement, rendered again. */
final class KeysGoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void publishedFile_givesTheSameTablesAndJson() throws Exception {
        JsonNode results =
                JSON.readTree(Path.of("../docs/measured/keys.json").toFile()).path("results");
        List<PoolExperiment.Block> blocks = blocks(results);
        Map<String, Double> heap = new LinkedHashMap<>();
        List<UnwrapCount.Outcome> unwraps = new ArrayList<>();
        for (JsonNode row : results) {
            if (row.has("bytes_per_key")) {
                heap.put(row.path("keys").asText(), row.path("bytes_per_key").asDouble());
            } else if (row.has("producers")) {
                unwraps.add(new UnwrapCount.Outcome(
                        row.path("producers").asInt(),
                        row.path("cache").asInt(),
                        row.path("unwraps_per_message").asDouble()));
            }
        }

        List<Result> rows = new ArrayList<>(KeysResults.pools(blocks));
        rows.addAll(KeysResults.heap(heap));
        rows.addAll(KeysResults.unwraps(unwraps));
        String text = Golden.printed(out -> {
            KeysTables tables = new KeysTables(out);
            tables.pools(KeysResults.pools(blocks));
            tables.heap(KeysResults.heap(heap));
            tables.unwraps(KeysResults.unwraps(unwraps));
            new TargetTable(KeysTargets.of(rows)).print(out);
        });

        Golden.check("keys.txt", text);
        assertThat(JSON.writeValueAsString(rows)).isEqualTo(JSON.writeValueAsString(results));
        KeysPlots.write(
                rows, new PlotFolder(Path.of(System.getProperty("signet.golden.charts", folder.toString()), "keys")));
    }

    private static List<PoolExperiment.Block> blocks(JsonNode results) {
        Map<String, List<UploadRun.Outcome>> outcomes = new LinkedHashMap<>();
        Map<String, PoolExperiment.Block> blocks = new LinkedHashMap<>();
        for (JsonNode row : results) {
            if (row.has("pool")) {
                String experiment = row.path("experiment").asText();
                KeyKind keys =
                        new KeyKind(row.path("keys").asText(), KeyKind.raw().wrapping(), 1);
                Arrival arrival = Arrays.stream(Arrival.values())
                        .filter(one -> one.toString().equals(row.path("arrival").asText()))
                        .findFirst()
                        .orElseThrow();
                FileMix mix =
                        new FileMix(Integer.parseInt(row.path("mix").asText().replaceAll("/.*", "")));
                String name = experiment + keys.name() + arrival + mix.name();
                outcomes.computeIfAbsent(name, first -> new ArrayList<>())
                        .add(new UploadRun.Outcome(
                                new UploadRun.Case(keys, pool(row.path("pool").asText()), arrival, mix),
                                row.path("files_per_s").asDouble(Double.NaN),
                                row.path("p50_us").asDouble(),
                                row.path("p99_us").asDouble(),
                                row.path("dry_share").asDouble(),
                                row.path("spread").asDouble()));
                blocks.put(name, new PoolExperiment.Block(experiment, keys, arrival, mix, outcomes.get(name)));
            }
        }
        return List.copyOf(blocks.values());
    }

    private static PoolChoice pool(String name) {
        return List.of(PoolChoice.OFF, PoolChoice.AUTO, PoolChoice.DEFAULT, PoolChoice.TUNED).stream()
                .filter(pool -> pool.name().equals(name))
                .findFirst()
                .orElseGet(() -> new PoolChoice(name, PregenerationSettings.OFF));
    }
}
