/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.pair.Block;
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
import org.signetmq.perf.statistics.Sample;

/** The tables, targets and charts of round trips, from rows as they stand in JSON. */
public record RrReport(List<Result> rows) implements Report {
    private static final int BUSY_CLIENTS = 32;
    private static final String LATENCY = "p50_us";
    private static final String CONFIDENTIALITY = "confidentiality.32.p256";
    private static final String PRIVACY = "privacy.p256";

    private static final List<Column<Result>> NAMES = List.of(
            Table.text("setting", "%-30s", "setting"),
            Table.text("clients", "%7d", "clients"),
            Table.text("queues", "%6d", "queues"),
            Table.text("bytes", "%6d", "size"));
    private static final Table<Result> RATES = table(
            Table.number("trips/s", "%9.0f", Block.RATE),
            Table.number("of none", "%7.3f", Row.SHARE, ""),
            Table.number("low", "%6.3f", "runs." + Row.SHARE + ".low", ""),
            Table.number("high", "%6.3f", "runs." + Row.SHARE + ".high", ""),
            Table.number("limit", "%6.3f", Row.LIMIT, ""),
            Table.number("of limit", "%8.3f", "share_of_limit", ""),
            Table.number("of unl.", "%7.3f", "share_of_unlimited", ""),
            new Column<>("", "%s", RrReport::remark));
    private static final Table<Result> COSTS = table(
            Table.number("broker ms", "%9.4f", Block.BROKER_CPU),
            Table.number("client ms", "%9.4f", Block.CLIENT_CPU),
            Table.number("added ms", "%8.4f", Row.ADDED_CPU, ""),
            Table.number("journal B", "%9.0f", "disk_bytes_per_message", ""),
            Table.number("wire B", "%7.0f", "wire_bytes_per_message", ""),
            Table.number("unwraps", "%7.4f", "unwraps_per_message"),
            Table.number("keys", "%6.4f", "keys_per_message", ""),
            Table.number("gc b", "%5.1f", "gc_ms_per_s.broker"),
            Table.number("gc c", "%5.1f", "gc_ms_per_s.client"),
            Table.number("jit b", "%6.1f", "jit_ms_per_s.broker"),
            Table.number("jit c", "%6.1f", "jit_ms_per_s.client"),
            new Column<>("", "%s", row -> RowFigure.isWarm(row) ? "" : "compilers at work"));
    private static final Table<Result> LATENCIES = table(
            Table.number("p50 us", "%8.0f", LATENCY),
            Table.number("p99 us", "%8.0f", "p99_us"),
            Table.number("p99.9 us", "%8.0f", "p999_us"),
            Table.number("50 %: p50", "%9.0f", "at_50_percent.p50_us", ""),
            Table.number("p99", "%8.0f", "at_50_percent.p99_us", ""),
            Table.number("p99.9", "%8.0f", "at_50_percent.p999_us", ""),
            Table.number("80 %: p50", "%9.0f", "at_80_percent.p50_us", ""),
            Table.number("p99", "%8.0f", "at_80_percent.p99_us", ""),
            Table.number("p99.9", "%8.0f", "at_80_percent.p999_us", ""));

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Table<Result> table(Column<Result>... columns) {
        return new Table<>(Stream.concat(NAMES.stream(), Stream.of(columns)).toList());
    }

    /** Says so if the blocks cannot tell the row apart from the baseline. */
    private static String remark(Result row) {
        double low = row.number("runs." + Row.SHARE + ".low");
        double high = row.number("runs." + Row.SHARE + ".high");
        boolean isApart = row.number("blocks") >= Sample.ENOUGH_ROUNDS && !(low <= 1 && high >= 1);
        return !isApart && !row.is("setting", "none") && !Double.isNaN(low) ? "not apart from none" : "";
    }

