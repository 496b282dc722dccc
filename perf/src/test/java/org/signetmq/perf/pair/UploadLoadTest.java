/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.perf.pair.Setting.Place;
import org.signetmq.perf.pair.Setting.Transport;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;

/** Loads, settings and blocks of uploads. */
final class UploadLoadTest {
    private static final Setting CONFIDENTIALITY = Setting.of(Protection.CONFIDENTIALITY, Reuse.NONE, KeyKind.RSA2048);

    @ParameterizedTest
    @EnumSource
    void load_comesBackFromJson(Arrival arrival) {
        Load load = Load.of(8, new Uploads(80, arrival));

        assertThat(Load.of(load.json())).isEqualTo(load);
        assertThat(load.queues()).as("a mailbox for each").isEqualTo(8);
    }

    @Test
    void setting_comesBackFromJson_withRecipientsAndPool() {
        Setting setting = CONFIDENTIALITY.in(new Place(Transport.TLS, "ssd", new KeySupply(20, "32-1000")));

        assertThat(Setting.of(setting.json())).isEqualTo(setting);
        assertThat(setting.label()).isEqualTo("confidentiality.0.rsa2048+r20+pool-32-1000+tls@ssd");
    }

    @Test
    void usualSupply_isLeftOut() {
        Setting setting = CONFIDENTIALITY.in(Place.with(KeySupply.USUAL));

        assertThat(setting).isEqualTo(CONFIDENTIALITY);
        assertThat(setting.json().has("pool")).isFalse();
    }

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
                .with(Block.ROUND_TRIPS, 100)
                .with(Block.SECONDS, 2)
                .with(Block.MESSAGES, 100)
                .with(Block.BUSY, 0.5)
                .with(Readings.WIRE, 400_000);
        Result broker = Result.EMPTY.with(Readings.DISK, 500_000).with(Readings.CPU, 150);

        Result block = Block.figures(client, broker);

        assertThat(block.number(Block.RATE)).isCloseTo(200, within(1e-9));
        assertThat(block.number(Block.BROKER_CPU)).isCloseTo(1.5, within(1e-9));
        assertThat(block.number("disk_bytes_per_message")).isCloseTo(5_000, within(1e-9));
        assertThat(block.number("wire_bytes_per_message")).isCloseTo(2_000, within(1e-9));
    }
}
