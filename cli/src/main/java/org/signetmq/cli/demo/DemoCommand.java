/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.cli.console.ProgressLine;
import org.signetmq.cli.console.TextTable;
import org.signetmq.policy.QualityOfProtection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code signet demo}. */
@Command(
        name = "demo",
        description = "Shows the whole path with a real broker, on a loopback port and in a temporary folder.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet demo", "  signet demo --messages 20 --json"})
public final class DemoCommand implements Callable<Integer> {
    private static final int MOST_MESSAGES = 100_000;

    private final CommandContext context;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "How many messages per protocol and quality; default 200.")
    private int messages = 200;

    @Mixin
    private final JsonOption json = new JsonOption();

    public DemoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (messages < 1 || messages > MOST_MESSAGES) {
            throw new ParameterException(
                    spec.commandLine(), "--messages: not between 1 and " + MOST_MESSAGES + ": " + messages);
        }
        ProgressLine progress = new ProgressLine(context);
        Report report;
        try {
            report = new Demo(messages, Path.of(System.getProperty("java.io.tmpdir")), progress::show).run();
        } catch (Exception e) {
            throw CliException.failure("demo not finished: " + Failures.inWords(e))
                    .causedBy(e);
        } finally {
            progress.clear();
        }
        if (json.wanted) {
            Json.print(answer(report), context.out());
        } else {
            print(report);
        }
        return report.ok() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private void print(Report report) {
        TextTable table = TextTable.of(
                "PROTOCOL", "QUALITY", "SENT", "OPENED", "BYTES ADDED", "IN CLEAR ON DISK", "SEAL µs", "OPEN µs", "");
        for (Row row : report.rows()) {
            boolean sealed = row.quality() != QualityOfProtection.NONE;
            table.row(
                    row.protocol(),
                    row.quality().label(),
                    Integer.toString(row.fate().sent()),
                    Integer.toString(row.fate().opened()),
                    number(row.cost().bytesAdded()),
                    Integer.toString(row.fate().foundInClear()),
                    sealed ? number(row.cost().sealMicros()) : "-",
                    sealed ? number(row.cost().openMicros()) : "-",
                    row.ok() ? "ok" : "WRONG");
        }
        table.lines().forEach(context.out()::println);
        context.out().println();
        context.out()
                .printf(
                        Locale.ROOT,
                        "Searched %d files of the broker, %.1f MiB, as UTF-8 and UTF-16. Payloads of none and integrity%n"
                                + "are found because those do not encrypt; that shows that the search works.%n",
                        report.searchedFiles(),
                        report.searchedBytes() / (double) (1 << 20));
        context.out()
                .println(
                        report.ok()
                                ? "All as it should be."
                                : "NOT as it should be: something is missing, or was found in clear.");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static ObjectNode answer(Report report) {
        ObjectNode answer = Json.answer();
        ArrayNode rows = answer.putArray("rows");
        for (Row row : report.rows()) {
            rows.addObject()
                    .put("protocol", row.protocol())
                    .put("quality", row.quality().label())
                    .put("sent", row.fate().sent())
                    .put("opened", row.fate().opened())
                    .put("bytes-added", rounded(row.cost().bytesAdded()))
                    .put("found-in-clear", row.fate().foundInClear())
                    .put("hidden", row.hides())
                    .put("seal-micros", rounded(row.cost().sealMicros()))
                    .put("open-micros", rounded(row.cost().openMicros()))
                    .put("ok", row.ok());
        }
        return answer.put("searched-files", report.searchedFiles())
                .put("searched-bytes", report.searchedBytes())
                .put("ok", report.ok());
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
