/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.primitive.PrimitiveCost;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.statistics.Sample;

/**
 * The row of one setting under one load, from all its blocks.
 *
 * @param baseline the setting that it is compared with
 * @param ofLoad all blocks of the load
 */
record Row(Setting setting, Setting baseline, Load load, List<Result> ofLoad) {
    static final String SHARE = "share_of_none";
    static final String ADDED_CPU = "added_cpu_ms";
    static final String LIMIT = "limit_of_share";

    private static final String ROUND = "round";
    private static final String POSITION = "position";
    private static final String PACE = "pace";
    private static final List<String> FIGURES = List.of(
            "p50_us",
            "p99_us",
            "p999_us",
            Block.BROKER_CPU,
            Block.CLIENT_CPU,
            Block.DISK_CPU,
            "disk_bytes_per_message",
            "wire_bytes_per_message",
            "unwraps_per_message",
            "keys_per_message",
            Block.KEY_WAITS,
            Block.BROKER_HEAP,
            "gc_ms_per_s.broker",
            "gc_ms_per_s.client",
            "jit_ms_per_s.broker",
            "jit_ms_per_s.client");

    /** Returns the rows of all settings and loads that have blocks, in the order of the plan. */
    static List<Result> all(Plan plan, List<Result> blocks, PrimitiveCost primitives) {
        List<Result> rows = new ArrayList<>();
        for (Load load : plan.loads()) {
            List<Result> ofLoad = blocks.stream()
                    .filter(block ->
                            block.is(Blocks.PART, plan.part()) && Load.of(block).equals(load))
                    .toList();
            for (Setting setting : plan.settings()) {
                new Row(setting, plan.baseline(), load, ofLoad)
                        .result(primitives)
                        .map(row -> plan.part().isEmpty() ? row : row.with(Blocks.PART, plan.part()))
                        .ifPresent(rows::add);
            }
        }
        return rows.stream().map(row -> withShareOfUnlimited(row, rows)).toList();
    }

    private Optional<Result> result(PrimitiveCost primitives) {
        List<Result> closed = blocks(setting, Blocks.CLOSED);
        if (closed.isEmpty()) {
            return Optional.empty();
        }
        Result row = setting.json();
        for (Map.Entry<String, ?> field : fields(load.json()).entrySet()) {
            row = row.with(field.getKey(), field.getValue());
        }
        row = withSample(row.with("blocks", closed.size()), Block.RATE, values(closed, Block.RATE));
        row = withSample(row, SHARE, compared(Comparison.SHARE));
        row = withSample(row, ADDED_CPU, compared(Comparison.ADDED_CPU));
        row = withLimit(row, primitives);
        for (String figure : FIGURES) {
            List<Double> values = values(closed, figure);
            if (!values.isEmpty()) {
                row = row.with(figure, new Sample(values).median());
            }
        }
        return Optional.of(withPaces(row));
    }

