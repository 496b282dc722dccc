/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
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

/**
 * The tables, targets and charts of reading and digesting, from rows as they stand in JSON.
 *
 * @param rows of the ways
 * @param queues of pipelines with other queues and numbers of buffers
 */
public record DigestReport(List<Result> rows, List<Result> queues) {
    private static final String SHARE = "share";
    private static final String OF_DIGEST = "both_of_digest";
    private static final String SHA_256 = Work.Kind.SHA_256.toString();
    private static final int LARGE = 1 << 20;

    private static final Column<Result> BLOCK = Table.text("block", "%7d", "block");
    private static final Column<Result> BOTH = median("both", "%7.1f", "both_mb_per_s");
    private static final Column<Result> LEAST = Table.number("least", "%7.1f", "both_mb_per_s.min");
    private static final Column<Result> MOST = Table.number("most", "%7.1f", "both_mb_per_s.max");
    private static final Column<Result> CPU = Table.number("cpu s/GB", "%8.3f", "cpu_s_per_gb");
    private static final Table<Result> WAYS = new Table<>(
            Table.text("work", "%-11s", "work"),
            new Column<>("pace", "%-11s", DigestReport::pace),
            BLOCK,
            Table.text("way", "%-8s", "way"),
            median("read", "%7.1f", "read_mb_per_s"),
            median("digest", "%7.1f", "digest_mb_per_s"),
            BOTH,
            LEAST,
            MOST,
            Table.number("serial", "%7.1f", "serial_mb_per_s"),
            median("of min", "%6.3f", SHARE),
            median("of dig", "%6.3f", OF_DIGEST),
            CPU,
            published("2011: read", "%10.1f", "read_mb_per_s"),
            published("digest", "%6.1f", "digest_mb_per_s"),
            published("both", "%6.1f", "both_mb_per_s"),
            published("of dig", "%6.3f", OF_DIGEST));
    private static final Table<Result> QUEUES = new Table<>(
            BLOCK,
            Table.text("queue", "%-7s", "queue"),
            Table.text("buffers", "%7d", "buffers"),
            BOTH,
            LEAST,
            MOST,
            median("of min", "%6.3f", SHARE),
            CPU);

    private static Column<Result> median(String title, String format, String figure) {
        return Table.number(title, format, figure + ".median");
    }

    private static Column<Result> published(String title, String format, String figure) {
        return Table.number(title, format, "published." + figure, "");
    }

    private static boolean isThrottled(Result row) {
        return row.is("throttled", true);
    }

    private static String pace(Result row) {
        return isThrottled(row) ? "throttled" : "unthrottled";
    }

    void print(PrintStream out) {
        out.println("MB/s, medians of the runs; digest: the work alone; serial: one after the other, without overlap;");
        out.println("of min: both / min(read, digest); of dig: both / digest; 2011: published, by another machine");
        WAYS.print(rows, out);
        out.printf("%npipelines by queue and number of buffers, %s, unthrottled%n", SHA_256);
        QUEUES.print(queues, out);
    }

    /** Returns all targets, and the shapes of what was published. */
    public List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        rows.stream()
                .filter(row -> row.is("way", "signet"))
                .forEach(row -> targets.add(Bar.atLeast(0.95)
                        .target("signet / min(read, digest): " + setting(row), List.of(scattered(row, SHARE)))));
        targets.add(shape("loop / digest, 2011: 0.48", Bar.atMost(0.65), LARGE, ofDigest("loop", LARGE)));
        targets.add(shape("pipeline / digest, 2011: 0.90", Bar.atLeast(0.89), LARGE, ofDigest("pipeline", LARGE)));
        for (int block : Experiment.BLOCKS.subList(0, 3)) {
            Figure figure = ofDigest("loop", block).over(ofDigest("pipeline", block));
            targets.add(shape("loop / pipeline, 2011: 0.94 to 0.97", Bar.atLeast(0.95), block, figure));
        }
        Figure five = both(PipelineWay.BUFFERS);
        targets.add(
                Bar.atLeast(0.95).target("shape: 5 buffers / 16, blocks of " + LARGE, List.of(five.over(both(16)))));
        return targets;
    }

    private static Target shape(String name, Bar bar, int block, Figure figure) {
        return bar.target("shape: " + name + ": throttled, blocks of " + block, List.of(figure));
    }

    private static String setting(Result row) {
        return String.format(Locale.ROOT, "%s, %s, blocks of %s", row.text("work"), pace(row), row.text("block"));
    }

    private Figure ofDigest(String way, int block) {
        return scattered(
                find(
                        rows,
                        row -> isThrottled(row)
                                && row.is("work", SHA_256)
                                && row.is("way", way)
                                && row.is("block", block)),
                OF_DIGEST);
    }

    private Figure both(int buffers) {
        return scattered(
                find(
                        queues,
                        row -> row.is("block", LARGE)
                                && row.is("queue", Handover.Kind.LINKED)
                                && row.is("buffers", buffers)),
                "both_mb_per_s");
    }

    private static Result find(List<Result> rows, Predicate<Result> wanted) {
        return rows.stream().filter(wanted).findFirst().orElse(Result.EMPTY);
    }

    private static Figure scattered(Result row, String figure) {
        return Figure.scattered(
                row.number(figure + ".median"), row.number(figure + ".max") / row.number(figure + ".min"));
    }

    /** Returns all rows, and one for each published figure that a row has. */
    List<Result> besidePublished() {
        Stream<Result> published = rows.stream()
                .filter(row -> row.has("published"))
                .map(row -> row.with("way", row.text("way") + " 2011")
                        .with(OF_DIGEST + ".median", row.number("published." + OF_DIGEST)));
        return Stream.concat(rows.stream(), published).toList();
    }

    /** Draws each way as a share of the speed of its own digest, the published ones beside ours. */
    void draw(ChartFolder folder) throws IOException {
        List<Result> all = besidePublished();
        for (String work : rows.stream().map(row -> row.text("work")).distinct().toList()) {
            for (String pace : List.of("throttled", "unthrottled")) {
                Axes axes = new Axes(
                        "Read and " + work + ", " + pace, "block, bytes", "share of the speed of digest", Scale.LINEAR);
                List<Result> shown = all.stream()
                        .filter(row -> row.is("work", work) && pace(row).equals(pace))
                        .toList();
                folder.bars(
                        "digest-" + work + "-" + pace,
                        new Chart<>(
                                axes,
                                row -> row.text("way"),
                                row -> row.text("block"),
                                row -> row.number(OF_DIGEST + ".median")),
                        shown);
            }
        }
    }
}
