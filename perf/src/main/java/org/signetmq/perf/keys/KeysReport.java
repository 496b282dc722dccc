/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.Bar;
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

/** The tables, targets and charts of the key experiments, from rows as they stand in JSON. */
public record KeysReport(List<Result> rows) implements Report {
    /** The share of the best manual setting's rate that the automatic one reaches. */
    private static final double AUTO_SHARE = 0.95;

    /** A key that serves 32 messages is unwrapped once, or hardly more often. */
    private static final double MOST_UNWRAPS = 1.05 / UnwrapCount.REUSE;

    /** The published gain of (32,1000) over (4,100), where making keys limited the rate. */
    private static final double PUBLISHED_GAIN = 1.25;

    private static final Column<Result> EXPERIMENT = Table.text("exp", "%-6s", "experiment");
    private static final Column<Result> KEYS = Table.text("keys", "%-14s", "keys");
    private static final Column<Result> ARRIVAL = Table.text("arrival", "%-12s", "arrival");
    private static final Column<Result> MIX = Table.text("mix", "%-6s", "mix");
    private static final Table<Result> POOLS = new Table<>(
            EXPERIMENT,
            KEYS,
            ARRIVAL,
            MIX,
            Table.text("pool", "%-11s", "pool"),
            Table.number("files/s", "%10.0f", "files_per_s", "unsteady"),
            Table.number("x off", "%8.2f", "share_of_off", ""),
            Table.number("p50 us", "%10.1f", "p50_us"),
            Table.number("p99 us", "%10.1f", "p99_us"),
            Table.number("dry", "%6.2f", "dry_share"));

    /** Where the published tuning gains, where pooling can gain at all, and whether auto gains it without tuning. */
    private static final Table<Result> AUTO = new Table<>(
            EXPERIMENT,
            KEYS,
            ARRIVAL,
            MIX,
            Table.number("tuned/default", "%13.2f", "tuned", ""),
            new Column<>("+25%", "%5s", row -> row.has("tuned") ? met(row.number("tuned") >= PUBLISHED_GAIN) : ""),
            Table.number("best/off", "%9.2f", "best_of_off"),
            Table.number("auto/best", "%10.2f", "auto_share"),
            new Column<>("met", "%5s", row -> met(isAutoMet(row))));

    private static final Table<Result> HEAP =
            new Table<>(KEYS, Table.number("heap bytes/key", "%16.0f", "bytes_per_key"));

    private static final Table<Result> UNWRAPS = new Table<>(
            Table.text("producers", "%-10d", "producers"),
            Table.text("cache", "%8d", "cache"),
            Table.number("unwraps/message", "%20.5f", "unwraps_per_message"),
            new Column<>("met", "%5s", row -> isTooSmall(row) ? "" : met(!isMissed(row))));

    private static String met(boolean isMet) {
        return isMet ? "yes" : "no";
    }

    private static boolean isAutoMet(Result summary) {
        return summary.number("auto_share") >= AUTO_SHARE;
    }

    /** Tells whether a cache is too small for all producers: it shows the use of a larger one. */
    private static boolean isTooSmall(Result row) {
        return row.number("cache") < row.number("producers");
    }

    private static boolean isMissed(Result row) {
        return row.number("unwraps_per_message") > MOST_UNWRAPS;
    }

    boolean isUnwrapMissed() {
        return rows.stream().anyMatch(row -> !isTooSmall(row) && isMissed(row));
    }

    private List<Result> having(String field) {
        return rows.stream().filter(row -> row.has(field)).toList();
    }