    private static Map<String, Object> fields(Result result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        result.json().properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    private static Result withSample(Result row, String field, List<Double> values) {
        if (values.isEmpty()) {
            return row;
        }
        Sample sample = new Sample(values);
        return row.with(field, sample.median())
                .with("runs." + field + ".min", sample.minimum())
                .with("runs." + field + ".max", sample.maximum())
                .with("runs." + field + ".low", sample.interval().low())
                .with("runs." + field + ".high", sample.interval().high());
    }

    /** Adds the share that the bare primitives alone would leave, when the processor is the bottleneck. */
    private Result withLimit(Result row, PrimitiveCost primitives) {
        List<Double> ofBaseline =
                blocks(baseline, Blocks.CLOSED).stream().map(Row::cpu).toList();
        if (!setting.protection().isSignet() || ofBaseline.isEmpty()) {
            return row;
        }
        double none = new Sample(ofBaseline).median();
        double added =
                2 * primitives.ofMessage(setting.protection().quality().orElseThrow(), setting.key(), load.size());
        double limit = none / (none + added);
        return row.with("limit_cpu_ms", none + added)
                .with(LIMIT, limit)
                .with("share_of_limit", row.number(SHARE) / limit);
    }

    private Result withPaces(Result of) {
        Result row = of;
        List<Double> paces = ofLoad.stream()
                .map(block -> block.number(PACE))
                .filter(pace -> pace != Blocks.CLOSED)
                .distinct()
                .toList();
        for (double pace : paces) {
            List<Result> blocks = blocks(setting, pace);
            String prefix = "at_" + Math.round(100 * pace) + "_percent.";
            for (String figure : List.of(Block.RATE, "p50_us", "p99_us", "p999_us")) {
                List<Double> values = values(blocks, figure);
                if (!values.isEmpty()) {
                    row = row.with(prefix + figure, new Sample(values).median());
                }
            }
        }
        return row;
    }

    /** A figure of a block, compared with those of the baseline before and after it. */
    private enum Comparison {
        SHARE {
            @Override
            double of(Result block, Result before, Result after, double weight) {
                return block.number(Block.RATE) / mixed(before.number(Block.RATE), after.number(Block.RATE), weight);
            }
        },
        ADDED_CPU {
            @Override
            double of(Result block, Result before, Result after, double weight) {
                return cpu(block) - mixed(cpu(before), cpu(after), weight);
            }
        };

        /** Compares; the nearer block of the baseline weighs more. */
        abstract double of(Result block, Result before, Result after, double weight);

        static double mixed(double before, double after, double weightOfAfter) {
            return before * (1 - weightOfAfter) + after * weightOfAfter;
        }
    }

    private List<Double> compared(Comparison comparison) {
        List<Double> values = new ArrayList<>();
        for (Result block : blocks(setting, Blocks.CLOSED)) {
            List<Result> others = blocks(baseline, Blocks.CLOSED).stream()
                    .filter(other -> other.is(ROUND, block.text(ROUND)))
                    .sorted(Comparator.comparingDouble(other -> other.number(POSITION)))
                    .toList();
            double position = block.number(POSITION);
            Optional<Result> before = last(others.stream().filter(other -> other.number(POSITION) < position));
            Optional<Result> after = others.stream()
                    .filter(other -> other.number(POSITION) > position)
                    .findFirst();
            if (before.isPresent() && after.isPresent()) {
                double from = before.get().number(POSITION);
                double weight = (position - from) / (after.get().number(POSITION) - from);
                values.add(comparison.of(block, before.get(), after.get(), weight));
            }
        }
        return values;
    }

    private static Optional<Result> last(Stream<Result> results) {
        return results.reduce((first, second) -> second);
    }

    private List<Result> blocks(Setting of, double pace) {
        return ofLoad.stream()
                .filter(block -> block.is("setting", of.label()) && block.number(PACE) == pace)
                .toList();
    }

    private static List<Double> values(List<Result> blocks, String field) {
        return blocks.stream()
                .filter(block -> block.has(field))
                .map(block -> block.number(field))
                .toList();
    }

    /** Returns the processor time of all processes. */
    private static double cpu(Result block) {
        double disk = block.has(Block.DISK_CPU) ? block.number(Block.DISK_CPU) : 0;
        return block.number(Block.BROKER_CPU) + block.number(Block.CLIENT_CPU) + disk;
    }

    /** Adds the rate with limited key reuse as a share of that without a limit; each is relative to the baseline. */
    private static Result withShareOfUnlimited(Result row, List<Result> rows) {
        Setting setting = Setting.of(row);
        Setting unlimited = setting.unlimited();
        if (!setting.protection().reusesKeys() || setting.equals(unlimited)) {
            return row;
        }
        return rows.stream()
                .filter(other ->
                        other.is("setting", unlimited.label()) && Load.of(other).equals(Load.of(row)))
                .findFirst()
                .map(other -> row.with("share_of_unlimited", row.number(SHARE) / other.number(SHARE)))
                .orElse(row);
    }
}
