/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.Golden;
import org.signetmq.perf.Ran;
import org.signetmq.testkit.Tier;

final class ReportCommandTest {
    private static final Path RUNS = Path.of("src/test/resources/report/two-runs");

    @TempDir
    private Path folder;

    /** The last one is a folder with two runs and notes: gain and price, missed bars, notes, and both runs abreast. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "micro.json",
                "rr.json",
                "filesystem.json",
                "keys.json",
                "mailbox.json",
                "digest.json",
                "tls.json",
                "stored.json",
                "two-runs"
            })
    void document_staysTheSame(String name) throws Exception {
        Golden.check("report-" + name.replace(".json", "") + ".md", report(RUNS.resolveSibling(name)));
    }

    @Tag(Tier.LONG)
    @Test
    void charts_areDrawnAndLinked_asTheDocumentFindsThem() throws Exception {
        String text = report(RUNS, "--charts", folder.resolve("charts"));

        assertThat(text).contains("![figure-1](charts/figure-1.svg)");
        assertThat(folder.resolve("charts"))
                .isDirectoryContaining("glob:**/figure-1.svg")
                .isDirectoryNotContaining("glob:**.png");
    }

    @Tag(Tier.LONG)
    @Test
    void charts_ofSeveralRuns_showTheLastOne() throws Exception {
        String text = report(RUNS, "--charts", folder.resolve("charts"));
        String last = report(RUNS.resolve("figure-1-2.json"), "--charts", folder.resolve("last"));

        assertThat(text).contains("The charts show run 2.");
        assertThat(last).doesNotContain("The charts show");
        assertThat(folder.resolve("charts/figure-1.svg")).hasSameTextualContentAs(folder.resolve("last/figure-1.svg"));
    }

    @Test
    void runOfOneBrokerOrOfSmallMachinesAlone_isAnExperimentOfItsOwn() throws Exception {
        Path one = RUNS.resolveSibling("filesystem.json");
        String rows = Files.readString(one);
        Path pair = Files.writeString(folder.resolve("ha.json"), rows.replace("one.directory", "ha.directory"));
        Path small =
                Files.writeString(folder.resolve("small.json"), rows.replace("one.directory", "half-core.directory"));

        String text = report(pair, one, small);

        assertThat(text)
                .containsSubsequence(
                        "## Encrypted file systems", "## One broker on encrypted file systems", "## Small machines")
                .doesNotContain("Run 2");
    }

    @Test
    void fileOfNoCommand_isRejected() throws Exception {
        Path other = Files.writeString(folder.resolve("other.json"), "{\"command\":\"./signet perf soak\"}");

        Ran ran = Ran.perf(
                "report", other.toString(), "--out", folder.resolve("report.md").toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .contains("other: must come from signet perf figure, tls,")
                .contains("found './signet perf soak'");
    }

    @Test
    void missingFile_fails_andWritesNothing() throws Exception {
        Path out = folder.resolve("report.md");

        Ran ran = Ran.perf("report", folder.resolve("none.json").toString(), "--out", out.toString());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).startsWith("signet: error: ").contains("none.json");
        assertThat(out).doesNotExist();
    }

    private String report(Object... arguments) throws Exception {
        Path out = folder.resolve("report.md");
        List<String> all = new ArrayList<>(List.of("report", "--out", out.toString()));
        Stream.of(arguments).map(Object::toString).forEach(all::add);
        Ran ran = Ran.perf(all.toArray(String[]::new));
        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
        return Files.readString(out);
    }
}
