/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.Progress;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.cli.console.TextTable;
import org.signetmq.policy.QualityOfProtection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code signet demo}. */
@Command(
        name = "demo",
        description = "Shows the whole path with a real broker, on a loopback port and in a temporary folder.",
        footer = {"  signet demo", "  signet demo --messages 20 --json"})
public final class DemoCommand extends ReportingCommand {
    private static final int MOST_MESSAGES = 100_000;

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "How many messages per protocol and quality; default 200.")
    private int messages = 200;

    @Override
    public Integer call() {
        if (messages < 1 || messages > MOST_MESSAGES) {
            throw usage("--messages: not between 1 and " + MOST_MESSAGES + ": " + messages);
        }
        Demo.Report report;
        try (Progress progress = new Progress(context)) {
            report = new Demo(messages, Path.of(System.getProperty("java.io.tmpdir")), progress::show).run();
        } catch (Exception e) {
            throw CliException.failure("demo not finished: " + Failures.inWords(e))
                    .causedBy(e);
        }
        report(report, () -> lines(report));
        return report.ok() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private static List<String> lines(Demo.Report report) {
        TextTable table = TextTable.of(
                "PROTOCOL", "QUALITY", "SENT", "OPENED", "BYTES ADDED", "IN CLEAR ON DISK", "SEAL µs", "OPEN µs", "");
        for (Demo.Report.Row row : report.rows()) {
            boolean sealed = !row.quality().equals(QualityOfProtection.NONE.label());
            table.row(
                    row.protocol(),
                    row.quality(),
                    Integer.toString(row.sent()),
                    Integer.toString(row.opened()),
                    number(row.bytesAdded()),
                    Integer.toString(row.foundInClear()),
                    sealed ? number(row.sealMicros()) : "-",
                    sealed ? number(row.openMicros()) : "-",
                    row.ok() ? "ok" : "WRONG");
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add(String.format(
                        Locale.ROOT,
                        "Searched %d files of the broker, %.1f MiB, as UTF-8 and UTF-16. ",
                        report.searchedFiles(),
                        report.searchedBytes() / (double) (1 << 20))
                + "Payloads of none and integrity");
        lines.add("are found because those do not encrypt; that shows that the search works.");
        lines.add(
                report.ok()
                        ? "All as it should be."
                        : "NOT as it should be: something is missing, or was found in clear.");
        return lines;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
