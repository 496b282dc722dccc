/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.result.Sample;

/**
 * Runs experiments, and keeps their rows. A part that fails is reported at once, and the others go on: figures must not
 * be lost with the last one. For one thread.
 */
public final class Runner {
    /** The column with the name of a contender. */
    public static final String SETTING = "setting";
    /** The column of the rate over that of the baseline in the blocks beside it. */
    public static final String SHARE = "share";
    /** The column of the processor time beyond that of the baseline. */
    public static final String ADDED_CPU = "added_cpu_ms";

    private static final String RATE = "rate";
    private static final String CPU = "cpu_ms";
    /** The blocks between two of the baseline. */
    private static final int GROUP = 2;

    private final boolean quick;
    private final Path folder;
    private final Consumer<String> progress;
    private final long begin = System.nanoTime();
    private final List<Row> rows = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /**
     * Makes a runner.
     *
     * @param quick whether a first look is wanted, within five minutes
     * @param folder where experiments with disks make theirs
     * @param progress gets lines for the user
     */
    public Runner(boolean quick, Path folder, Consumer<String> progress) {
        this.quick = quick;
        this.folder = folder;
        this.progress = progress;
    }

    public boolean isQuick() {
        return quick;
    }

    public Path folder() {
        return folder;
    }

    /** Returns all rows so far. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    public void add(Row row) {
        rows.add(row);
    }

    /** Returns what failed, each in one line. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Tells the user what happens. */
    public void say(String line) {
        Duration passed = Duration.ofNanos(System.nanoTime() - begin);
        progress.accept(String.format("%3d:%02d  %s", passed.toMinutes(), passed.toSecondsPart(), line));
    }

    /** What may fail. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    /** Runs a part, and returns whether it ended well; an interruption ends them all. */
    public boolean part(String name, Step step) throws InterruptedException {
        try {
            step.run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failures.add(name + ": " + Requests.reason(e));
            progress.accept("signet: error: " + name + ": " + Requests.reason(e));
            return false;
        }
    }

    /** A measured block, and its place among those of the round. */
    private record Block(int round, int position, Row figures) {}

    /**
     * Lets contenders take turns, and returns a row for each: the medians of its blocks, and its share of the first
     * contender.
     *
     * @param names what tells the rows from those of other groups
     */
    public List<Row> turns(Row names, List<? extends Contender> contenders, int rounds) throws InterruptedException {
        Map<Contender, List<Block>> blocks = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            if (part(contender.name(), contender::prepare)) {
                blocks.put(contender, new ArrayList<>());
            }
        }
        List<Contender> all = new ArrayList<>(blocks.keySet());
        for (int round = 0; round < rounds; round++) {
            int position = 0;
            for (Contender contender : order(all, round)) {
                Block before = new Block(round, position++, Row.EMPTY);
                if (all.contains(contender)
                        && !part(
                                contender.name(),
                                () -> measure(
                                        contender, before, Objects.requireNonNull(blocks.get(contender)), rounds))) {
                    all.remove(contender); // the others go on
                    blocks.remove(contender);
                }
            }
        }
        List<Row> measured = new ArrayList<>();
        List<Block> baseline = blocks.getOrDefault(contenders.get(0), List.of());
        blocks.forEach((contender, own) -> measured.add(row(names.with(SETTING, contender.name()), own, baseline)));
        return measured;
    }

    private void measure(Contender contender, Block place, List<Block> blocks, int rounds) throws Exception {
        Row figures = contender.block();
        blocks.add(new Block(place.round, place.position, figures));
        say(String.format("%d/%d  %-36s %9.1f/s", place.round + 1, rounds, contender.name(), figures.number(RATE)));
    }

    /**
     * Returns the contenders of a round. The first one is measured first, last and after every second block, and odd
     * rounds go backwards. If the machine's speed drifts, it drifts for a contender and for the blocks beside it.
     */
    static <T> List<T> order(List<T> contenders, int round) {
        if (contenders.isEmpty()) {
            return List.of();
        }
        List<T> others = new ArrayList<>(contenders.subList(1, contenders.size()));
        if (round % 2 == 1) {
            Collections.reverse(others);
        }
        List<T> order = new ArrayList<>(contenders.subList(0, 1));
        for (int i = 0; i < others.size(); i++) {
            order.add(others.get(i));
            if (i % GROUP == GROUP - 1 || i == others.size() - 1) {
                order.add(contenders.get(0));
            }
        }
        return order;
    }

    private static Row row(Row names, List<Block> own, List<Block> baseline) {
        List<Row> figures = own.stream().map(Block::figures).toList();
        Sample rates = new Sample(Row.numbers(figures, RATE));
        Row row = names.with("rounds", own.size()).with(RATE, rates.median());
        double[] shares = beside(own, baseline, RATE, (value, of) -> value / of);
        if (shares.length > 0) {
            Sample sample = new Sample(shares);
            Sample.Interval interval = sample.interval();
            row = row.with(SHARE, sample.median())
                    .with("share_low", interval.low())
                    .with("share_high", interval.high())
                    .with(Pick.SPREAD, sample.spread());
        } else {
            row = row.with(Pick.SPREAD, rates.spread());
        }
        double[] added = beside(own, baseline, CPU, (value, of) -> value - of);
        if (added.length > 0) {
            row = row.with(ADDED_CPU, new Sample(added).median());
        }
        for (String column : figures.stream()
                .flatMap(block -> block.cells().keySet().stream())
                .distinct()
                .toList()) {
            double[] values = Row.numbers(figures, column);
            if (!row.has(column) && values.length > 0) {
                row = row.with(column, new Sample(values).median());
            }
        }
        return row;
    }

    /** Compares each block with those of the baseline before and after it; the nearer one weighs more. */
    private static double[] beside(
            List<Block> own, List<Block> baseline, String column, DoubleBinaryOperator comparison) {
        return own.stream()
                .flatMap(block -> {
                    Optional<Block> before = baseline.stream()
                            .filter(other -> other.round == block.round && other.position < block.position)
                            .reduce((first, second) -> second);
                    Optional<Block> after = baseline.stream()
                            .filter(other -> other.round == block.round && other.position > block.position)
                            .findFirst();
                    if (before.isEmpty() || after.isEmpty() || !block.figures.has(column)) {
                        return Stream.<Double>empty();
                    }
                    int from = before.get().position;
                    double weight = (double) (block.position - from) / (after.get().position - from);
                    double of = before.get().figures.number(column) * (1 - weight)
                            + after.get().figures.number(column) * weight;
                    return Stream.of(comparison.applyAsDouble(block.figures.number(column), of));
                })
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .toArray();
    }

    /** What is measured in blocks, by turns with others. */
    public interface Contender {
        /** Returns the name in results. */
        String name();

        /** Prepares for the blocks of this group. */
        default void prepare() throws Exception {}

        /** Measures a block. Its column {@code rate} is compared, and {@code cpu_ms} if there is one. */
        Row block() throws Exception;
    }
}
