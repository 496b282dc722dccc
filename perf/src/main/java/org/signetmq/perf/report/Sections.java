/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.List;
import org.signetmq.perf.digest.DigestReport;
import org.signetmq.perf.figure.StudyReport;
import org.signetmq.perf.filesystem.FilesystemReport;
import org.signetmq.perf.keys.KeysReport;
import org.signetmq.perf.keys.TokenReport;
import org.signetmq.perf.mailbox.MailboxReport;
import org.signetmq.perf.micro.MicroReport;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.rr.RrReport;

/** The sections of all commands. */
final class Sections {
    private static final String FILESYSTEM = "filesystem";

    /** The commands, in the order of the document. Published experiments come first. */
    private static final List<String> KINDS =
            List.of("figure", "tls", "digest", "mailbox", FILESYSTEM, "rr", "keys", "micro");

    /** The fields that tell rows of round trips apart. */
    private static final String TRIPS = "setting|clients|queues|size|producers|window|buffer|memory";

    /** The fields that tell rows of uploads apart. */
    private static final String UPLOADS = "situation|arrival|small_percent|pool";

    /** The fields that tell rows of reading and digesting apart. */
    private static final String WAYS = "work|way|queue|buffers|block|throttled";

    private static final String ALL = ".*";

    private Sections() {}

    /** Returns the place of a file in the document. */
    static String place(MeasuredFile file) {
        int kind = KINDS.indexOf(file.kind());
        if (file.kind().equals(FILESYSTEM)) { // some of its scenarios are experiments of their own
            return kind + report(file).title();
        }
        return kind + (file.rows().isEmpty() ? "" : file.rows().get(0).text("study"));
    }

    /**
     * Returns the section of a file.
     *
     * @throws IllegalArgumentException if no command that is reported wrote the file; the message names the file
     */
    static Section of(MeasuredFile file) {
        return switch (file.kind()) {
            case "figure", "tls" -> study(new StudyReport(file.rows()));
            case "digest" -> digest(file, new DigestReport(file.rows(), file.list("queues")));
            case "mailbox" ->
                new Section("Files to mailboxes", new MailboxReport(file.rows()), text -> uploads(text, file.rows()));
            case FILESYSTEM -> filesystem(file, report(file));
            case "rr" ->
                new Section(
                        "Round trips through a broker", new RrReport(file.rows()), text -> trips(text, file.rows()));
            case "keys" ->
                place(file).endsWith(TokenReport.STUDY)
                        ? new Section(
                                "Keys in tokens",
                                new TokenReport(file.rows()),
                                text -> text.table("", file.rows(), "(?!study).*"))
                        : new Section(
                                "Keys ahead of need", new KeysReport(file.rows()), text -> keys(text, file.rows()));
            case "micro" -> micro(file, new MicroReport(file.rows(), file.list("sizes")));
            default ->
                throw new IllegalArgumentException(file.name() + ": must come from signet perf "
                        + String.join(", ", KINDS) + ", found '" + file.command() + "'");
        };
    }

    private static Section study(StudyReport report) {
        return new Section(
                report.title(),
                report,
                text -> report.parts().forEach(part -> {
                    if (!part.isEmpty()) {
                        text.heading(4, part);
                    }
                    trips(text, report.part(part));
                }));
    }

    private static void trips(Markdown text, List<Result> rows) {
        text.figures(rows, TRIPS, "round_trips_per_s|share_of_.*|limit_of_share|published_.*");
        text.figures(rows, TRIPS, "runs\\.share_of_none.*|blocks");
        text.figures(rows, TRIPS, "cpu_ms_per_round_trip.*|added_cpu_ms|.*_per_message|(gc|jit)_ms_per_s.*");
        text.figures(rows, TRIPS, "p\\d+_us|at_.*");
    }

    private static void uploads(Markdown text, List<Result> rows) {
        text.figures(rows, UPLOADS, "files_per_s|share_of_off|p\\d+_us|cpu_ms_per_file.*|key_waits.*|heap_mb.*");
        text.figures(rows, UPLOADS, "runs\\..*|blocks");
    }

    private static Section digest(MeasuredFile file, DigestReport report) {
        return new Section("Reading and digesting files", report, text -> {
            text.table("Files", file.list("disk"), ALL);
            text.table("Ways", file.rows(), "(?!file_bytes|.*\\.(min|median)).*");
            text.table("All runs", file.rows(), WAYS + "|.*\\.(min|median|max)");
            text.table(
                    "Queues and buffers of the pipeline",
                    file.list("queues"),
                    "(?!way|work|throttled|file_bytes|.*\\.(min|median)).*");
        });
    }

    private static FilesystemReport report(MeasuredFile file) {
        return new FilesystemReport(file.rows(), file::list);
    }

    private static Section filesystem(MeasuredFile file, FilesystemReport report) {
        return new Section(report.title(), report, text -> {
            text.table("Disks", file.list("disks"), ALL);
            text.table("Where payloads are found in clear, and how often", report.coverage(), ALL);
            text.table("Cold reads after a restart", report.cold(), ALL);
            text.table("Losses in percent", report.losses(), ALL);
            text.table(
                    "All loads",
                    file.rows(),
                    "part|" + TRIPS + "|round_trips_per_s|share_of_none|p50_us|cpu_ms_per_.*");
            text.table("Not measured", file.list("not_measured"), ALL);
        });
    }

    private static void keys(Markdown text, List<Result> rows) {
        rows.stream().map(row -> row.text("experiment")).distinct().forEach(name -> {
            List<Result> ofName =
                    rows.stream().filter(row -> row.is("experiment", name)).toList();
            text.table(name, ofName, "(?!experiment).*");
        });
    }

    private static Section micro(MeasuredFile file, MicroReport report) {
        return new Section("Single operations", report, text -> {
            text.table("", report.rows(), ALL);
            text.table("Bytes added to 2048, one recipient", report.sizes(), ALL);
            text.table("Time by reuse of keys: T(N) = T-infinity + K / N", file.list("laws"), ALL);
        });
    }
}
