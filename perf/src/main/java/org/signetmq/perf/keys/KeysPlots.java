/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.plot.Axes;
import org.signetmq.perf.plot.BarPlot;
import org.signetmq.perf.plot.LinePlot;
import org.signetmq.perf.plot.PlotFolder;

/** The key experiments as charts. */
final class KeysPlots {
    private final PlotFolder folder;

    KeysPlots(PlotFolder folder) {
        this.folder = folder;
    }

    /** For each arrival: how many times the rate without a pool each pool reaches, by kind of key. */
    void pools(List<PoolExperiment.Block> blocks) throws IOException {
        for (Arrival arrival : Arrival.values()) {
            List<PoolExperiment.Block> shown = blocks.stream()
                    .filter(block -> block.experiment().equals("E1a/b") && block.arrival() == arrival)
                    .toList();
            if (!shown.isEmpty()) {
                folder.write("keys-" + arrival.toString().replace(' ', '-'), bars(arrival, shown));
            }
        }
    }

    /** Of a run that was not steady, none. */
    static BarPlot bars(Arrival arrival, List<PoolExperiment.Block> blocks) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (PoolExperiment.Block block : blocks) {
            for (UploadRun.Outcome outcome : block.outcomes()) {
                series.computeIfAbsent(outcome.of().pool().name(), first -> new ArrayList<>())
                        .add(outcome.filesPerSecond() / block.rate(PoolChoice.OFF));
            }
        }
        return new BarPlot(
                new Axes(
                        "Keys made ahead, " + arrival,
                        "",
                        "files/s, times those without a pool",
                        Axes.Scale.LOGARITHMIC),
                blocks.stream().map(block -> block.keys().name()).toList(),
                series);
    }

    void unwraps(List<UnwrapCount.Outcome> outcomes) throws IOException {
        if (outcomes.isEmpty()) {
            return;
        }
        Map<String, LinePlot.Points> lines = new LinkedHashMap<>();
        for (int cache : UnwrapCount.CACHES) {
            List<UnwrapCount.Outcome> line = outcomes.stream()
                    .filter(outcome -> outcome.cache() == cache)
                    .toList();
            lines.put(
                    "cache of " + cache,
                    new LinePlot.Points(
                            line.stream()
                                    .map(outcome -> (double) outcome.producers())
                                    .toList(),
                            line.stream()
                                    .map(UnwrapCount.Outcome::unwrapsPerMessage)
                                    .toList()));
        }
        folder.write(
                "keys-unwraps",
                new LinePlot(new Axes("Keys unwrapped, reuse 32", "producers by turns", "unwraps per message"), lines));
    }
}
