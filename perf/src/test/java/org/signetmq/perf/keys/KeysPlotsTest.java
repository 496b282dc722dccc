/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.plot.PlotFolder;
import org.signetmq.perf.result.Result;

final class KeysPlotsTest {
    private static final FileMix MIX = new FileMix(80);
    private static final KeyKind KEYS = KeyKind.raw();

    @TempDir
    private Path folder;

    @Test
    void unsteadyRuns_haveNoBars() throws IOException {
        List<Result> rows = KeysResults.pools(List.of(new PoolExperiment.Block(
                "E1a/b",
                KEYS,
                Arrival.CLOSED,
                MIX,
                List.of(
                        outcome(PoolChoice.OFF, 10),
                        outcome(PoolChoice.TUNED, Double.NaN),
                        outcome(PoolChoice.AUTO, 20)))));

        KeysPlots.write(rows, new PlotFolder(folder));

        assertThat(files()).containsExactlyInAnyOrder("keys-closed-loop.svg", "keys-closed-loop.png");
        Map<String, List<Double>> bars = KeysPlots.bars(Arrival.CLOSED, rows).series();
        assertThat(bars)
                .containsEntry("off", List.of(1.0))
                .containsEntry(PoolChoice.TUNED.name(), List.of(Double.NaN))
                .containsEntry("auto", List.of(2.0));
    }

    @Test
    void nothingMeasured_drawsNothing() throws IOException {
        KeysPlots.write(List.of(), new PlotFolder(folder));

        assertThat(files()).isEmpty();
    }

    private static UploadRun.Outcome outcome(PoolChoice pool, double rate) {
        return new UploadRun.Outcome(new UploadRun.Case(KEYS, pool, Arrival.CLOSED, MIX), rate, 1, 2, 0.5, 1);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
