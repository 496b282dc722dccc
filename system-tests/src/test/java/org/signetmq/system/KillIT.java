/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is killed under load, again and again. More often with {@code -Dsignet.system.kills=50}. */
final class KillIT {
    private static final String MARKER = "nobody-may-read-this";
    private static final String CONTROL = "this-may-be-read-by-all";
    private static final int KILLS = Integer.getInteger("signet.system.kills", 3);
    private static final long SEED = Long.getLong("signet.system.seed", new SecureRandom().nextLong());

    @TempDir
    private Path folder;

    @Test
    void killedUnderLoad_confirmedMessagesAreThereOnceAndOpen_nothingWasEverWrittenInClear() throws Exception {
        System.out.println("KillIT: -Dsignet.system.kills=" + KILLS + " -Dsignet.system.seed=" + SEED);
        Random random = new Random(SEED);
        Signet signet = Signet.withHomes(folder, "orders", "confidentiality");
        Load load = new Load("orders", MARKER);
        try (BrokerInstance broker = BrokerInstance.create(
                        Distribution.ARTEMIS_2_56, folder.resolve("broker"), BrokerInstance.freePort());
                WriteWatch disk = new WriteWatch(broker.folder(), folder.resolve("writes"), MARKER, CONTROL)) {
            signet.install(broker).ok();

            for (int kill = 0; kill < KILLS; kill++) {
                broker.start(disk.watching());
                int before = load.confirmed().size();
                load.start(broker.url());
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> load.confirmed().size() > before);
                int moment = random.nextInt(1_500);
                await().pollDelay(moment, MILLISECONDS).until(() -> true);
                broker.kill();
                load.stop();
            }
            broker.start(disk.watching());
            // shows that the watch sees what there is to see
            Load open = new Load("open", CONTROL);
            open.start(broker.url());
            await().until(() -> open.confirmed().size() > 0);
            open.stop();
            List<Integer> received = Drain.texts(broker.url(), "orders", signet).stream()
                    .map(load::number)
                    .toList();
            broker.kill();
            disk.readToTheEnd();

            System.out.println("KillIT: " + load.confirmed().size() + " confirmed, " + received.size() + " received, "
                    + disk.bytes() + " bytes written");
            assertThat(received).containsAll(load.confirmed()).doesNotHaveDuplicates();
            assertThat(disk.unreadable()).isEmpty();
            assertThat(disk.found()).containsExactly(CONTROL);
        }
    }
}
