/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Golden;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.testkit.Tier;

final class MailboxReportTest {
    private static final Uploads STREAM = new Uploads(80, Arrival.STREAM);
    private static final Uploads BURSTS = new Uploads(80, Arrival.BURSTS);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void rows_areInTermsOfFiles() {
        Result row = row(50, "4-100", STREAM, 1.5);

        assertThat(row.text("situation")).isEqualTo("rsa2048 x 50");
        assertThat(row.text("pool")).isEqualTo("4-100");
        assertThat(row.text("arrival")).isEqualTo("stream");
        assertThat(row.text("small_percent")).isEqualTo("80");
        assertThat(row.number("recipients")).isEqualTo(50);
        assertThat(row.number("files_per_s")).isEqualTo(150);
        assertThat(row.number("runs.files_per_s.min")).isEqualTo(140);
        assertThat(row.number("share_of_off")).isEqualTo(1.5);
        assertThat(row.number("runs.share_of_off.max")).isEqualTo(1.5 * 1.1);
        assertThat(row.number("cpu_ms_per_file.broker")).isEqualTo(2);
        assertThat(row.number("key_waits_per_file")).isEqualTo(0.25);
        assertThat(row.number("heap_mb.broker")).isEqualTo(30);
        assertThat(row.json().toString()).doesNotContain("round_trip");
    }

    @Test
    void usualSupply_isNamedToo() {
        assertThat(row(1, KeySupply.AUTO, STREAM, 1).text("pool")).isEqualTo("auto");
    }

    @Test
    void auto_mustGainWhereKeysAreTheBottleneck_andLoseNowhere() {
        List<Target> targets = new MailboxReport(List.of(
                        row(50, "off", BURSTS, 1),
                        row(50, "auto", BURSTS, 1.2),
                        row(50, "32-1000", BURSTS, 1.22),
                        row(1, "off", STREAM, 1),
                        row(1, "auto", STREAM, 0.96),
                        row(1, "32-1000", STREAM, 1.1)))
                .targets();

        assertThat(targets)
                .extracting(Target::toString)
                .satisfiesExactly(
                        missed -> assertThat(missed).contains("rsa2048 x 50, bursts, 80 % small: auto / off", "MISSED"),
                        met -> assertThat(met).contains("auto / best manual", "MET"),
                        met -> assertThat(met).contains("rsa2048 x 1, stream, 80 % small: auto / off", "MET"),
                        missed -> assertThat(missed).contains("auto / best manual", "MISSED"));
    }

    @Test
    void tunedPool_isComparedWithThePublishedDefault() {
        List<Target> targets = new MailboxReport(List.of(
                        row(20, "off", BURSTS, 1), row(20, "32-1000", BURSTS, 1.3), row(20, "4-100", BURSTS, 1.2)))
                .targets();

        assertThat(targets)
                .extracting(Target::name)
                .contains("shape: rsa2048 x 20, bursts, 80 % small: 32-1000 / 4-100, 2022: 1.25");
    }

    @Test
    void output_staysTheSame() throws Exception {
        MailboxReport report = new MailboxReport(List.of(row(50, "off", BURSTS, 1), row(50, "auto", BURSTS, 1.3)));

        Golden.check("mailbox.txt", Golden.printed(out -> {
            report.print(out);
            Target.print(report.targets(), out);
        }));
    }

    @Tag(Tier.LONG)
    @Test
    void charts_areDrawn() throws Exception {
        new MailboxReport(List.of(row(20, "32-1000", BURSTS, 1.3), row(20, "4-100", BURSTS, 1.2)))
                .draw(new ChartFolder(folder));

        assertThat(folder)
                .isDirectoryContaining("glob:**/mailbox.svg")
                .isDirectoryContaining("glob:**/mailbox-published.png");
    }

    @Test
    void noRows_haveNoTargets() {
        assertThat(new MailboxReport(List.of()).targets()).isEmpty();
    }

    private static Result row(int recipients, String pool, Uploads uploads, double share) {
        Setting setting = Setting.of(Protection.CONFIDENTIALITY, Reuse.NONE, KeyKind.RSA2048)
                .in(Place.with(new KeySupply(recipients, pool)));
        Result row = setting.json();
        for (var field : Load.of(8, uploads).json().json().properties()) {
            row = row.with(field.getKey(), field.getValue());
        }
        row = row.with("part", "rsa2048 x " + recipients)
                .with("blocks", 4)
                .with(Block.RATE, 100 * share)
                .with("runs." + Block.RATE + ".min", 140)
                .with("runs." + Block.RATE + ".max", 160)
                .with("share_of_none", share);
        for (String field : List.of("min", "low")) {
            row = row.with("runs.share_of_none." + field, share * 0.9);
        }
        for (String field : List.of("max", "high")) {
            row = row.with("runs.share_of_none." + field, share * 1.1);
        }
        row = row.with("p50_us", 4_000)
                .with("p99_us", 20_000)
                .with(Block.BROKER_CPU, 2)
                .with(Block.CLIENT_CPU, 1)
                .with(Block.KEY_WAITS, 0.25)
                .with(Block.BROKER_HEAP, 30)
                .with("gc_ms_per_s.broker", 0)
                .with(Block.BROKER_JIT, 1);
        return Rows.ofFiles(List.of(row)).get(0);
    }
}
