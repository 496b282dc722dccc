/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
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
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.variant.Payload;

/** The charts of the single operations. A chart for which too few rows were measured is left out. */
final class MicroPlots {
    private static final Map<String, Integer> USUAL = Map.of("size", Payload.USUAL_SIZE, "recipients", 1, "reuse", 32);

    private final List<Measured> rows;
    private final ChartFolder folder;

    /** Charts of these rows; those that failed are not drawn. */
    MicroPlots(List<Measured> rows, ChartFolder folder) {
        this.rows = rows.stream().filter(row -> !row.failed()).toList();
        this.folder = folder;
    }

    void write() throws IOException {
        Function<Measured, String> name = row -> row.row().name();
        Axes operations = time("Single operations, 2 KB", "");
        folder.bars(
                "micro-operations",
                new Chart<>(operations, row -> row.row().crypto().toString(), name, Measured::microsPerOp),
                byEachSet());
        Axes peers = time("Sealing and opening beside the peers, 2 KB", "");
        folder.bars("micro-peers", new Chart<>(peers, row -> "us", name, Measured::microsPerOp), besidePeers());
        Axes rates = new Axes("Operations per second", "", "1/s", Scale.LINEAR);
        Chart<Measured> threads = new Chart<>(
                rates,
                row -> row.row().threads() + " threads",
                row -> row.row().name() + " " + row.row().crypto(),
                row -> row.row().threads() * 1e6 / row.microsPerOp());
        folder.bars("micro-threads", threads, byOneAndTwoThreads());
        scaling("micro-size", "size", "payload, bytes");
        scaling("micro-recipients", "recipients", "recipients");
        scaling("micro-reuse", "reuse", "messages per data key");
    }

    /** Returns our own rows that each set of providers has. */
    private List<Measured> byEachSet() {
        Set<Crypto> sets = rows.stream()
                .map(row -> row.row().crypto())
                .filter(set -> set != Crypto.PEER)
                .collect(Collectors.toCollection(TreeSet::new));
        return sets.stream()
                .flatMap(set -> rows.stream()
                        .filter(row -> row.row().isPlain() && row.row().crypto() == set))
                .filter(row -> sets.stream().allMatch(other -> like(row, other).isPresent()))
                .toList();
    }

    /** Returns each peer, and our row that does the same by its better providers; nothing without peers. */
    private List<Measured> besidePeers() {
        Map<String, Measured> best = new LinkedHashMap<>();
        rows.stream()
                .filter(row ->
                        row.row().isPlain() && (row.row().isPeer() || row.row().isConfidential()))
                .forEach(
                        row -> best.merge(row.row().name(), row, (a, b) -> a.microsPerOp() <= b.microsPerOp() ? a : b));
        boolean hasPeer = rows.stream().anyMatch(row -> row.row().isPeer());
        return hasPeer ? List.copyOf(best.values()) : List.of();
    }

    private List<Measured> byOneAndTwoThreads() {
        return rows.stream()
                .filter(row -> row.row().threads() == 2)
                .flatMap(two -> like(two, two.row().crypto()).stream().flatMap(one -> Stream.of(one, two)))
                .toList();
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
                .filter(row -> row.row().threads() == 1 && isUsualBut(parameter, row.row()))
                .filter(row -> row.row().parameter(parameter).matches("[1-9]\\d*"))
                .sorted(Comparator.comparingDouble(value))
                .collect(Collectors.groupingBy(line, TreeMap::new, Collectors.toList()));
        lines.values().removeIf(points -> points.size() < 2);
        List<Measured> points = lines.values().stream().flatMap(List::stream).toList();
        Axes axes = time("Sealing, confidentiality", axis);
        folder.lines(file, new Chart<>(axes, line, value::applyAsDouble, Measured::microsPerOp), points);
    }

    private static boolean isUsualBut(String parameter, Row row) {
        return row.has("operation", "seal")
                && row.isConfidential()
                && USUAL.entrySet().stream()
                        .allMatch(
                                usual -> usual.getKey().equals(parameter) || row.has(usual.getKey(), usual.getValue()));
    }

    /** Returns logarithmic axes: some rows take a thousand times as long as others. */
    private static Axes time(String title, String x) {
        return new Axes(title, x, "us", Scale.LOGARITHMIC);
    }
}