    void print(PrintStream out) {
        POOLS.print(having("pool"), out);
        out.println();
        List<Result> summaries = situations().stream().map(KeysReport::summary).toList();
        AUTO.print(summaries, out);
        long met = summaries.stream().filter(KeysReport::isAutoMet).count();
        out.printf(
                "%nauto reaches %.0f %% of the best manual setting in %d of %d situations; tuned: %s, default: %s%n",
                100 * AUTO_SHARE, met, summaries.size(), Pool.TUNED.name(), Pool.DEFAULT.name());
        out.println();
        HEAP.print(having("bytes_per_key"), out);
        out.printf("%nE3b, reuse 32%n");
        UNWRAPS.print(having("producers"), out);
    }

    private Collection<List<Result>> situations() {
        return having("pool").stream()
                .collect(Collectors.groupingBy(KeysReport::situation, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static String situation(Result row) {
        return row.text("experiment") + " " + row.text("keys") + ", " + row.text("arrival") + ", " + row.text("mix");
    }

    private static Result summary(List<Result> situation) {
        double tuned = most(situation, isOf(Pool.TUNED), "files_per_s");
        return situation
                .get(0)
                .with("tuned", tuned / most(situation, isOf(Pool.DEFAULT), "files_per_s"))
                .with("best_of_off", most(situation, isOf(Pool.AUTO).negate(), "share_of_off"))
                .with("auto_share", most(situation, isOf(Pool.AUTO), "share_of_best"));
    }

    private static Predicate<Result> isOf(Pool pool) {
        return row -> row.is("pool", pool.name());
    }

    /** Returns the largest number of a field; NaN if there is none. */
    private static double most(List<Result> rows, Predicate<Result> counted, String field) {
        return rows.stream()
                .filter(counted.and(row -> row.has(field)))
                .mapToDouble(row -> row.number(field))
                .max()
                .orElse(Double.NaN);
    }

    /** Returns all targets. */
    @Override
    public List<Target> targets() {
        Predicate<Result> isLargeCache = row -> row.number("cache") >= UnwrapCount.MOST_PRODUCERS;
        Figure unwraps = Figure.exact(most(rows, isLargeCache, "unwraps_per_message"));
        String name = "unwraps per message, reuse 32, up to " + UnwrapCount.MOST_PRODUCERS + " producers";
        List<Target> targets = new ArrayList<>(List.of(Bar.atMost(MOST_UNWRAPS).target(name, List.of(unwraps))));
        for (List<Result> situation : situations()) {
            // as noisy as the automatic setting or the best manual one
            double spread = most(situation, isOf(Pool.AUTO).or(row -> row.number("share_of_best") == 1), "spread");
            Figure share = Figure.scattered(most(situation, isOf(Pool.AUTO), "share_of_best"), spread);
            String auto = "auto / best manual: " + situation(situation.get(0));
            targets.add(Bar.atLeast(AUTO_SHARE).target(auto, List.of(share)));
        }
        return targets;
    }

    @Override
    public void draw(ChartFolder folder) throws IOException {
        for (Arrival arrival : Arrival.values()) {
            List<Result> ofArrival = rows.stream()
                    .filter(row -> row.is("experiment", "E1a/b") && row.is("arrival", arrival))
                    .toList();
            folder.bars("keys-" + arrival.toString().replace(' ', '-'), sharesOfOff(arrival), ofArrival);
        }
        Axes axes = new Axes("Keys unwrapped, reuse 32", "producers by turns", "unwraps per message", Scale.LINEAR);
        Chart<Result> unwraps = new Chart<>(
                axes,
                row -> "cache of " + row.text("cache"),
                row -> row.text("producers"),
                row -> row.number("unwraps_per_message"));
        folder.lines("keys-unwraps", unwraps, having("producers"));
    }

    /** Returns the chart of how many times the rate without a pool each pool reaches; no bar of an unsteady run. */
    static Chart<Result> sharesOfOff(Arrival arrival) {
        return new Chart<>(
                new Axes("Keys made ahead, " + arrival, "", "files/s, times those without a pool", Scale.LOGARITHMIC),
                row -> row.text("pool"),
                row -> row.text("keys"),
                row -> row.number("share_of_off"));
    }
}
