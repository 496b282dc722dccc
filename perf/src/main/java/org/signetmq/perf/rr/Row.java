/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/** The figures of one variant under one load, cold and warm, from a block of each run. */
record Row(Variant variant, Load load, List<Result> cold, List<Result> warm) {
    static final String RATE = "round_trips_per_s";
    static final String BROKER_CPU = "cpu_ms_per_round_trip.broker";
    static final String CLIENT_CPU = "cpu_ms_per_round_trip.client";

    private static final String SHARE = "share_of_none";
    private static final String CPU = "cpu_of_none";
    private static final List<String> FIGURES = List.of(RATE, SHARE, "p50_us", "p99_us", BROKER_CPU, CLIENT_CPU, CPU);

    Row(Variant variant, Load load) {
        this(variant, load, new ArrayList<>(), new ArrayList<>());
    }

    /** Adds the figures of a block, and compares them with those without protection right before and after it. */
    void add(Block.Measured block, Block.Measured before, Block.Measured after) {
        cold.add(compared(block.cold(), before.cold(), after.cold()));
        warm.add(compared(block.warm(), before.warm(), after.warm()));
    }

    private static Result compared(Result figures, Result before, Result after) {
        return figures.with(SHARE, figures.number(RATE) / ((before.number(RATE) + after.number(RATE)) / 2))
                .with(CPU, cpu(figures) / ((cpu(before) + cpu(after)) / 2));
    }

    /** Returns the processor time of both processes. */
    private static double cpu(Result figures) {
        return figures.number(BROKER_CPU) + figures.number(CLIENT_CPU);
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
        result = withMedians(result, "", warm).with("share_of_unlimited", shareOfUnlimited(all));
        result = withMedians(result, "cold.", cold).with("runs.count", warm.size());
        for (String figure : FIGURES) {
            double[] sorted = sorted(warm, figure);
            result = result.with("runs." + figure + ".median", median(sorted))
                    .with("runs." + figure + ".min", sorted[0])
                    .with("runs." + figure + ".max", sorted[sorted.length - 1]);
        }
        return result;
    }

    private static Result withMedians(Result row, String prefix, List<Result> runs) {
        Result result = row;
        for (String figure : FIGURES) {
            result = result.with(prefix + figure, median(sorted(runs, figure)));
        }
        return result;
    }

    private static double[] sorted(List<Result> runs, String figure) {
        return runs.stream().mapToDouble(run -> run.number(figure)).sorted().toArray();
    }

    static double median(double... sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * Returns the rate with limited key reuse as a share of that without a limit. Each rate is relative to its own
     * none. NaN without such a row.
     */
    private double shareOfUnlimited(List<Row> all) {
        Variant unlimited = new Variant(variant.quality(), Reuse.UNLIMITED, variant.key());
        if (variant.quality() != QualityOfProtection.CONFIDENTIALITY || variant.equals(unlimited)) {
            return Double.NaN;
        }
        for (Row other : all) {
            if (other.variant.equals(unlimited) && other.load.equals(load)) {
                return median(IntStream.range(0, Math.min(warm.size(), other.warm.size()))
                        .mapToDouble(run -> warm.get(run).number(SHARE)
                                / other.warm.get(run).number(SHARE))
                        .sorted()
                        .toArray());
            }
        }
        return Double.NaN;
    }
}