    /** Prints all tables. */
    public void print(PrintStream out) {
        out.println("each setting in processes of its own; medians of blocks; of none: relative to the blocks of none"
                + " before and after; low, high: 95 % interval");
        RATES.print(rows, out);
        out.printf("%nprocessor time a round trip, bytes a message, ms of collector and compiler a second%n");
        COSTS.print(rows, out);
        out.printf("%nlatency: requests that follow replies; requests at 50 and 80 %% of none's rate%n");
        LATENCIES.print(rows, out);
    }

    /** Returns all targets: latencies for loads of one client, throughput for loads of enough clients. */
    @Override
    public List<Target> targets() {
        List<String> busy = loads(BUSY_CLIENTS, Integer.MAX_VALUE);
        return Stream.concat(
                        loads(1, 1).stream().flatMap(this::latencies),
                        (busy.isEmpty() ? List.of("at least " + BUSY_CLIENTS + " clients") : busy)
                                .stream().flatMap(this::throughputs))
                .toList();
    }

    private List<String> loads(int leastClients, int mostClients) {
        return rows.stream()
                .filter(row -> row.number("clients") >= leastClients && row.number("clients") <= mostClients)
                .map(RrReport::load)
                .distinct()
                .toList();
    }

    private Stream<Target> latencies(String load) {
        return Stream.of(latency(CONFIDENTIALITY, load, Bar.atMost(1.05)), latency(PRIVACY, load, Bar.atMost(1.15)));
    }

    private Stream<Target> throughputs(String load) {
        return Stream.of(
                target(CONFIDENTIALITY, load, Row.SHARE, Bar.atLeast(0.95)),
                target(CONFIDENTIALITY, load, "share_of_unlimited", Bar.atLeast(0.99)),
                target(CONFIDENTIALITY, load, Row.ADDED_CPU, Bar.atMost(0.020)),
                target("integrity.p256", load, "share_of_limit", Bar.atLeast(0.95)),
                target(PRIVACY, load, "share_of_limit", Bar.atLeast(0.95)),
                target("plain", load, Row.SHARE, Bar.atMost(1 / 0.99)));
    }

    private static String load(Result row) {
        return row.text("clients")
                + (row.is("clients", 1) ? " client, " : " clients, ")
                + row.text("queues")
                + (row.is("queues", 1) ? " queue" : " queues");
    }

    private Target target(String setting, String load, String field, Bar bar) {
        return bar.target(setting + ", " + load + ": " + field, figures(setting, load, field));
    }

    /** Returns a target for the latency of a setting over that of none. */
    private Target latency(String setting, String load, Bar bar) {
        List<Figure> ratios = figures(setting, load, LATENCY).stream()
                .flatMap(figure -> figures("none", load, LATENCY).stream().map(figure::over))
                .toList();
        return bar.target(setting + ", " + load + ": " + LATENCY + " / none's", ratios);
    }

    private List<Figure> figures(String setting, String load, String field) {
        return rows.stream()
                .filter(row -> row.is("setting", setting) && load(row).equals(load))
                .map(row -> RowFigure.of(row, row.number(field)))
                .toList();
    }

    /** Draws all charts. */
    @Override
    public void draw(ChartFolder folder) throws IOException {
        draw(folder, "rr-rate", "Round trips per second", "1/s", Block.RATE);
        draw(folder, "rr-share", "Round trips per second, relative to none", "share", Row.SHARE);
        draw(folder, "rr-cpu-broker", "Processor time of the broker per round trip", "ms", Block.BROKER_CPU);
        draw(folder, "rr-cpu-client", "Processor time of the clients per round trip", "ms", Block.CLIENT_CPU);
    }

    private void draw(ChartFolder folder, String file, String title, String unit, String figure) throws IOException {
        Axes axes = new Axes(title, "clients", unit, Scale.LINEAR);
        List<Result> drawn = rows.stream().filter(row -> row.has(figure)).toList();
        folder.bars(
                file,
                new Chart<>(axes, row -> row.text("setting"), row -> row.text("clients"), row -> row.number(figure)),
                drawn);
    }
}
