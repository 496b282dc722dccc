/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Measured;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Place;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.variant.Payload;

/** The charts of the single operations. A chart for which too few rows were measured is left out. */
final class MicroPlots {
    private static final Map<String, String> USUAL = Map.of(
            "operation",
            "seal",
            "quality",
            "CONFIDENTIALITY",
            "size",
            Integer.toString(Payload.USUAL_SIZE),
            "recipients",
            "1",
            "reuse",
            "32");

    private final List<Measured> rows;
    private final ChartFolder folder;

    /** Charts of these rows; those that failed are not drawn. */
    MicroPlots(List<Measured> rows, ChartFolder folder) {
        this.rows = rows.stream().filter(row -> !row.failed()).toList();
        this.folder = folder;
    }

    void write() throws IOException {
        operations();
        peers();
        threads();
        scaling("micro-size", "size", "payload, bytes");
        scaling("micro-recipients", "recipients", "recipients");
        scaling("micro-reuse", "reuse", "messages per data key");
    }

    /** Draws our own rows that each set of providers has, side by side. */
    private void operations() throws IOException {
        Set<Crypto> sets = new TreeSet<>();
        rows.stream()
                .filter(row -> !row.row().isPeer())
                .forEach(row -> sets.add(row.row().crypto()));
        List<Measured> shown = new ArrayList<>();
        for (Crypto set : sets) {
            rows.stream()
                    .filter(row -> row.row().isPlain() && row.row().crypto() == set)
                    .filter(row ->
                            sets.stream().allMatch(other -> like(row, other).isPresent()))
                    .forEach(shown::add);
        }
        if (!shown.isEmpty()) {
            Place<Measured> place = new Place<>(
                    row -> row.row().crypto().toString(), row -> row.row().name(), Measured::microsPerOp);
            folder.write("micro-operations", new Chart<>(time("Single operations, 2 KB", ""), place).bars(shown));
        }
    }

    /** Draws each peer, and our row that does the same by its better providers. */
    private void peers() throws IOException {
        Map<String, Measured> best = new LinkedHashMap<>();
        rows.stream()
                .filter(row ->
                        row.row().isPlain() && (row.row().isPeer() || row.row().isConfidential()))
                .forEach(
                        row -> best.merge(row.row().name(), row, (a, b) -> a.microsPerOp() <= b.microsPerOp() ? a : b));
        if (rows.stream().anyMatch(row -> row.row().isPeer())) {
            Axes axes = time("Sealing and opening beside the peers, 2 KB", "");
            Place<Measured> place = new Place<>(row -> "us", row -> row.row().name(), Measured::microsPerOp);
            folder.write("micro-peers", new Chart<>(axes, place).bars(List.copyOf(best.values())));
        }
    }

    /** Draws the rate of two threads beside that of one. */
    private void threads() throws IOException {
        List<Measured> shown = rows.stream()
                .filter(row -> row.row().threads() == 2)
                .flatMap(two -> like(two, two.row().crypto()).stream().flatMap(one -> Stream.of(one, two)))
                .toList();
        if (!shown.isEmpty()) {
            Axes axes = new Axes("Operations per second", "", "1/s", Scale.LINEAR);
            Place<Measured> place = new Place<>(
                    row -> row.row().threads() + " threads",
                    row -> row.row().name() + " " + row.row().crypto(),
                    row -> row.row().threads() * 1e6 / row.microsPerOp());
            folder.write("micro-threads", new Chart<>(axes, place).bars(shown));
        }
    }

    /** Returns the row of the same name by one thread. */
    private Optional<Measured> like(Measured row, Crypto crypto) {
        String name = row.row().name();
        return rows.stream().filter(one -> one.row().is(name, 1, crypto)).findFirst();
    }

    /** Draws a line for each kind of key and set of providers, where the other parameters are the usual ones. */
    private void scaling(String file, String parameter, String axis) throws IOException {
        Function<Measured, String> line = row -> row.row().parameter("key").toLowerCase(Locale.ROOT) + " "
                + row.row().crypto();
        ToDoubleFunction<Measured> value = row -> Double.parseDouble(row.row().parameter(parameter));
        Map<String, List<Measured>> lines = rows.stream()
                .filter(row -> row.row().threads() == 1
                        && row.row().parameter(parameter).matches("[1-9]\\d*")
                        && USUAL.keySet().stream()
                                .allMatch(usual ->
                                        usual.equals(parameter) || row.row().has(usual, USUAL.getOrDefault(usual, ""))))
                .sorted(Comparator.comparingDouble(value))
                .collect(Collectors.groupingBy(line, TreeMap::new, Collectors.toList()));
        lines.values().removeIf(points -> points.size() < 2);
        if (!lines.isEmpty()) {
            Axes axes = time("Sealing, confidentiality", axis);
            Place<Measured> place = new Place<>(line, value::applyAsDouble, Measured::microsPerOp);
            List<Measured> points =
                    lines.values().stream().flatMap(List::stream).toList();
            folder.write(file, new Chart<>(axes, place).lines(points));
        }
    }

    /** Returns logarithmic axes: some rows take a thousand times as long as others. */
    private static Axes time(String title, String x) {
        return new Axes(title, x, "us", Scale.LOGARITHMIC);
    }
}
