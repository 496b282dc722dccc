/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.Golden;
import org.signetmq.perf.Ran;

final class ReportCommandTest {
    private static final String MACHINE = "'machine':{'processor':'Abacus','memory_mib':4096}";
    private static final Pattern CHART = Pattern.compile("!\\[[^]]*]\\(([^)]*)\\)");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"micro", "rr", "filesystem", "keys", "mailbox", "digest", "tls"})
    void documentOfOneFile_staysTheSame(String name) throws Exception {
        Golden.check("report-" + name + ".md", report(Path.of("src/test/resources/report", name + ".json")));
    }

    @Test
    void runsOfAnExperiment_standSideBySide_inTheOrderOfTheirNames() throws Exception {
        Path measured = Files.createDirectory(folder.resolve("measured"));
        run(measured, "figure-1-2.json", 0.80);
        run(measured, "figure-1.json", 0.96);
        Files.writeString(measured.resolve("notes.md"), "Missed, because.\n");

        String text = report(measured);

        assertThat(text)
                .contains("Run 1. processor: Abacus; memory_mib: 4096.")
                .contains("| target | bar | measured, run 1 | met, run 1 | measured, run 2 | met, run 2 |")
                .contains(
                        "| 32 clients: confidentiality.32.p256 share_of_none | >= 0.950 | 0.960 | yes | 0.800 | **no** |")
                .contains("| figure | published | ours, run 1 | ours, run 2 | repeat by |")
                .contains(
                        "| confidentiality.32.p256, 32 clients: share of none | 0.473 | 0.960 | 0.800 |"
                                + " `signet perf rr --quality confidentiality --reuse 32 --keys p256 --clients 32 --queues 1` |")
                .contains("<summary>All rows, run 1</summary>")
                .contains("<summary>All rows, run 2</summary>");
        assertThat(text.split("## Qualities on one queue", -1))
                .as("one section")
                .hasSize(2);
    }

    @Test
    void document_beginsWithGainAndPrice_thenTheLosses_thenTheNotes() throws Exception {
        Path measured = Files.createDirectory(folder.resolve("measured"));
        run(measured, "figure-1.json", 0.96);
        run(measured, "figure-1-2.json", 0.80);
        Files.writeString(measured.resolve("notes.md"), "Missed, because.\n");

        String text = report(measured);

        assertThat(text)
                .startsWith(
                        "# Performance\n\n- **Throughput.** Confidentiality with a key for 32 messages keeps 0.80 to"
                                + " 0.96 of the throughput");
        assertThat(text)
                .contains("| Qualities on one queue | 32 clients: confidentiality.32.p256 share_of_none | >= 0.950 |"
                        + " 0.960 | yes | 0.800 | **no** |");
        assertThat(text.indexOf("## Losses")).isPositive().isLessThan(text.indexOf("Missed, because."));
        assertThat(text.indexOf("Missed, because.")).isLessThan(text.indexOf("## Qualities on one queue"));
    }

    @Test
    void charts_areDrawnAndLinked_asTheDocumentFindsThem() throws Exception {
        Path measured = Files.createDirectory(folder.resolve("measured"));
        run(measured, "figure-1.json", 0.96);

        String text = report(measured, "--charts", folder.resolve("charts"));

        assertThat(text).contains("![figure-1](charts/figure-1.svg)");
        assertThat(folder.resolve("charts"))
                .isDirectoryContaining("glob:**/figure-1.svg")
                .isDirectoryNotContaining("glob:**.png");
    }

    @Test
    void fileOfNoCommand_isRejected() throws Exception {
        Path other = json("other.json", "{'schema':1,'command':'./signet perf soak',%s,'results':[]}");

        Ran ran = Ran.perf(
                "report", other.toString(), "--out", folder.resolve("report.md").toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .contains("other: must come from signet perf figure, tls,")
                .contains("found './signet perf soak'");
    }

    private void run(Path measured, String name, double share) throws IOException {
        Path file = json(name, """
                {'schema':1,'command':'./signet perf figure 1',%s,'results':[
                {'study':'figure-1','setting':'confidentiality.32.p256','protection':'confidentiality','reuse':32,
                'key':'p256','clients':32,'queues':1,'size':2048,'share_of_none':SHARE,'published_share':0.473}]}
                """.replace("SHARE", Double.toString(share)));
        Files.move(file, measured.resolve(name));
    }

    /**
     * Nobody edits it by hand: what is published is what was measured. With the system property
     * {@code signet.golden.write} the document and its charts are written instead.
     */
    @Test
    void publishedDocument_isWhatComesOfThePublishedFiles() throws Exception {
        Path docs = Path.of("..", "docs");
        Path published = docs.resolve("performance.md");
        if (System.getProperty("signet.golden.write") != null) {
            write(docs.resolve("measured"), published);
        }
        Path copy = folder.resolve("performance.md");

        write(docs.resolve("measured"), copy);

        String text = Files.readString(published);
        assertThat(Files.readString(copy)).isEqualTo(text);
        List<String> links =
                CHART.matcher(text).results().map(link -> link.group(1)).toList();
        try (Stream<Path> charts = Files.list(docs.resolve("charts"))) {
            assertThat(charts.map(chart -> "charts/" + chart.getFileName())).containsExactlyInAnyOrderElementsOf(links);
        }
    }

    @Test
    void missingFile_fails_andWritesNothing() throws Exception {
        Path out = folder.resolve("report.md");

        Ran ran = Ran.perf("report", folder.resolve("none.json").toString(), "--out", out.toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).startsWith("signet: error: ").contains("none.json");
        assertThat(out).doesNotExist();
    }

    private Path json(String name, String text) throws IOException {
        return Files.writeString(
                folder.resolve(name), text.replace("%s", MACHINE).replace('\'', '"'));
    }

    private String report(Object... arguments) throws Exception {
        Path out = folder.resolve("report.md");
        List<String> all = new ArrayList<>(List.of("report", "--out", out.toString()));
        Stream.of(arguments).map(Object::toString).forEach(all::add);
        Ran ran = Ran.perf(all.toArray(String[]::new));
        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
        return Files.readString(out);
    }

    /** Does what {@code docs/measured/README.md} says. */
    private static void write(Path measured, Path document) throws Exception {
        Ran ran = Ran.perf(
                "report",
                measured.toString(),
                "--charts",
                document.resolveSibling("charts").toString(),
                "--out",
                document.toString());
        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
    }
}
