/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.signetmq.perf.plot.Axes;
import org.signetmq.perf.plot.BarPlot;
import org.signetmq.perf.plot.LinePlot;
import org.signetmq.perf.plot.PlotFolder;

/** Results as charts; one for which too few rows were measured is left out. */
final class MicroPlots {

    private final List<Measured> rows;

    MicroPlots(List<Measured> rows) {
        this.rows = rows.stream().filter(row -> !row.failed()).toList();
    }

    void write(PlotFolder folder) throws IOException {
        operations(folder);
        peers(folder);
        threads(folder);
        for (Scaling scaling : Scaling.all()) {
            scaling(folder, scaling);
        }
    }

    /**
     * Rows side by side along an axis.
     *
     * @param values on the axis
     * @param row the name of the row at a value, without the kind of key, which goes where KEY stands
     */
    private record Scaling(String file, String axis, List<Integer> values, IntFunction<String> row) {
        private static final String SEAL = "seal.confidentiality.32.KEY";

        static List<Scaling> all() {
            return List.of(
                    new Scaling(
                            "micro-size",
                            "payload, bytes",
                            List.of(256, 2048, 20480, 204800),
                            size -> size == RowName.DEFAULT_SIZE ? SEAL : SEAL + "." + size),
                    new Scaling(
                            "micro-recipients",
                            "recipients",
                            List.of(1, 5, 20, 50),
                            count -> count == 1 ? SEAL : SEAL + ".r" + count),
                    new Scaling(
                            "micro-reuse",
                            "messages per data key",
                            List.of(1, 2, 4, 8, 16, 32, 64),
                            reuse -> "seal.confidentiality." + reuse + ".KEY"));
        }

        String row(String key, int value) {
            return row.apply(value).replace("KEY", key);
        }
    }

    private static boolean isPlain(String name) {
        RowName parsed = RowName.parse(name);
        return parsed.size() == RowName.DEFAULT_SIZE && parsed.recipients() == 1;
    }

    /** Our own, side by side for each set of providers. */
    private void operations(PlotFolder folder) throws IOException {
        List<RowCatalog.Crypto> own = rows.stream()
                .map(row -> row.row().crypto())
                .filter(crypto -> crypto != RowCatalog.Crypto.PEER)
                .distinct()
                .toList();
        List<String> names = names(row -> row.crypto() != RowCatalog.Crypto.PEER)
                .filter(name ->
                        own.stream().allMatch(crypto -> micros(name, 1, crypto).isPresent()))
                .distinct()
                .toList();
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (RowCatalog.Crypto crypto : own) {
            series.put(
                    crypto.toString(),
                    names.stream()
                            .map(name -> micros(name, 1, crypto).orElseThrow())
                            .toList());
        }
        if (!names.isEmpty()) {
            folder.write("micro-operations", new BarPlot(logarithmic("Single operations, 2 KB", ""), names, series));
        }
    }

    /** Each peer, and what of ours does the same, by its better providers. */
    private void peers(PlotFolder folder) throws IOException {
        if (rows.stream().noneMatch(row -> row.row().crypto() == RowCatalog.Crypto.PEER)) {
            return;
        }
        List<String> names = names(row ->
                        row.crypto() == RowCatalog.Crypto.PEER || row.name().contains(".confidentiality."))
                .distinct()
                .toList();
        List<Double> best = names.stream()
                .map(name -> Arrays.stream(RowCatalog.Crypto.values())
                        .flatMapToDouble(crypto -> micros(name, 1, crypto).stream())
                        .min()
                        .orElseThrow())
                .toList();
        folder.write(
                "micro-peers",
                new BarPlot(logarithmic("Sealing and opening beside the peers, 2 KB", ""), names, Map.of("us", best)));
    }

    /** Of rows of the usual payload for one recipient by one thread. */
    private Stream<String> names(Predicate<RowCatalog.Entry> wanted) {
        return rows.stream()
                .map(Measured::row)
                .filter(row -> row.threads() == 1 && isPlain(row.name()) && wanted.test(row))
                .map(RowCatalog.Entry::name);
    }

    /** Some rows take a thousand times as long as others. */
    private static Axes logarithmic(String title, String x) {
        return new Axes(title, x, "us", Axes.Scale.LOGARITHMIC);
    }

    /** Rate of two threads beside that of one. */
    private void threads(PlotFolder folder) throws IOException {
        List<RowCatalog.Entry> twice = rows.stream()
                .map(Measured::row)
                .filter(row -> row.threads() == 2
                        && micros(row.name(), 1, row.crypto()).isPresent())
                .toList();
        if (twice.isEmpty()) {
            return;
        }
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (int threads : new int[] {1, 2}) {
            series.put(
                    threads + " threads",
                    twice.stream()
                            .map(row -> threads
                                    * 1e6
                                    / micros(row.name(), threads, row.crypto()).orElseThrow())
                            .toList());
        }
        List<String> names =
                twice.stream().map(row -> row.name() + " " + row.crypto()).toList();
        folder.write("micro-threads", new BarPlot(new Axes("Operations per second", "", "1/s"), names, series));
    }

    private void scaling(PlotFolder folder, Scaling scaling) throws IOException {
        Map<String, LinePlot.Points> lines = new LinkedHashMap<>();
        for (String key : List.of("p256", "rsa2048")) {
            for (RowCatalog.Crypto crypto : RowCatalog.Crypto.values()) {
                List<Integer> measured = scaling.values().stream()
                        .filter(value ->
                                micros(scaling.row(key, value), 1, crypto).isPresent())
                        .toList();
                if (measured.size() > 1) {
                    lines.put(
                            key + " " + crypto,
                            new LinePlot.Points(
                                    measured.stream().map(Integer::doubleValue).toList(),
                                    measured.stream()
                                            .map(value -> micros(scaling.row(key, value), 1, crypto)
                                                    .orElseThrow())
                                            .toList()));
                }
            }
        }
        if (!lines.isEmpty()) {
            folder.write(scaling.file(), new LinePlot(logarithmic("Sealing, confidentiality", scaling.axis()), lines));
        }
    }

    private OptionalDouble micros(String name, int threads, RowCatalog.Crypto crypto) {
        return rows.stream()
                .filter(row -> row.row().equals(new RowCatalog.Entry(name, threads, crypto)))
                .mapToDouble(Measured::microsPerOp)
                .findFirst();
    }
}
