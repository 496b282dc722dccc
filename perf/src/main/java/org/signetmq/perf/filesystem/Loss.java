/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.published.PublishedDocument;
import org.signetmq.perf.published.PublishedFigure;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.RowFigure;
import org.signetmq.perf.setting.Setting;

/**
 * The loss of one setting against its baseline, with messages of one size, over all numbers of clients.
 *
 * @param rows of the setting
 * @param baseline rows of the setting that it is compared with
 */
record Loss(Scenario scenario, Setting setting, int size, List<Result> rows, List<Result> baseline) {
    static final String SCENARIO = "scenario";
    static final String SETTING = "setting";
    static final String SIZE = "size";
    /** Percent of the mean latency of one client. */
    static final String LATENCY = "latency_percent";
    /** Percent of the rate, where it is largest. */
    static final String WORST = "worst_percent";
    /** The number of clients of that load. */
    static final String WORST_CLIENTS = "worst_clients";
    /** Percent of the peak rate. */
    static final String PEAK = "peak_percent";
    /** The processor time of a round trip, over that of the baseline. */
    static final String CPU = "cpu_of_none";
    /** The published loss of latency, and that of the rate, each with a model of the machine behind a dot. */
    static final String PUBLISHED_LATENCY = "published_latency_percent";

    static final String PUBLISHED_WORST = "published_worst_percent";

    private static final String SHARE = "share_of_none";
    private static final String CLIENTS = "clients";
    private static final List<String> MODELS = List.of("A", "B");

    /** Returns the losses of all scenarios, settings and sizes that were measured. */
    static List<Loss> all(List<Result> rows) {
        List<Loss> losses = new ArrayList<>();
        for (Scenario scenario : Scenario.values()) {
            for (Comparison comparison : Comparison.values()) {
                List<Result> part = rows.stream()
                        .filter(row -> row.is("part", comparison.part(scenario)))
                        .toList();
                for (Setting setting : comparison.compared()) {
                    part.stream().map(row -> (int) row.number(SIZE)).distinct().forEach(size -> {
                        List<Result> of = of(part, setting, size);
                        if (!of.isEmpty()) {
                            losses.add(new Loss(scenario, setting, size, of, of(part, comparison.baseline(), size)));
                        }
                    });
                }
            }
        }
        return losses;
    }

    private static List<Result> of(List<Result> rows, Setting setting, int size) {
        return rows.stream()
                .filter(row -> row.is(SETTING, setting.label()) && row.is(SIZE, size))
                .toList();
    }

    /** Returns the share of the baseline's rate where it is smallest; noisy if its blocks differ by much. */
    Figure worst() {
        return worstRow().map(row -> RowFigure.of(row, row.number(SHARE))).orElse(Figure.exact(Double.NaN));
    }

    private Optional<Result> worstRow() {
        return rows.stream().filter(row -> row.has(SHARE)).min(Comparator.comparingDouble(row -> row.number(SHARE)));
    }

    /** Returns the latency of one client, over that of the baseline. */
    Figure latency() {
        return rows.stream()
                .filter(row -> row.is(CLIENTS, 1) && row.has(SHARE))
                .findFirst()
                .map(row -> RowFigure.of(row, 1 / row.number(SHARE)))
                .orElse(Figure.exact(Double.NaN));
    }

    /** Returns the processor time of a round trip under the largest load, over that of the baseline. */
    Figure cpu() {
        Comparator<Result> byClients = Comparator.comparingDouble(row -> row.number(CLIENTS));
        Optional<Result> busiest = rows.stream().max(byClients);
        return busiest.flatMap(row -> baseline.stream()
                        .filter(other -> other.is(CLIENTS, row.text(CLIENTS)))
                        .findFirst()
                        .map(other -> {
                            double none = other.number(Block.BROKER_CPU) + other.number(Block.CLIENT_CPU);
                            return RowFigure.of(row, (none + row.number("added_cpu_ms")) / none);
                        }))
                .orElse(Figure.exact(Double.NaN));
    }

    private static double peak(List<Result> rows) {
        return rows.stream().mapToDouble(row -> row.number(Block.RATE)).max().orElse(Double.NaN);
    }

    /** Returns the fields of JSON. */
    Result json() {
        Result json = Result.EMPTY
                .with(SCENARIO, scenario.label())
                .with(SETTING, setting.label())
                .with(SIZE, size)
                .with(LATENCY, percent(latency().value()))
                .with(WORST, percent(worst().value()))
                .with(WORST_CLIENTS, worstRow().map(row -> row.number(CLIENTS)).orElse(Double.NaN))
                .with(PEAK, percent(peak(rows) / peak(baseline)))
                .with(CPU, cpu().value());
        for (String model : MODELS) {
            json = json.with(PUBLISHED_LATENCY + "." + model, published("latency", model))
                    .with(PUBLISHED_WORST + "." + model, published("throughput", model));
        }
        return json;
    }

    private static double percent(double ratio) {
        return 100 * (ratio - 1);
    }

    private double published(String figure, String model) {
        PublishedFigure published = PublishedDocument.encryptedFileSystem().figure(figure);
        return published.curves().stream()
                .filter(curve -> curve.name().equals(scenario.published() + "." + model)
                        && curve.x().contains((double) size))
                .mapToDouble(curve -> curve.at(size))
                .findFirst()
                .orElse(Double.NaN);
    }
}
