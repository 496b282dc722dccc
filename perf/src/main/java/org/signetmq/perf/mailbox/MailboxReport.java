/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Beside;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Report;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Table.Column;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;

/** The tables, targets and charts of uploads, from rows as they stand in JSON. */
public record MailboxReport(List<Result> rows) implements Report {
    /** What the published tuning gained: from 140 to 175 files a second. */
    private static final double PUBLISHED_GAIN = 175.0 / 140;

    private static final double NO_LOSS = 0.95;

    private static final List<Column<Result>> NAMES = List.of(
            Table.text("keys", "%-12s", Rows.SITUATION),
            Table.text("arrival", "%-7s", Rows.ARRIVAL),
            Table.text("small %", "%7s", Rows.SMALL),
            Table.text("pool", "%-8s", Rows.POOL));
    private static final Table<Result> RATES = table(
            Table.number("files/s", "%8.0f", Rows.RATE),
            Table.number("min", "%6.0f", "runs." + Rows.RATE + ".min"),
            Table.number("max", "%6.0f", "runs." + Rows.RATE + ".max"),
            Table.number("x off", "%6.3f", Rows.SHARE, ""),
            Table.number("low", "%6.3f", "runs." + Rows.SHARE + ".low", ""),
            Table.number("high", "%6.3f", "runs." + Rows.SHARE + ".high", ""),
            Table.number("p50 us", "%8.0f", "p50_us"),
            Table.number("p99 us", "%8.0f", "p99_us"));
    private static final Table<Result> COSTS = table(
            Table.number("broker ms", "%9.3f", Rows.BROKER_CPU),
            Table.number("client ms", "%9.3f", Rows.CLIENT_CPU),
            Table.number("key waits", "%9.3f", Block.KEY_WAITS),
            Table.number("heap MB", "%8.1f", Block.BROKER_HEAP),
            Table.number("gc b", "%5.1f", "gc_ms_per_s.broker"),
            Table.number("jit b", "%6.1f", Block.BROKER_JIT));

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Table<Result> table(Column<Result>... columns) {
        return new Table<>(Stream.concat(NAMES.stream(), Stream.of(columns)).toList());
    }

    /** Prints all tables. */
    void print(PrintStream out) {
        out.println("each setting in processes of its own; medians of blocks; x off: relative to the blocks of off"
                + " before and after; low, high: 95 % interval; bursts: rate without pauses");
        RATES.print(rows, out);
        out.printf(
                "%nprocessor time of a file; files that waited for a key; heap of the broker at rest; a stream may use"
                        + " keys that were made before it: at most half a pool%n");
        COSTS.print(rows, out);
    }

    /** Returns all targets. */
    @Override
    public List<Target> targets() {
        return groups().values().stream().flatMap(MailboxReport::targets).toList();
    }

    /** Returns the rows of all pools for each kind of uploads. */
    private Map<String, List<Result>> groups() {
        return rows.stream()
                .collect(Collectors.groupingBy(MailboxReport::name, LinkedHashMap::new, Collectors.toList()));
    }

    private static Stream<Target> targets(List<Result> group) {
        String name = name(group.get(0));
        Figure auto = share(group, isOf(KeySupply.AUTO));
        Figure tuned = share(group, isOf(Situation.TUNED));
        Bar gain = Bar.atLeast(isKeyBound(group.get(0)) ? PUBLISHED_GAIN : NO_LOSS);
        List<Target> targets = new ArrayList<>(List.of(
                gain.target(name + ": auto / off", List.of(auto)),
                Bar.atLeast(NO_LOSS)
                        .target(
                                name + ": auto / best manual",
                                List.of(auto.over(share(group, MailboxReport::isManual))))));
        if (group.stream().anyMatch(isOf(Situation.DEFAULT))) {
            targets.add(Bar.atLeast(NO_LOSS)
                    .target(
                            "shape: " + name + ": " + Situation.TUNED + " / " + Situation.DEFAULT + ", 2022: 1.25",
                            List.of(tuned.over(share(group, isOf(Situation.DEFAULT))))));
        }
        return targets.stream();
    }

