/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportCommandTest {
    private static final String MACHINE = "'machine':{'processor':'Abacus','memory_mib':4096}";

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

        String text = report("--micro", micro);

        assertThat(text)
                .contains("```sh\n./signet perf micro --rows seal\n```")
                .contains("processor: Abacus; memory_mib: 4096.")
                .contains("| seal.integrity.0.p256 / limit.ecdsa-p256.sign | 1.300 | <= 1.300 | noisy |")
                .contains("| size.confidentiality.p256: bytes added to 2048 | 528 | <= 550 | yes |")
                .contains("| seal.confidentiality.32.p256 / limit.aes256gcm.encrypt |  | <= 4.000 | not measured |")
                .contains("| seal.integrity.0.p256 | 13.0 | 1.000 | 1.600 | 1 | native |")
                .contains("| size.confidentiality.p256 | 528 |")
                .contains("| seal.confidentiality.N.p256 | native | 1.200 | 1.400 | 0.990 |")
                .contains("| limit.sha512 native | out of luck |");
    }

    @Test
    void twoRunsOfMicro_areASectionEach() throws Exception {
        Path first = json("first.json", "{'schema':1,'command':'./signet perf micro',%s,'results':[]}");
        Path second = json("second.json", "{'schema':1,'command':'./signet perf micro --quick',%s,'results':[]}");

        String text = report("--micro", first, "--micro", second);

        assertThat(text)
                .contains("## Single operations\n\n```sh\n./signet perf micro\n")
                .contains("## Single operations, run 2\n\n```sh\n./signet perf micro --quick\n");
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

        String text = report("--rr", rr);

        assertThat(text)
                .contains("| integrity.p256, 32 clients, 1 queue: share_of_limit | 0.960 | >= 0.950 | yes |")
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

        String text = report("--filesystem", filesystem);

        assertThat(text)
                .contains("| one, 2048 bytes: confidentiality worst rate, of none | 0.940 | >= 0.900 | yes |")
                .contains("### Disks\n\n| disk | file_system |")
                .contains("### Losses in percent\n\n| scenario | setting | size | worst_percent | worst_clients |")
                .contains("| one.directory |")
                .contains("### Not measured\n\n| setting | reason |");
    }

    @Test
    void keys_haveTargetsAndATableForEachExperiment() throws Exception {
        Path keys = json("keys.json", """
                {'schema':1,'command':'./signet perf keys',%s,'results':[
                {'experiment':'E1a/b','keys':'raw','arrival':'bursts','mix':'80/20','pool':'off','share_of_best':1.0},
                {'experiment':'E1a/b','keys':'raw','arrival':'bursts','mix':'80/20','pool':'auto','share_of_best':0.9},
                {'experiment':'E3b','producers':241,'cache':1024,'unwraps_per_message':0.03125}]}
                """);

        String text = report("--keys", keys);

        assertThat(text)
                .contains("| unwraps per message, reuse 32, up to 241 producers | 0.031 | <= 0.033 | yes |")
                .contains("| auto / best manual: E1a/b raw, bursts, 80/20 | 0.900 | >= 0.950 | **no** |")
                .contains("### E1a/b\n\n| keys | arrival | mix | pool | share_of_best |")
                .contains("### E3b\n\n| producers | cache | unwraps_per_message |");
    }

    @Test
    void mailbox_hasTargetsAndRows() throws Exception {
        Path mailbox = json("mailbox.json", """
                {'schema':1,'command':'./signet perf mailbox',%s,'results':[
                {'situation':'p256 x 1','key':'p256','recipients':1,'arrival':'stream','small_percent':80,'pool':'auto',
                'files_per_s':900.0,'share_of_off':1.02,'p50_us':4000.0,'cpu_ms_per_file':{'broker':0.4},
                'runs':{'share_of_off':{'min':1.0,'max':1.1}}}]}
                """);

        String text = report("--mailbox", mailbox);

        assertThat(text)
                .contains("## Files to mailboxes")
                .contains("| p256 x 1, stream, 80 % small: auto / off | 1.020 | >= 0.950 | yes |")
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

        String text = report("--digest", digest);

        assertThat(text)
                .contains(
                        "| signet / min(read, digest): sha-256, unthrottled, blocks of 4096 | 0.970 | >= 0.950 | yes |")
                .contains("| shape: loop / digest, 2011: 0.48: throttled, blocks of 1048576 | 0.580 | <= 0.650 | yes |")
                .contains("| file_system | unthrottled |\n| --- | --- |\n| ext4 | cold |")
                .contains("| work | way | block | throttled | both_mb_per_s.max | both_of_digest | cpu_s_per_gb |"
                        + " published.both_mb_per_s | both_of_least |")
                .contains("| sha-256 | loop | 1048576 | true | 43.0 | 0.580 | 0.600 | 34.3 |  |")
                .contains("### All runs\n\n| work | way | block | throttled | both_mb_per_s.median |")
                .contains("| sha-256 | loop | 1048576 | true | 42.0 | 41.0 | 43.0 |")
                .contains("### Queues and buffers of the pipeline\n\n| queue | buffers | block | cpu_s_per_gb |");
    }

    @Test
    void notes_standBeforeTheTables() throws Exception {
        Path notes = Files.writeString(folder.resolve("notes.md"), "Missed, because.\n");
        Path micro = json("micro.json", "{'schema':1,%s,'results':[]}");

        String text = report("--notes", notes, "--micro", micro);

        assertThat(text.indexOf("Missed, because.")).isPositive().isLessThan(text.indexOf("## Single operations"));
    }

    /** Nobody edits it by hand: what is published is what was measured. */
    @Test
    void publishedDocument_isWhatComesOfThePublishedFiles() throws Exception {
        Path docs = Path.of("..", "docs");
        Path measured = docs.resolve("measured");

        String text = report(
                "--micro", measured.resolve("micro.json"),
                "--micro", measured.resolve("micro-quick.json"),
                "--rr", measured.resolve("rr.json"),
                "--keys", measured.resolve("keys.json"),
                "--notes", measured.resolve("notes.md"));

        assertThat(text).isEqualTo(Files.readString(docs.resolve("performance.md")));
    }

    @Test
    void missingFile_fails_andWritesNothing() throws Exception {
        Path out = folder.resolve("report.md");

        Ran ran = Ran.perf("report", "--micro", folder.resolve("none.json").toString(), "--out", out.toString());

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
        String[] all = new String[arguments.length + 3];
        all[0] = "report";
        all[1] = "--out";
        all[2] = out.toString();
        for (int i = 0; i < arguments.length; i++) {
            all[i + 3] = arguments[i].toString();
        }
        Ran ran = Ran.perf(all);
        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
        return Files.readString(out);
    }
}
