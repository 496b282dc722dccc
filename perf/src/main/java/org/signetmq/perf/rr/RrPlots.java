/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.signetmq.perf.plot.Axes;
import org.signetmq.perf.plot.BarPlot;
import org.signetmq.perf.plot.PlotFolder;

/** Results as bars, one group per number of clients. */
final class RrPlots {
    private static final String CLIENTS = "clients";

    private final Results results;

    RrPlots(Results results) {
        this.results = results;
    }

    void write(PlotFolder folder) throws IOException {
        if (results.rows().isEmpty()) {
            return;
        }
        folder.write(
                "rr-rate",
                bars("Round trips per second", "1/s", sample -> sample.figures().rate()));
        folder.write("rr-share", bars("Round trips per second, relative to none", "share", Sample::shareOfNone));
        folder.write(
                "rr-cpu-broker",
                bars(
                        "Processor time of the broker per round trip",
                        "ms",
                        sample -> sample.figures().cpu().broker()));
        folder.write(
                "rr-cpu-client",
                bars(
                        "Processor time of the clients per round trip",
                        "ms",
                        sample -> sample.figures().cpu().client()));
    }

    private BarPlot bars(String title, String unit, ToDoubleFunction<Sample> figure) {
        List<Load> loads = results.rows().stream().map(Row::load).distinct().toList();
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (Variant variant :
                results.rows().stream().map(Row::variant).distinct().toList()) {
            series.put(
                    variant.label(),
                    loads.stream().map(load -> median(variant, load, figure)).toList());
        }
        return new BarPlot(
                new Axes(title, CLIENTS, unit),
                loads.stream().map(load -> String.valueOf(load.clients())).toList(),
                series);
    }

    private double median(Variant variant, Load load, ToDoubleFunction<Sample> figure) {
        return results.rows().stream()
                .filter(row -> row.variant().equals(variant) && row.load().equals(load))
                .mapToDouble(row -> row.median(figure))
                .findFirst()
                .orElseThrow();
    }
}
