/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.digest.DigestReport;
import org.signetmq.perf.figure.StudyReport;
import org.signetmq.perf.filesystem.LossReport;
import org.signetmq.perf.keys.KeysReport;
import org.signetmq.perf.mailbox.MailboxReport;
import org.signetmq.perf.micro.MicroReport;
import org.signetmq.perf.result.MarkdownTable;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.RrReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code signet perf report}. */
@Command(
        name = "report",
        description = "Writes measured figures into a Markdown document: every row of the JSON files.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  signet perf report --micro micro.json --rr rr.json --keys keys.json --digest digest.json --out docs/performance.md"
        })
public final class ReportCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The fields that tell rows of round trips apart. */
    private static final String NAMES = "setting|clients|queues|size|producers|window|buffer";

    /** The fields that tell rows of uploads apart. */
    private static final String MAILBOX_NAMES = "situation|arrival|small_percent|pool";

    /** The fields that tell rows of reading and digesting apart. */
    private static final String DIGEST_NAMES = "work|way|queue|buffers|block|throttled";

    @Option(
            names = "--micro",
            paramLabel = "FILE",
            description =
                    "What `signet perf micro --json` wrote. May be given more than once: ratios stay within a run.")
    private List<Path> micro = List.of();

    @Option(names = "--rr", paramLabel = "FILE", description = "What `signet perf rr --json` wrote.")
    private @Nullable Path rr;

    @Option(
            names = "--figure",
            paramLabel = "FILE",
            description =
                    "What `signet perf figure --json` or `signet perf tls --json` wrote. May be given more than once.")
    private List<Path> figures = List.of();

    @Option(names = "--keys", paramLabel = "FILE", description = "What `signet perf keys --json` wrote.")
    private @Nullable Path keys;

    @Option(names = "--mailbox", paramLabel = "FILE", description = "What `signet perf mailbox --json` wrote.")
    private @Nullable Path mailbox;

    @Option(names = "--digest", paramLabel = "FILE", description = "What `signet perf digest --json` wrote.")
    private @Nullable Path digest;

    @Option(names = "--filesystem", paramLabel = "FILE", description = "What `signet perf filesystem --json` wrote.")
    private @Nullable Path filesystem;

    @Option(
            names = "--notes",
            paramLabel = "FILE",
            description =
                    "Markdown to go in front of the tables: why a target was missed, what to know of the machine.")
    private @Nullable Path notes;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "The document; replaced.")
    private Path out = Path.of("performance.md");

    private final StringBuilder text = new StringBuilder();

    private ReportCommand() {}

    @Override
    public Integer call() throws IOException {
        text.append(
                        "# Performance\n\nWritten by `signet perf report` from the JSON files of the commands named below. ")
                .append("Ratios are within\none run; absolute figures hold for the machine named.\n\n");
        if (notes != null) {
            text.append(Files.readString(notes)).append('\n');
        }
        for (int run = 1; run <= micro.size(); run++) {
            JsonNode file = section("Single operations" + (run == 1 ? "" : ", run " + run), micro.get(run - 1));
            MicroReport report = new MicroReport(rows(file), Result.list(file.path("sizes")));
            targets(report.targets());
            table("", report.rows(), ".*");
            table("Bytes added to 2048, one recipient", report.sizes(), ".*");
            table("Time by reuse of keys: T(N) = T-infinity + K / N", Result.list(file.path("laws")), ".*");
        }
        if (rr != null) {
            List<Result> rows = rows(section("Round trips through a broker", rr));
            targets(new RrReport(rows).targets());
            roundTrips(rows);
        }
        for (Path file : figures) {
            JsonNode content = JSON.readTree(file.toFile());
            StudyReport report = new StudyReport(rows(content));
            section(report.title(), file);
            targets(report.targets());
            report.parts().forEach(part -> {
                if (!part.isEmpty()) {
                    text.append("### ").append(part).append("\n\n");
                }
                roundTrips(report.part(part));
            });
        }
        if (filesystem != null) {
            JsonNode file = section("Encrypted file systems", filesystem);
            List<Result> rows = rows(file);
            LossReport report = new LossReport(rows);
            targets(report.targets());
            table("Disks", Result.list(file.path("disks")), ".*");
            table("Losses in percent", report.json(), ".*");
            table("All loads", rows, "part|" + NAMES + "|round_trips_per_s|share_of_none|p50_us|cpu_ms_per_.*");
            table("Not measured", Result.list(file.path("not_measured")), ".*");
        }
        if (keys != null) {
            List<Result> rows = rows(section("Keys ahead of need", keys));
            targets(new KeysReport(rows).targets());
            rows.stream().map(row -> row.text("experiment")).distinct().forEach(name -> {
                List<Result> ofName =
                        rows.stream().filter(row -> row.is("experiment", name)).toList();
                table(name, ofName, "(?!experiment).*");
            });
        }
        if (mailbox != null) {
            List<Result> rows = rows(section("Files to mailboxes", mailbox));
            targets(new MailboxReport(rows).targets());
            table(
                    "",
                    rows,
                    MAILBOX_NAMES + "|files_per_s|share_of_off|p\\d+_us|cpu_ms_per_file.*|key_waits.*|heap_mb.*");
            table("", rows, MAILBOX_NAMES + "|runs\\..*|blocks");
        }
        if (digest != null) {
            JsonNode file = section("Reading and digesting files", digest);
            List<Result> rows = rows(file);
            List<Result> queues = Result.list(file.path("queues"));
            targets(new DigestReport(rows, queues).targets());
            table("Files", Result.list(file.path("disk")), ".*");
            table("Ways", rows, "(?!file_bytes|.*\\.(min|median)).*");
            table("All runs", rows, DIGEST_NAMES + "|.*\\.(min|median|max)");
            table(
                    "Queues and buffers of the pipeline",
                    queues,
                    "(?!way|work|throttled|file_bytes|.*\\.(min|median)).*");
        }
        Files.writeString(out, text, StandardCharsets.UTF_8);
        return 0;
    }

    private void roundTrips(List<Result> rows) {
        table("", rows, NAMES + "|round_trips_per_s|share_of_.*|limit_of_share|published_.*");
        table("", rows, NAMES + "|runs\\.share_of_none.*|blocks");
        table("", rows, NAMES + "|cpu_ms_per_round_trip.*|added_cpu_ms|.*_per_message|(gc|jit)_ms_per_s.*");
        table("", rows, NAMES + "|p\\d+_us|at_.*");
    }

    private static List<Result> rows(JsonNode file) {
        return Result.list(file.path("results"));
    }

    /** Starts a section with the command and machine of a file, and returns the file. */
    private JsonNode section(String title, Path path) throws IOException {
        JsonNode file = JSON.readTree(path.toFile());
        text.append("## ").append(title).append("\n\n");
        if (file.has("command")) {
            text.append("```sh\n").append(file.path("command").asText()).append("\n```\n\n");
        }
        text.append(file.path("machine").properties().stream()
                        .map(fact -> fact.getKey() + ": " + fact.getValue().asText())
                        .collect(Collectors.joining("; ")))
                .append(".\n\n");
        table("Failed", Result.list(file.path("failed")), ".*");
        return file;
    }

    private void targets(List<Target> targets) {
        text.append(Target.markdown(targets)).append('\n');
    }

    /**
     * Writes a table with its title, if it has one; nothing if there are no rows.
     *
     * @param shown matches the fields that are columns
     */
    private void table(String title, List<Result> rows, String shown) {
        if (!rows.isEmpty()) {
            text.append(title.isEmpty() ? "" : "### " + title + "\n\n")
                    .append(MarkdownTable.of(rows, field -> field.matches(shown)))
                    .append('\n');
        }
    }
}
