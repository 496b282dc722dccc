/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategorySeries;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;

final class KeysPlotsTest {
    @TempDir
    private Path folder;

    @Test
    void unsteadyRuns_haveNoBars() throws IOException {
        Map<Pool, Result> outcomes = new LinkedHashMap<>();
        outcomes.put(Pool.OFF, SituationTest.outcome(10));
        outcomes.put(Pool.TUNED, SituationTest.outcome(Double.NaN));
        outcomes.put(Pool.AUTO, SituationTest.outcome(20));
        List<Result> rows = SituationTest.rows(outcomes);

        new KeysReport(rows).draw(new ChartFolder(folder));

        assertThat(files()).containsExactlyInAnyOrder("keys-closed-loop.svg", "keys-closed-loop.png");
        Map<String, CategorySeries> bars =
                KeysReport.sharesOfOff(Arrival.CLOSED).bars(rows).getSeriesMap();
        assertThat(bars).containsOnlyKeys("off", "auto");
        assertThat(Objects.requireNonNull(bars.get("auto"))
                        .getYData()
                        .iterator()
                        .next()
                        .doubleValue())
                .isEqualTo(2);
    }

    @Test
    void unwraps_areALineForEachCache() throws IOException {
        List<Result> rows = List.of(
                UnwrapCount.row(1, 64, 0.03125), UnwrapCount.row(2, 64, 0.03125), UnwrapCount.row(1, 1, 0.03125));

        new KeysReport(rows).draw(new ChartFolder(folder));

        assertThat(files()).containsExactlyInAnyOrder("keys-unwraps.svg", "keys-unwraps.png");
        assertThat(folder.resolve("keys-unwraps.svg")).content().contains("<svg");
    }

    @Test
    void eachArrival_hasAChartOfItsOwn() throws IOException {
        List<Result> rows = SituationTest.rows(Map.of(Pool.OFF, SituationTest.outcome(10)));
        List<Result> bursts =
                rows.stream().map(row -> row.with("arrival", "bursts")).toList();
        List<Result> sweep =
                rows.stream().map(row -> row.with("experiment", "E1c")).toList();

        new KeysReport(bursts).draw(new ChartFolder(folder));
        new KeysReport(sweep).draw(new ChartFolder(folder));

        assertThat(files()).containsExactlyInAnyOrder("keys-bursts.svg", "keys-bursts.png");
    }

    @Test
    void nothingMeasured_drawsNothing() throws IOException {
        new KeysReport(List.of()).draw(new ChartFolder(folder));

        assertThat(files()).isEmpty();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
