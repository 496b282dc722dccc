/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Table;
import org.signetmq.perf.result.Table.Column;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.variant.Variant;

/** The tables, targets and charts of the round trips, from rows as they stand in JSON. */
public record RrReport(List<Result> rows) {
    private static final int BUSY_CLIENTS = 32;

    private static final Column<Result> ROW = new Column<>("row", "%-30s", RrReport::label);
    private static final Column<Result> CLIENTS = Table.text("clients", "%7d", "clients");
    private static final Column<Result> QUEUES = Table.text("queues", "%6d", "queues");
    private static final Table<Result> WARM = new Table<>(
            ROW,
            CLIENTS,
            QUEUES,
            Table.number("trips/s", "%9.0f", "round_trips_per_s"),
            Table.number("of none", "%7.3f", "share_of_none"),
            Table.number("least", "%6.3f", "runs.share_of_none.min"),
            Table.number("most", "%6.3f", "runs.share_of_none.max"),
            Table.number("p50 us", "%8.0f", "p50_us"),
            Table.number("p99 us", "%8.0f", "p99_us"),
            Table.number("broker ms", "%9.4f", "cpu_ms_per_round_trip.broker"),
            Table.number("client ms", "%9.4f", "cpu_ms_per_round_trip.client"),
            Table.number("cpu", "%7.3f", "cpu_of_none"),
            Table.number("of unl.", "%7.3f", "share_of_unlimited", ""));
    private static final Table<Result> COLD = new Table<>(
            ROW,
            CLIENTS,
            QUEUES,
            Table.number("trips/s", "%9.0f", "cold.round_trips_per_s"),
            Table.number("of none", "%7.3f", "cold.share_of_none"),
            Table.number("p50 us", "%8.0f", "cold.p50_us"),
            Table.number("p99 us", "%8.0f", "cold.p99_us"),
            Table.number("broker ms", "%9.4f", "cold.cpu_ms_per_round_trip.broker"),
            Table.number("client ms", "%9.4f", "cold.cpu_ms_per_round_trip.client"),
            Table.number("cpu", "%7.3f", "cold.cpu_of_none"));

    /** Returns the way a row was protected, as {@link Variant#label} says it. */
    private static String label(Result row) {
        String quality = row.text("quality");
        return quality.equals(Variant.UNPROTECTED.label())
                ? quality
                : quality + "." + row.text("reuse") + "." + row.text("key");
    }

    void print(PrintStream out) {
        out.println("sealed by the broker's plugin, opened by the client library; journal NIO with datasync;"
                + " none: no policy, plain Artemis client");
        out.println("medians of the runs; of none: relative to the blocks of none right before and after");
        WARM.print(rows, out);
        out.printf("%nright after connecting: no client knows a key yet%n");
        COLD.print(rows, out);
    }

    /** Returns all targets for each load of enough clients. */
    public List<Target> targets() {
        List<String> loads = rows.stream()
                .filter(row -> row.number("clients") >= BUSY_CLIENTS)
                .map(RrReport::load)
                .distinct()
                .toList();
        return (loads.isEmpty() ? List.of("at least " + BUSY_CLIENTS + " clients") : loads)
                .stream().flatMap(this::targets).toList();
    }

    private Stream<Target> targets(String load) {
        return Stream.of(
                target("confidentiality.32.p256", load, "share_of_none", Bar.atLeast(0.95)),
                target("confidentiality.32.p256", load, "share_of_unlimited", Bar.atLeast(0.99)),
                target("confidentiality.32.p256", load, "cpu_of_none", Bar.atMost(1.05)),
                target("integrity.0.p256", load, "share_of_none", Bar.atLeast(0.75)),
                target("privacy.0.p256", load, "share_of_none", Bar.atLeast(0.65)));
    }

    private static String load(Result row) {
        return row.text("clients") + " clients, " + row.text("queues") + (row.is("queues", 1) ? " queue" : " queues");
    }

    private Target target(String variant, String load, String figure, Bar bar) {
        List<Figure> figures = rows.stream()
                .filter(row -> label(row).equals(variant) && load(row).equals(load))
                .map(row -> figure(row, figure))
                .toList();
        return bar.target(variant + ", " + load + ": " + figure, figures);
    }

    /** Returns a figure that is noisy if the runs differ by much. */
    private static Figure figure(Result row, String field) {
        String runs = "runs." + (field.equals("share_of_unlimited") ? "share_of_none" : field);
        return Figure.scattered(row.number(field), row.number(runs + ".max") / row.number(runs + ".min"));
    }

    void draw(ChartFolder folder) throws IOException {
        draw(folder, "rr-rate", "Round trips per second", "1/s", "round_trips_per_s");
        draw(folder, "rr-share", "Round trips per second, relative to none", "share", "share_of_none");
        String cpu = "cpu_ms_per_round_trip.";
        draw(folder, "rr-cpu-broker", "Processor time of the broker per round trip", "ms", cpu + "broker");
        draw(folder, "rr-cpu-client", "Processor time of the clients per round trip", "ms", cpu + "client");
    }

    private void draw(ChartFolder folder, String file, String title, String unit, String figure) throws IOException {
        Axes axes = new Axes(title, "clients", unit, Scale.LINEAR);
        folder.bars(
                file, new Chart<>(axes, RrReport::label, row -> row.text("clients"), row -> row.number(figure)), rows);
    }
}
