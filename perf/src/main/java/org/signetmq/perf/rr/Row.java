/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.Block.Figures;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/** The samples of one variant under one load. */
final class Row {
    private static final Map<String, ToDoubleFunction<Sample>> FIGURES = new LinkedHashMap<>();

    static {
        FIGURES.put("round_trips_per_s", sample -> sample.figures.rate());
        FIGURES.put("share_of_none", Sample::shareOfNone);
        FIGURES.put("p50_us", sample -> sample.figures.latency().p50());
        FIGURES.put("p99_us", sample -> sample.figures.latency().p99());
        FIGURES.put(
                "cpu_ms_per_round_trip.broker", sample -> sample.figures.cpu().broker());
        FIGURES.put(
                "cpu_ms_per_round_trip.client", sample -> sample.figures.cpu().client());
        FIGURES.put("cpu_of_none", Sample::cpuOfNone);
    }

    /**
     * One measurement, and those of the same load without protection right before and after.
     *
     * @param figures of the variant
     * @param before without protection
     * @param after without protection
     */
    record Sample(Figures figures, Figures before, Figures after) {
        /** Returns round trips per second, as a share of those without protection. */
        double shareOfNone() {
            return figures.rate() / ((before.rate() + after.rate()) / 2);
        }

        /** Returns processor time per round trip of both processes, as a multiple of that without protection. */
        double cpuOfNone() {
            return figures.cpu().both() / ((before.cpu().both() + after.cpu().both()) / 2);
        }
    }

    private final Variant variant;
    private final Load load;
    private final List<Sample> cold = new ArrayList<>();
    private final List<Sample> warm = new ArrayList<>();

    Row(Variant variant, Load load) {
        this.variant = variant;
        this.load = load;
    }

    /** Adds the samples of a block: right after connecting, and after that. */
    void add(Sample coldSample, Sample warmSample) {
        cold.add(coldSample);
        warm.add(warmSample);
    }

    /** Returns rows as they stand in JSON: medians, and below {@code runs} the figures that they are medians of. */
    static List<Result> results(List<Row> rows) {
        return rows.stream().map(row -> row.result(rows)).toList();
    }

    private Result result(List<Row> all) {
        Result result = Result.EMPTY
                .with("quality", variant.quality().label())
                .with("reuse", variant.reuse().json())
                .with("key", variant.protects() ? variant.key().label() : "none")
                .with("clients", load.clients())
                .with("queues", load.queues())
                .with("size", load.size())
                .with("placement", "broker")
                .with("journal", "NIO, datasync");
        for (Map.Entry<String, ToDoubleFunction<Sample>> figure : FIGURES.entrySet()) {
            result = result.with(figure.getKey(), median(sorted(warm, figure.getValue())));
        }
        result = result.with("share_of_unlimited", shareOfUnlimited(all));
        for (Map.Entry<String, ToDoubleFunction<Sample>> figure : FIGURES.entrySet()) {
            result = result.with("cold." + figure.getKey(), median(sorted(cold, figure.getValue())));
        }
        result = result.with("runs.count", warm.size());
        for (Map.Entry<String, ToDoubleFunction<Sample>> figure : FIGURES.entrySet()) {
            double[] sorted = sorted(warm, figure.getValue());
            result = result.with("runs." + figure.getKey() + ".median", median(sorted))
                    .with("runs." + figure.getKey() + ".min", sorted[0])
                    .with("runs." + figure.getKey() + ".max", sorted[sorted.length - 1]);
        }
        return result;
    }

    private static double[] sorted(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        return samples.stream().mapToDouble(figure).sorted().toArray();
    }

    static double median(double... sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Returns the rate with limited key reuse as a share of that without a limit, each relative to its own none; NaN
     * where there is no such row.
     */
    private double shareOfUnlimited(List<Row> all) {
        Variant unlimited = new Variant(variant.quality(), Reuse.UNLIMITED, variant.key());
        if (variant.quality() != QualityOfProtection.CONFIDENTIALITY || variant.equals(unlimited)) {
            return Double.NaN;
        }
        return all.stream()
                .filter(other -> other.variant.equals(unlimited) && other.load.equals(load))
                .mapToDouble(other -> median(IntStream.range(0, Math.min(warm.size(), other.warm.size()))
                        .mapToDouble(run -> warm.get(run).shareOfNone()
                                / other.warm.get(run).shareOfNone())
                        .sorted()
                        .toArray()))
                .findFirst()
                .orElse(Double.NaN);
    }
}
