/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.pair.Block;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.testkit.Tier;

/** A short run of the command with real processes. It fails if a file does not arrive as it was sent. */
@Tag(Tier.LONG)
final class MailboxIT {
    private static final List<Situation> SHORT = List.of(new Situation(
            KeyKind.RSA2048,
            2,
            List.of(KeySupply.AUTO),
            List.of(new Uploads(80, Arrival.STREAM), new Uploads(80, Arrival.BURSTS))));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void uploads_arrive_andHaveAllFigures() throws Exception {
        Path json = folder.resolve("mailbox.json");
        Path charts = folder.resolve("charts");

        Ran ran = Ran.with(
                "mailbox",
                new MailboxCommand(List.of(), SHORT),
                ("mailbox --quick --rounds 1 --seconds 0.5 --warm-up 0.5 --json " + json + " --plot " + charts)
                        .split(" "));

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.has("failed")).isFalse();
        List<Result> rows = Result.list(file.path("results"));
        assertThat(rows)
                .extracting(row -> row.text(Rows.ARRIVAL) + " " + row.text(Rows.POOL))
                .containsExactly("stream off", "stream auto", "bursts off", "bursts auto");
        assertThat(rows).allSatisfy(MailboxIT::assertMeasured);
        assertThat(charts.resolve("mailbox.svg")).isNotEmptyFile();
    }

    private static void assertMeasured(Result row) {
        assertThat(List.of(Rows.RATE, "p50_us", "p99_us", Rows.BROKER_CPU, Rows.CLIENT_CPU, Block.BROKER_HEAP))
                .allSatisfy(figure -> assertThat(row.number(figure)).as(figure).isPositive());
        assertThat(row.number("keys_per_file"))
                .as("a key of its own for each file")
                .isBetween(0.5, 2.0);
        assertThat(row.number(Block.KEY_WAITS)).isBetween(row.is(Rows.POOL, KeySupply.OFF) ? 0.9 : 0.0, 1.0);
    }
}
