/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;

final class ReportCommandTest {
    private static final String MACHINE = "'machine':{'processor':'Abacus','memory_mib':4096}";
    private static final Pattern CHART = Pattern.compile("!\\[[^]]*]\\(([^)]*)\\)");

    @TempDir
    private Path folder;

    @Test
    void micro_hasCommandTargetsRowsSizesLawsAndFailures() throws Exception {
        Path micro = json("micro.json", """
                {'schema':1,'command':'./signet perf micro --rows seal',%s,'results':[
                {'name':'seal.integrity.0.p256','us_per_op':13.0,'bytes_per_op':1.0,'spread':1.6,'threads':1,'crypto':'native'},
                {'name':'limit.ecdsa-p256.sign','us_per_op':10.0,'bytes_per_op':1.0,'spread':1.0,'threads':1,'crypto':'native'}],
                'sizes':[{'name':'size.confidentiality.p256','bytes_added':528}],
                'laws':[{'rows':'seal.confidentiality.N.p256','crypto':'native','t_infinity_us':1.2,'k_us':1.4,'r2':0.99}],
                'failed':[{'name':'limit.sha512 native','reason':'out of luck'}]}
                """);

        String text = report(micro);

        assertThat(text)
                .contains("```sh\n./signet perf micro --rows seal\n```")
                .contains("processor: Abacus; memory_mib: 4096.")
                .contains("| seal.integrity.0.p256 / limit.ecdsa-p256.sign | <= 1.300 | 1.300 | noisy |")
                .contains("| size.confidentiality.p256: bytes added to 2048 | <= 550 | 528 | yes |")
                .contains("| seal.confidentiality.32.p256 / limit.aes256gcm.encrypt | <= 4.000 |  | not measured |")
                .contains("| seal.integrity.0.p256 | 13.0 | 1.000 | 1.600 | 1 | native |")
                .contains("| size.confidentiality.p256 | 528 |")
                .contains("| seal.confidentiality.N.p256 | native | 1.200 | 1.400 | 0.990 |")
                .contains("| limit.sha512 native | out of luck |");
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

    @Test
    void roundTrips_haveTargetsMediansIntervalsAndOtherPaces() throws Exception {
        Path rr = json("rr.json", """
                {'schema':1,'command':'./signet perf rr',%s,'results':[
                {'setting':'integrity.p256','protection':'integrity','reuse':0,'key':'p256','transport':'tcp','disk':'',
                'clients':32,'queues':1,'size':2048,'share_of_none':0.8,'share_of_limit':0.96,
                'at_50_percent':{'p99_us':1234},
                'runs':{'share_of_none':{'min':0.7,'max':0.9,'low':0.75,'high':0.85}}}],
                'blocks':[{'setting':'integrity.p256','round':0}]}
                """);

        String text = report(rr);

        assertThat(text)
                .contains("| integrity.p256, 32 clients, 1 queue: share_of_limit | >= 0.950 | 0.960 | yes |")
                .contains("| setting | clients | queues | size | share_of_none | share_of_limit |")
                .contains("| integrity.p256 | 32 | 1 | 2048 | 0.800 | 0.960 |")
                .contains("| size | runs.share_of_none.min | runs.share_of_none.max | runs.share_of_none.low |")
                .contains("| integrity.p256 | 32 | 1 | 2048 | 0.700 | 0.900 | 0.750 | 0.850 |")
                .contains("| setting | clients | queues | size | at_50_percent.p99_us |")
                .contains("| integrity.p256 | 32 | 1 | 2048 | 1234 |")
                .doesNotContain("round |");
    }

    @Test
    void filesystem_hasTargetsDisksLossesAndWhatIsNotMeasured() throws Exception {
        Path filesystem = json("filesystem.json", """
                {'schema':1,'command':'./signet perf filesystem',%s,'results':[
                {'setting':'none@plain','clients':20,'queues':10,'size':2048,'part':'one.directory',
                'round_trips_per_s':1000,'share_of_none':1.0},
                {'setting':'confidentiality.32.p256@plain','clients':20,'queues':10,'size':2048,
                'part':'one.directory','round_trips_per_s':940,'share_of_none':0.94}],
                'disks':[{'disk':'plain','file_system':'ext4'}],
                'not_measured':[{'setting':'clients sealing','reason':'they do not seal'}]}
                """);

        String text = report(filesystem);

        assertThat(text)
                .contains("| one, 2048 bytes: confidentiality worst rate, of none | >= 0.900 | 0.940 | yes |")
                .contains("#### Disks\n\n| disk | file_system |")
                .contains("#### Losses in percent\n\n| scenario | setting | size | worst_percent | worst_clients |")
                .contains("| one.directory |")
                .contains("#### Not measured\n\n| setting | reason |");
    }

    @Test
    void keys_haveTargetsAndATableForEachExperiment() throws Exception {
        Path keys = json("keys.json", """
                {'schema':1,'command':'./signet perf keys',%s,'results':[
                {'experiment':'E1a/b','keys':'raw','arrival':'bursts','mix':'80/20','pool':'off','share_of_best':1.0},
                {'experiment':'E1a/b','keys':'raw','arrival':'bursts','mix':'80/20','pool':'auto','share_of_best':0.9},
                {'experiment':'E3b','producers':241,'cache':1024,'unwraps_per_message':0.03125}]}
                """);

        String text = report(keys);

        assertThat(text)
                .contains("| unwraps per message, reuse 32, up to 241 producers | <= 0.033 | 0.031 | yes |")
                .contains("| auto / best manual: E1a/b raw, bursts, 80/20 | >= 0.950 | 0.900 | **no** |")
                .contains("#### E1a/b\n\n| keys | arrival | mix | pool | share_of_best |")
                .contains("#### E3b\n\n| producers | cache | unwraps_per_message |");
    }

    @Test
    void mailbox_hasTargetsAndRows() throws Exception {
        Path mailbox = json("mailbox.json", """
                {'schema':1,'command':'./signet perf mailbox',%s,'results':[
                {'situation':'p256 x 1','key':'p256','recipients':1,'arrival':'stream','small_percent':80,'pool':'auto',
                'files_per_s':900.0,'share_of_off':1.02,'p50_us':4000.0,'cpu_ms_per_file':{'broker':0.4},
                'runs':{'share_of_off':{'min':1.0,'max':1.1}}}]}
                """);

        String text = report(mailbox);

        assertThat(text)
                .contains("## Files to mailboxes")
                .contains("| p256 x 1, stream, 80 % small: auto / off | >= 0.950 | 1.020 | yes |")
                .contains("| situation | arrival | small_percent | pool | files_per_s | share_of_off | p50_us |")
                .contains("runs.share_of_off.min | runs.share_of_off.max |");
    }

    @Test
    void digest_hasTargetsWaysBesidePublishedOnesAndQueues() throws Exception {
        Path digest = json("digest.json", """
                {'schema':1,'command':'./signet perf digest',%s,'results':[
                {'work':'sha-256','way':'loop','block':1048576,'throttled':true,
                'both_mb_per_s':{'median':42.0,'min':41.0,'max':43.0},'both_of_digest':0.58,
                'cpu_s_per_gb':0.6,'published':{'both_mb_per_s':34.3}},
                {'work':'sha-256','way':'signet','block':4096,'throttled':false,'both_of_least':0.97,
                'both_mb_per_s':{'median':1900.0,'min':1800.0,'max':2000.0}}],
                'queues':[{'way':'pipeline','queue':'ring','buffers':8,'block':4096,'cpu_s_per_gb':0.7}],
                'disk':[{'file_system':'ext4','unthrottled':'cold'}]}
                """);

        String text = report(digest);

        assertThat(text)
                .contains(
                        "| signet / min(read, digest): sha-256, unthrottled, blocks of 4096 | >= 0.950 | 0.970 | yes |")
                .contains("| shape: loop / digest, 2011: 0.48: throttled, blocks of 1048576 | <= 0.650 | 0.580 | yes |")
                .contains("| file_system | unthrottled |\n| --- | --- |\n| ext4 | cold |")
                .contains("| work | way | block | throttled | both_mb_per_s.max | both_of_digest | cpu_s_per_gb |"
                        + " published.both_mb_per_s | both_of_least |")
                .contains("| sha-256 | loop | 1048576 | true | 43.0 | 0.580 | 0.600 | 34.3 |  |")
                .contains("#### All runs\n\n| work | way | block | throttled | both_mb_per_s.median |")
                .contains("| sha-256 | loop | 1048576 | true | 42.0 | 41.0 | 43.0 |")
                .contains("#### Queues and buffers of the pipeline\n\n| queue | buffers | block | cpu_s_per_gb |");
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
        Matcher links = CHART.matcher(text);
        while (links.find()) {
            assertThat(docs.resolve(links.group(1))).isNotEmptyFile();
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
