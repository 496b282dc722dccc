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

/**
 * The tables, targets and charts of reading and digesting, from rows as they stand in JSON.
 *
 * @param rows of the ways
 * @param queues of pipelines with other queues and numbers of buffers
 */
public record DigestReport(List<Result> rows, List<Result> queues) implements Report {
    private static final String BOTH = "both_mb_per_s";
    private static final String OF_LEAST = "both_of_least";
    private static final String CPU = "cpu_s_per_gb";
    private static final String OF_DIGEST = "both_of_digest";
    private static final String SHA_256 = Work.Kind.SHA_256.toString();
    private static final int LARGE = 1 << 20;

    /** The cores that other programs may keep busy. */
    private static final double MOST_OF_OTHERS = 0.25;

    private static final Column<Result> BLOCK = Table.text("block", "%7d", "block");
    private static final Column<Result> RATE = Table.number("both", "%7.1f", BOTH + ".max");
    private static final Column<Result> MEDIAN = Table.number("median", "%7.1f", BOTH + ".median");
    private static final Column<Result> SHARE = Table.number("of min", "%6.3f", OF_LEAST);
    private static final Column<Result> CPU_TIME = Table.number("cpu s/GB", "%8.3f", CPU);
    private static final Table<Result> WAYS = new Table<>(
            Table.text("work", "%-11s", "work"),
            new Column<>("pace", "%-11s", DigestReport::pace),
            BLOCK,
            Table.text("way", "%-8s", "way"),
            Table.number("read", "%7.1f", "read_mb_per_s.max"),
            Table.number("digest", "%7.1f", "digest_mb_per_s.max"),
            RATE,
            MEDIAN,
            Table.number("serial", "%7.1f", "serial_mb_per_s"),
            SHARE,
            Table.number("of dig", "%6.3f", OF_DIGEST),
            CPU_TIME,
            Table.number("others", "%6.2f", "cores_of_others"),
            published("2011: read", "%10.1f", "read_mb_per_s"),
            published("digest", "%6.1f", "digest_mb_per_s"),
            published("both", "%6.1f", BOTH),
            published("of dig", "%6.3f", OF_DIGEST));
    private static final Table<Result> QUEUES = new Table<>(
            BLOCK,
            Table.text("queue", "%-7s", "queue"),
            Table.text("buffers", "%7d", "buffers"),
            RATE,
            MEDIAN,
            SHARE,
            CPU_TIME);

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
        out.println(
                "MB/s, the best of the runs, which other programs disturbed least; median: of both; digest: the work"
                        + " alone;");
        out.println(
                "serial: one after the other, without overlap; of min: both / min(read, digest); of dig: both / digest;"
                        + " 2011: published;");
        out.println("others: cores that other programs kept busy");
        WAYS.print(rows, out);
        out.printf("%npipelines by queue and number of buffers, %s, unthrottled%n", SHA_256);
        QUEUES.print(queues, out);
    }

    /** Returns all targets, and the shapes of what was published. */
    @Override
    public List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (Result row : rows) {
            if (row.is("way", "signet")) {
                Figure share = calmIfSteady(row.number(OF_LEAST), row);
                targets.add(Bar.atLeast(0.95).target("signet / min(read, digest): " + setting(row), List.of(share)));
            }
        }
        for (int block : Experiment.BLOCKS) {
            double signet = way("signet", false, block).number(CPU);
            Figure cpu = Figure.exact(signet / way("pipeline", false, block).number(CPU));
            String name = "signet / pipeline: processor time, sha-256, unthrottled, blocks of " + block;
            targets.add(Bar.atMost(1).target(name, List.of(cpu)));
        }
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

    private Result way(String way, boolean throttled, int block) {
        return find(
                rows,
                row -> isThrottled(row) == throttled
                        && row.is("work", SHA_256)
                        && row.is("way", way)
                        && row.is("block", block));
    }

    private Figure ofDigest(String way, int block) {
        Result row = way(way, true, block);
        return calmIfSteady(row.number(OF_DIGEST), row);
    }

    private Figure both(int buffers) {
        Result row = find(
                queues,
                queue -> queue.is("block", LARGE)
                        && queue.is("queue", Handover.Kind.LINKED)
                        && queue.is("buffers", buffers));
        return calmIfSteady(row.number(BOTH + ".max"), row);
    }

    private static Result find(List<Result> rows, Predicate<Result> wanted) {
        return rows.stream().filter(wanted).findFirst().orElse(Result.EMPTY);
    }

    /**
     * Returns a figure of the best run. It is noisy if half of the runs were much slower, or if other programs took the
     * cores that the threads of a way need at once. A throttled way needs little of them.
     */
    private static Figure calmIfSteady(double figure, Result row) {
        boolean isDisturbed = !isThrottled(row) && row.number("cores_of_others") > MOST_OF_OTHERS;
        double spread = row.number(BOTH + ".max") / row.number(BOTH + ".median");
        return new Figure(
                figure, isDisturbed || Figure.scattered(figure, spread).isNoisy());
    }

    /** Returns all rows, and one for each published figure that a row has. */
    List<Result> besidePublished() {
        Stream<Result> published = rows.stream()
                .filter(row -> row.has("published"))
                .map(row -> row.with("way", row.text("way") + " 2011")
                        .with(OF_DIGEST, row.number("published." + OF_DIGEST)));
        return Stream.concat(rows.stream(), published).toList();
    }

    @Override
    public String source() {
        return "ACE Audit Manager 1.6, digest of files in Java, February 2011";
    }

    /** Returns the published shares beside ours. */
    @Override
    public List<Beside> beside() {
        return rows.stream()
                .filter(row -> row.has("published." + OF_DIGEST))
                .map(row -> new Beside(
                        row.text("way") + ", blocks of " + row.text("block") + ": read and digest / digest",
                        row.number("published." + OF_DIGEST),
                        row.number(OF_DIGEST),
                        "digest"))
                .toList();
    }

    /** Draws each way as a share of the speed of its own digest, the published ones beside ours. */
    @Override
    public void draw(ChartFolder folder) throws IOException {
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
                                axes, row -> row.text("way"), row -> row.text("block"), row -> row.number(OF_DIGEST)),
                        shown);
            }
        }
    }
}
