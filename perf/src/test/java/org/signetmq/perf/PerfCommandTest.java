/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.experiment.Experiment;
import org.signetmq.perf.result.ResultFile;
import org.signetmq.perf.result.Row;

final class PerfCommandTest {
    @TempDir
    private Path folder;

    /** What a command returned and printed. */
    private record Ran(int exitCode, String out, String err) {}

    private static Ran perf(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            int exitCode = PerfCommand.commandLine().execute(arguments);
            return new Ran(exitCode, printed.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "micro",
                "keys",
                "digest",
                "rr",
                "proof",
                "pq",
                "figure",
                "tls",
                "mailbox",
                "filesystem",
                "report"
            })
    void command_isListed_andHasHelp(String name) {
        assertThat(perf("--help").out()).contains("\n  " + name + " ");
        Ran help = perf(name, "--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("--out=");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "figure 5 --quick|2|signet: error: NUMBER: must be 1, 2, 3 or 4, found 5",
                "digest --folder /nowhere|2|signet: error: --folder /nowhere: must be a folder to write to",
                "rr --out /nowhere/x.csv|2|signet: error: --out /nowhere/x.csv: must be a file in a folder to write to",
                "micro --rows (|2|signet: error: Invalid value for option",
                "micro --peers|1|signet: error: --peers: no jar of the peers; mvn",
                "report missing.csv --out page.md|1|signet: error: missing.csv: cannot be read; give a file of --out"
            })
    void wrongUse_isOneLine_withItsExitCode(String arguments, int exitCode, String message) {
        Ran ran = perf(arguments.split(" "));

        assertThat(ran.exitCode()).isEqualTo(exitCode);
        assertThat(ran.err()).startsWith(message);
    }

    @Test
    void run_isPrinted_andReplacesItsRowsInTheFile() throws IOException {
        Path file = folder.resolve("rows.csv");
        new ResultFile(
                        List.of("micro: old", "tls: kept"),
                        List.of(Row.of("experiment", "micro").with("us", 1), Row.of("experiment", "tls")))
                .write(file);

        Ran ran = perf("micro", "--quick", "--rows", "limit\\.sha512", "--out", file.toString());

        assertThat(ran.err()).contains("limit.sha512");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .startsWith("Single operations")
                .contains("bytes added to 2048")
                .contains("verdict");
        ResultFile written = ResultFile.read(file);
        assertThat(written.notes()).hasSize(2).first().isEqualTo("tls: kept");
        assertThat(written.notes().get(1))
                .startsWith("micro: ")
                .contains("--quick")
                .contains("Java ");
        assertThat(written.rows().get(0).cells()).isEqualTo(Map.of("experiment", "tls"));
        assertThat(written.rows().subList(1, written.rows().size()))
                .allMatch(row -> row.text("experiment").equals("micro")
                        && !row.text("us").equals("1"));
    }

    @Test
    void report_fillsANewPage_andItsPlacesAgain() throws IOException {
        Row none = Row.of("experiment", "figure 1")
                .with("setting", "none")
                .with("part", "")
                .with("p50_us", 1000);
        Row sealed = Row.of("experiment", "figure 1")
                .with("setting", "confidentiality.32.p256")
                .with("part", "")
                .with("share", 0.9)
                .with("share_low", 0.8)
                .with("share_high", 1.0)
                .with("spread", 1.2)
                .with("added_cpu_ms", 0.05);
        Path file = folder.resolve("rows.csv");
        new ResultFile(
                        List.of("figure 1: a machine"),
                        List.of(
                                none.with("clients", 1),
                                none.with("clients", 81).with("wire_bytes", 2500),
                                sealed.with("clients", 81).with("wire_bytes", 2760),
                                sealed.with("clients", 32).with("spread", 1.7)))
                .write(file);
        Path page = folder.resolve("page.md");
        Path charts = folder.resolve("charts");

        assertThat(perf("report", file.toString(), "--out", page.toString(), "--charts", charts.toString()))
                .isEqualTo(new Ran(0, "", ""));

        String text = Files.readString(page);
        assertThat(text)
                .contains("<!-- machine -->\n- figure 1: a machine\n<!-- end -->")
                .contains("| confidentiality.32.p256 | noisy | 0.90 (0.80 to 1.00) | 25 |  | 260 |")
                .contains("| AMS figure 1: share of none, confidentiality.32, 81 clients | 0.862 | 0.900 |")
                .contains("| figure 1 | confidentiality keeps of none with 81 clients | 0.900 | at least 0.950 |");
        assertThat(charts).isDirectoryContaining("glob:**figure-1.png");
        Files.writeString(page, text.replace("0.90 (", "0.99 (") + "\nwords that stay\n");
        perf("report", file.toString(), "--out", page.toString());
        assertThat(page).hasContent(text + "\nwords that stay\n");
    }

    @Test
    void report_hasWhatASettingCostsInALoop_besideItsBytes() throws IOException {
        Row micro = Row.of("experiment", "micro").with("clients", 1);
        Row size = Row.of("experiment", "micro").with("part", "size");
        List<Row> rows = List.of(
                micro.with("setting", "seal.privacy.shared.0.p256").with("us", 30),
                micro.with("setting", "open.privacy.shared.warm.p256").with("us", 60.5),
                micro.with("setting", "seal.authenticity.32.p256").with("us", 1.2),
                size.with("setting", "privacy.shared.p256 referenced").with("bytes_added", 1000),
                size.with("setting", "authenticity.32.p256").with("bytes_added", 600));

        assertThat(ReportCommand.places(List.of(), rows).get("loop"))
                .contains("| privacy.shared.p256 referenced | 30 | 60.5 | 1000 |")
                .contains("| authenticity.32.p256 | 1.200 |  | 600 |");
    }

    @Test
    void pageOfTheProject_hasTheTablesOfTheReferenceRun() throws IOException {
        String page = Files.readString(Path.of("../docs/performance.md"));
        List<String> notes = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (String name : List.of("reference.csv", "proof.csv")) {
            Path file = Path.of("../docs/measured", name);
            if (Files.exists(file)) {
                notes.addAll(ResultFile.read(file).notes());
                rows.addAll(ResultFile.read(file).rows());
            }
        }

        String filled = ReportCommand.filled(page, ReportCommand.places(notes, rows));

        assertThat(filled)
                .as(
                        "signet perf report docs/measured/reference.csv docs/measured/proof.csv --charts docs/charts --out docs/performance.md")
                .isEqualTo(page);
        assertThat(page.lines().count()).isLessThanOrEqualTo(270);
        assertThat(Experiment.all().stream().filter(experiment -> experiment.chart() != null))
                .allSatisfy(experiment ->
                        assertThat(page).contains("(charts/" + experiment.name().replace(' ', '-') + ".png)"));
    }
}
