/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Tier;

/**
 * A broker that is killed under load of all clients, again and again. {@code -Dsignet.system.kills=50} does so often.
 */
final class KillIT {
    private static final String MARKER = "nobody-may-read-this";
    private static final String CONTROL = "this-may-be-read-by-all";
    private static final String[] QUEUES = {"--queues", "orders,orders.mqtt:multicast"};
    private static final int KILLS = Integer.getInteger("signet.system.kills", Tier.isLong() ? 2 : 1);
    private static final long SEED = Long.getLong("signet.system.seed", new SecureRandom().nextLong());

    @TempDir
    private Path folder;

    static Stream<Journal> journals() {
        return Tier.cases(1, Journal.values());
    }

    @ParameterizedTest
    @MethodSource("journals")
    void killedUnderLoad_confirmedMessagesAreThereOnceAndOpen_nothingWasEverWrittenInClear(Journal journal)
            throws Exception {
        int kills = journal == Journal.NIO ? KILLS : Math.max(1, KILLS / 5);
        System.out.println("KillIT: -Dsignet.system.kills=" + KILLS + " -Dsignet.system.seed=" + SEED);
        Random random = new Random(SEED);
        Signet signet = Signet.withHomes(folder, "orders.#", "confidentiality");
        Load load = new Load("orders", MARKER, Client.values());
        try (BrokerInstance broker =
                        BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"), QUEUES);
                WriteWatch disk = new WriteWatch(broker.folder(), folder.resolve("writes"), MARKER, CONTROL)) {
            signet.install(broker).ok();
            journal.configure(broker);

            for (int kill = 0; kill < kills; kill++) {
                broker.start(disk.watching());
                load.start(broker);
                await().until(() -> load.confirmedByEach() > 0);
                int moment = random.nextInt(1_500);
                await().pollDelay(moment, MILLISECONDS).until(() -> true);
                broker.kill();
                load.stop();
                disk.searchMapped();
            }
            broker.start(disk.watching());
            Journal used = Journal.usedBy(broker);
            // shows that the watch sees all writes
            Load open = new Load("open", CONTROL, Client.CORE);
            open.start(broker);
            await().until(() -> open.confirmed().size() > 0);
            open.stop();
            List<Integer> received = Drain.numbers(broker.url(), load, signet);
            broker.kill();
            disk.readToTheEnd();
            disk.searchMapped();

            System.out.println("KillIT: " + used + " for " + journal + ", "
                    + load.confirmed().size() + " confirmed, " + received.size() + " received, " + disk.bytes()
                    + " bytes written");
            assertThat(received).containsAll(load.confirmed()).doesNotHaveDuplicates();
            assertThat(used).isIn(journal, journal == Journal.ASYNCIO ? Journal.NIO : journal);
            assertThat(disk.unreadable()).isEmpty();
            assertThat(disk.found()).containsExactly(CONTROL);
        }
    }
}
