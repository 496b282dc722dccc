/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.perf.micro.Row.Crypto;
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
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.policy.QualityOfProtection;

/**
 * The tables, targets and charts of the single operations.
 *
 * @param rows as they stand in JSON, and those that failed
 * @param sizes that sealing adds to messages
 */
public record MicroReport(List<Result> rows, List<Result> sizes) implements Report {
    private static final Column<Result> NAME = Table.text("row", "%-44s", "name");
    private static final Column<Result> THREADS = Table.text("threads", "%7d", "threads");
    private static final Column<Result> CRYPTO = Table.text("crypto", "%-9s", "crypto");
    private static final Table<Result> FAILED =
            new Table<>(NAME, THREADS, CRYPTO, new Column<>("us/op", "%12s", row -> "failed"));
    private static final Table<Result> SIZES = new Table<>(
            Table.text("size added to " + Payload.USUAL_SIZE + " bytes, one recipient", "%-44s", "name"),
            Table.text("bytes", "%12d", "bytes_added"));

    void print(PrintStream out) {
        Table<Result> table = new Table<>(
                NAME,
                THREADS,
                CRYPTO,
                Table.number("us/op", "%12.3f", "us_per_op"),
                Table.number("bytes/op", "%12.0f", "bytes_per_op"),
                new Column<>("x limit", "%8.2f", row -> Table.numberOr(micros(row) / limitOf(row), "")),
                new Column<>("x fastest such peer", "%-22s", this::besidePeer),
                new Column<>("spread", "%7s", MicroReport::spread));
        table.printHeadings(out);
        rows.forEach(row -> (isMeasured(row) ? table : FAILED).printLine(row, out));
        out.println();
        SIZES.print(sizes, out);
        ReuseLaws.print(ReuseLaws.fitted(this), out);
    }

    private static String spread(Result row) {
        double spread = row.number("spread");
        return String.format("%7.2f", spread) + (spread > Figure.CALM_SPREAD ? " noisy" : "");
    }

    /** Returns the sum of the primitives that a row cannot do without; NaN if they were not measured. */
    private double limitOf(Result row) {
        Result parameters = parameters(row);
        if (!parameters.has("quality")) {
            return Double.NaN;
        }
        QualityOfProtection quality = QualityOfProtection.valueOf(parameters.text("quality"));
        boolean seals = parameters.is("operation", "seal");
        String size = parameters.is("size", Payload.USUAL_SIZE) ? "" : "." + parameters.text("size");
        String cipher = "limit.aes256gcm." + (seals ? "encrypt" : "decrypt") + size;
        String algorithm = parameters.is("key", KeyKind.P256) ? "limit.ecdsa-p256." : "limit.rsa2048.";
        String signature = algorithm + (seals ? "sign" : "verify");
        return (quality.encrypts() ? limit(cipher, row) : 0) + (quality.signs() ? limit(signature, row) : 0);
    }

    private double limit(String name, Result beside) {
        return micros(find(name, beside.text("threads"), beside.text("crypto")));
    }

    /** Compares a row with the fastest peer that does the same: encrypts, signs nothing, has the same reuse of keys. */
    private String besidePeer(Result row) {
        if (!isPlain(row) || !isConfidential(row)) {
            return "";
        }
        String same =
                "." + parameters(row).text("operation") + "." + parameters(row).text("keys");
        return measured()
                .filter(other -> isPeer(other) && other.text("name").endsWith(same))
                .min(Comparator.comparingDouble(MicroReport::micros))
                .map(peer -> String.format(
                        "%8.2f %s",
                        micros(row) / micros(peer), peer.text("name").split("\\.", -1)[1]))
                .orElse("");
    }

    /** Returns all targets. */
    @Override
    public List<Target> targets() {
        return new MicroTargets(this).all();
    }

    /** Draws all charts for which enough rows were measured. Some rows take a thousand times as long as others. */
    @Override
    public void draw(ChartFolder folder) throws IOException {
        Function<Result, String> name = row -> row.text("name");
        Function<Result, String> crypto = row -> row.text("crypto");
        Axes operations = new Axes("Single operations, 2 KB", "", "us", Scale.LOGARITHMIC);
        folder.bars("micro-operations", new Chart<>(operations, crypto, name, MicroReport::micros), byEachSet());
        Axes peers = new Axes("Sealing and opening beside the peers, 2 KB", "", "us", Scale.LOGARITHMIC);
        folder.bars("micro-peers", new Chart<>(peers, row -> "us", name, MicroReport::micros), besidePeers());
        Chart<Result> threads = new Chart<>(
                new Axes("Operations per second", "", "1/s", Scale.LINEAR),
                row -> row.text("threads") + " threads",
                row -> row.text("name") + " " + row.text("crypto"),
                row -> row.number("threads") * 1e6 / micros(row));
        folder.bars("micro-threads", threads, byOneAndTwoThreads());
        drawLines("micro-size", "size", "payload, bytes", folder);
        drawLines("micro-recipients", "recipients", "recipients", folder);
        drawLines("micro-reuse", "keys", "messages per data key", folder);
    }