    /** Tells whether making keys takes most of the time, and pauses leave time to make them ahead. */
    private static boolean isKeyBound(Result row) {
        return row.is("key", KeyKind.RSA2048.label())
                && row.number("recipients") >= Situation.MANY
                && row.is(Rows.ARRIVAL, Arrival.BURSTS.label());
    }

    private static Predicate<Result> isOf(String pool) {
        return row -> row.is(Rows.POOL, pool);
    }

    private static boolean isManual(Result row) {
        return !row.is(Rows.POOL, KeySupply.AUTO) && !row.is(Rows.POOL, KeySupply.OFF);
    }

    /** Returns the largest share of these rows; NaN if there is none. */
    private static Figure share(List<Result> group, Predicate<Result> counted) {
        String runs = "runs." + Rows.SHARE;
        Optional<Result> best = group.stream()
                .filter(counted.and(row -> row.has(Rows.SHARE)))
                .max(Comparator.comparingDouble(row -> row.number(Rows.SHARE)));
        return best.map(row ->
                        Figure.scattered(row.number(Rows.SHARE), row.number(runs + ".max") / row.number(runs + ".min")))
                .orElse(Figure.exact(Double.NaN));
    }

    private static String name(Result row) {
        return row.has(Rows.ARRIVAL)
                ? row.text(Rows.SITUATION) + ", " + row.text(Rows.ARRIVAL) + ", " + row.text(Rows.SMALL) + " % small"
                : row.text(Rows.SITUATION);
    }

    @Override
    public String source() {
        return "IBM Sterling B2B Integrator, Global Mailbox 6.1: key pre-generation for small files, December 2022";
    }

    /** Returns the published gain of tuning beside ours, where the published default was measured too. */
    @Override
    public List<Beside> beside() {
        return groups().values().stream()
                .filter(group -> group.stream().anyMatch(isOf(Situation.DEFAULT)))
                .flatMap(group -> {
                    double usual = share(group, isOf(Situation.DEFAULT)).value();
                    return Stream.of(Situation.TUNED, KeySupply.AUTO)
                            .map(pool -> new Beside(
                                    name(group.get(0)) + ": pool " + pool + " / " + Situation.DEFAULT,
                                    PUBLISHED_GAIN,
                                    share(group, isOf(pool)).value() / usual,
                                    "mailbox"));
                })
                .toList();
    }

    /** Draws the rates beside that without a pool, and beside that of the published default. */
    @Override
    public void draw(ChartFolder folder) throws IOException {
        draw(folder, "mailbox", "Files per second, relative to no pool", rows);
        List<Result> beside =
                new ArrayList<>(List.of(published(Situation.DEFAULT, 1), published(Situation.TUNED, PUBLISHED_GAIN)));
        for (List<Result> group : groups().values()) {
            double usual = share(group, isOf(Situation.DEFAULT)).value();
            group.stream()
                    .filter(row -> row.has(Rows.SHARE) && !Double.isNaN(usual))
                    .map(row -> row.with(Rows.SHARE, row.number(Rows.SHARE) / usual))
                    .forEach(beside::add);
        }
        draw(folder, "mailbox-published", "Files per second, relative to pool " + Situation.DEFAULT, beside);
    }

    private static Result published(String pool, double share) {
        return Result.EMPTY
                .with(Rows.POOL, pool)
                .with(Rows.SITUATION, "published")
                .with(Rows.SHARE, share);
    }

    private static void draw(ChartFolder folder, String file, String title, List<Result> rows) throws IOException {
        folder.bars(
                file,
                new Chart<>(
                        new Axes(title, "uploads", "ratio", Scale.LINEAR),
                        row -> row.text(Rows.POOL),
                        MailboxReport::name,
                        row -> row.number(Rows.SHARE)),
                rows);
    }
}
