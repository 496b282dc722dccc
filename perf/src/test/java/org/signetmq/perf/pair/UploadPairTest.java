/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.clients.Participants;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;

/** Folders and blocks of uploads. */
final class UploadPairTest {
    @Test
    void otherRecipients_areThoseOfAllPairs_andHaveNoKeyInAHome(@TempDir Path temporary) throws IOException {
        Setting setting = Setting.of(Protection.CONFIDENTIALITY, Reuse.NONE, KeyKind.P256)
                .in(Place.with(new KeySupply(3, KeySupply.OFF)));
        PairFolder first = new PairFolder(Files.createDirectory(temporary.resolve("first")));
        PairFolder second = new PairFolder(Files.createDirectory(temporary.resolve("second")));

        first.create(setting);
        second.create(setting);

        assertThat(first.broker().policies()).content().contains("recipient", "other-1", "other-2");
        assertThat(first.broker().recipients().resolve("other-2.pem"))
                .hasSameBinaryContentAs(second.broker().recipients().resolve("other-2.pem"));
        assertThat(first.broker().trust().resolve("other-1.pem")).exists();
        assertThat(first.clients().identities()).isDirectoryNotContaining("glob:**other*");
        assertThat(first.broker().identities()).isDirectoryNotContaining("glob:**other*");
    }

    @Test
    void block_countsAMessagePerFile_andTheTimeOfWork() {
        Result client = Result.EMPTY
                .with(Participants.ROUND_TRIPS, 100)
                .with(Participants.SECONDS, 2)
                .with(Participants.MESSAGES, 100)
                .with(Participants.BUSY, 0.5)
                .with(Readings.WIRE, 400_000);
        Result broker = Result.EMPTY.with(Readings.DISK, 500_000).with(Readings.CPU, 150);

        Result block = Block.figures(client, broker);

        assertThat(block.number(Block.RATE)).isCloseTo(200, within(1e-9));
        assertThat(block.number(Block.BROKER_CPU)).isCloseTo(1.5, within(1e-9));
        assertThat(block.number("disk_bytes_per_message")).isCloseTo(5_000, within(1e-9));
        assertThat(block.number("wire_bytes_per_message")).isCloseTo(2_000, within(1e-9));
    }
}
