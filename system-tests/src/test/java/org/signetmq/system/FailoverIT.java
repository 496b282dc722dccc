/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Ports;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** A replicated pair that loses its primary under load. */
@Tag(Tier.LONG)
final class FailoverIT {
    private static final String[] STORE = {"--policy-store", "broker", "--admin-role", BrokerInstance.ROLE};
    private static final String MARKER = "nobody-may-read-this";
    private static final String[] PAIR = {
        "--clustered", "--cluster-user", "pair", "--cluster-password", "pair-password", "--replicated"
    };

    @TempDir
    private Path folder;

    @Test
    void primaryKilledUnderLoad_backupHasAllThatWasConfirmed_nothingWasEverWrittenInClear() throws Exception {
        Signet signet = Signet.withHomes(folder, "orders.#", "confidentiality");
        int primaryPort = Ports.free();
        int backupPort = Ports.free();
        try (BrokerInstance primary = pair("primary", primaryPort, backupPort);
                BrokerInstance backup = pair("backup", backupPort, primaryPort);
                WriteWatch primaryDisk = new WriteWatch(primary.folder(), folder.resolve("primary-writes"), MARKER);
                WriteWatch backupDisk = new WriteWatch(backup.folder(), folder.resolve("backup-writes"), MARKER)) {
            signet.install(primary, STORE).ok();
            signet.install(backup, STORE).ok();
            primary.start(primaryDisk.watching());
            backup.launch(backupDisk.watching());
            await().until(() -> backup.console().contains("AMQ221031"));

            Load load = new Load("orders", MARKER, Client.values());
            load.start(primary, backup);
            await().until(() -> load.confirmedByEach() > 40);
            policy(signet, primary, "set", "prices.#", "--quality", "integrity").ok();
            primary.kill();
            load.countAnew();
            await().until(() -> load.confirmedByEach() > 40);
            load.stop();
            Run policies = policy(signet, backup, "list").ok();
            assertThat(policies.out()).contains("orders.#", "prices.#");
            assertThat(policies.err()).contains("version 2 by 'admin'");
            List<Integer> received = Drain.numbers(backup.url(), load, signet);
            backup.kill();
            primaryDisk.readToTheEnd();
            backupDisk.readToTheEnd();

            System.out.println("FailoverIT: " + load.confirmed().size() + " confirmed, " + received.size()
                    + " received, " + backupDisk.bytes() + " bytes written by the backup");
            assertThat(received).containsAll(load.confirmed()).doesNotHaveDuplicates();
            assertThat(primaryDisk.unreadable()).isEmpty();
            assertThat(backupDisk.unreadable()).isEmpty();
            assertThat(primaryDisk.found()).isEmpty();
            assertThat(backupDisk.found()).isEmpty();
            assertThat(backupDisk.bytes()).isGreaterThan(primaryDisk.bytes() / 4);
        }
    }

    private static Run policy(Signet signet, BrokerInstance broker, String... command) throws Exception {
        List<String> whole = new ArrayList<>(List.of("policy"));
        whole.addAll(List.of(command));
        whole.addAll(List.of("--broker", broker.url(), "--user", BrokerInstance.USER));
        return signet.in("no-home", whole.toArray(String[]::new));
    }

    private BrokerInstance pair(String name, int port, int otherPort) throws Exception {
        List<String> options = new ArrayList<>(List.of(PAIR));
        options.addAll(List.of("--queues", "orders,orders.mqtt:multicast"));
        options.addAll(List.of("--name", name, "--static-cluster", "tcp://127.0.0.1:" + otherPort));
        if (name.equals("backup")) {
            options.add("--backup");
        }
        return BrokerInstance.create(
                Distribution.ARTEMIS_2_56, folder.resolve(name), port, options.toArray(String[]::new));
    }
}