    /** Returns our own rows that each set of providers has. */
    private List<Result> byEachSet() {
        List<Result> own = measured().filter(row -> !isPeer(row)).toList();
        long sets = own.stream().map(row -> row.text("crypto")).distinct().count();
        return grouped(own.stream().filter(MicroReport::isPlain), row -> row.text("name"), sets);
    }

    /** Returns rows group by group, but no group of fewer rows. */
    private static List<Result> grouped(Stream<Result> rows, Function<Result, String> group, long fewest) {
        return rows.collect(Collectors.groupingBy(group, LinkedHashMap::new, Collectors.toList())).values().stream()
                .filter(ofGroup -> ofGroup.size() >= fewest)
                .flatMap(List::stream)
                .toList();
    }

    /** Returns each peer, and our row that does the same by its better providers; nothing without peers. */
    private List<Result> besidePeers() {
        Map<String, Result> best = new LinkedHashMap<>();
        measured()
                .filter(row -> isPlain(row) && (isPeer(row) || isConfidential(row)))
                .forEach(row -> best.merge(row.text("name"), row, (a, b) -> micros(a) <= micros(b) ? a : b));
        return measured().anyMatch(MicroReport::isPeer) ? List.copyOf(best.values()) : List.of();
    }

    private List<Result> byOneAndTwoThreads() {
        return measured()
                .filter(row -> row.is("threads", 2))
                .map(two -> List.of(find(two.text("name"), 1, two.text("crypto")), two))
                .filter(both -> isMeasured(both.get(0)))
                .flatMap(List::stream)
                .toList();
    }

    /** Draws a line for each kind of key and set of providers, where the other parameters are the usual ones. */
    private void drawLines(String file, String parameter, String axis, ChartFolder folder) throws IOException {
        Function<Result, String> line = row -> key(parameters(row)) + " " + row.text("crypto");
        ToDoubleFunction<Result> value =
                row -> Double.parseDouble(parameters(row).text(parameter));
        Stream<Result> rows = measured()
                .filter(row -> row.is("threads", 1) && isUsualBut(parameter, parameters(row)))
                .sorted(Comparator.comparing(line).thenComparingDouble(value));
        Axes axes = new Axes("Sealing, confidentiality", axis, "us", Scale.LOGARITHMIC);
        folder.lines(file, new Chart<>(axes, line, value::applyAsDouble, MicroReport::micros), grouped(rows, line, 2));
    }

    /** Tells whether a row differs from the usual one of its kind of key in this parameter alone, which is a number. */
    private static boolean isUsualBut(String parameter, Result parameters) {
        Result usual = Row.parameters("seal.confidentiality.32." + key(parameters));
        return parameters.text(parameter).matches("[1-9]\\d*")
                && parameters.with(parameter, usual.text(parameter)).equals(usual);
    }

    private static String key(Result parameters) {
        return parameters.text("key").toLowerCase(Locale.ROOT);
    }

    Stream<Result> measured() {
        return rows.stream().filter(MicroReport::isMeasured);
    }

    static boolean isMeasured(Result row) {
        return row.has("us_per_op");
    }

    /** Returns the row of this name; one without fields if there is none. */
    Result find(String name, Object threads, Object crypto) {
        return rows.stream()
                .filter(row -> row.is("name", name) && row.is("threads", threads) && row.is("crypto", crypto))
                .findFirst()
                .orElse(Result.EMPTY);
    }

    static double micros(Result row) {
        return row.number("us_per_op");
    }

    private static Result parameters(Result row) {
        return Row.parameters(row.text("name"));
    }

    private static boolean isPeer(Result row) {
        return row.is("crypto", Crypto.PEER);
    }

    /** Tells whether one thread works on the usual payload for one recipient. */
    private static boolean isPlain(Result row) {
        return row.is("threads", 1)
                && parameters(row).text("size").matches("|" + Payload.USUAL_SIZE)
                && parameters(row).text("recipients").matches("|1");
    }

    /** Tells whether a row of ours does the same kind of work as the peers. */
    private static boolean isConfidential(Result row) {
        return parameters(row).is("quality", QualityOfProtection.CONFIDENTIALITY);
    }
}
