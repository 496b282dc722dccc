/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Distribution;
import org.signetmq.testkit.Run;
import org.signetmq.testkit.Tier;

/** A broker and a renewal that fill their disk. It is a small file system in memory, which takes root to mount. */
final class DiskFullIT {
    private static final String MARKER = "nobody-may-read-this";

    private static final int PAGE = 4096;

    private static final String[] QUEUES = {"--queues", "orders,orders.mqtt:multicast"};

    @TempDir
    private Path folder;

    @Tag(Tier.LONG)
    @Test
    void diskFullUnderLoad_confirmedMessagesAreThereOnceAndOpen_nothingWasEverWrittenInClear() throws Exception {
        Signet signet = Signet.withHomes(folder, "orders.#", "confidentiality");
        Load load = new Load("orders", MARKER, Client.values());
        try (BrokerInstance broker =
                        BrokerInstance.create(Distribution.ARTEMIS_2_56, folder.resolve("broker"), QUEUES);
                WriteWatch disk = new WriteWatch(broker.folder(), folder.resolve("writes"), MARKER);
                SmallDisk small = SmallDisk.mount(broker.data(), "40m")) {
            signet.install(broker).ok();
            // else the broker stops taking messages before the disk is full
            String xml = Files.readString(broker.brokerXml());
            Files.writeString(
                    broker.brokerXml(),
                    xml.replaceAll("<max-disk-usage>.*</max-disk-usage>", "<max-disk-usage>100</max-disk-usage>"));

            broker.start(disk.watching());
            load.start(broker);
            await().until(() -> load.confirmedByEach() > 0);
            await().until(() -> saysThatTheDiskIsFull(broker));
            broker.kill();
            load.stop();
            small.grow("400m");
            broker.start(disk.watching());
            List<Integer> received = Drain.numbers(broker.url(), load, signet);
            broker.kill();
            disk.readToTheEnd();

            System.out.println(
                    "DiskFullIT: " + load.confirmed().size() + " confirmed, " + received.size() + " received");
            assertThat(received).containsAll(load.confirmed()).doesNotHaveDuplicates();
            assertThat(disk.unreadable()).isEmpty();
            assertThat(disk.found()).isEmpty();
        }
    }

    /** Each page more lets the renewal write one file more. */
    @Test
    void diskFullInTheMiddleOfARenewal_leavesTheOldOrTheNewIdentity() throws Exception {
        Path disk = folder.resolve("disk");
        try (SmallDisk small = SmallDisk.mount(disk, "256k")) {
            Home home = new Home(disk.resolve("home"));
            IdentityStore store = home.identityStore();
            Identity first =
                    store.create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password());
            IdentityRenewal renewal =
                    new IdentityRenewal("alice", new NextKey.New(null), null, IdentityRenewal.DEFAULT_VALIDITY);
            int failures = 0;
            boolean renewed = false;
            while (!renewed) {
                fill(disk.resolve("filler"), failures);
                try {
                    Identity unused = store.renew(renewal, password());
                    renewed = true;
                } catch (KeystoreUnusableException full) {
                    failures++;
                }
                IdentityKeys keys = store.loadAll("alice", password());
                assertThat(keys.findings()).isEmpty();
                assertThat(keys.all().stream().map(Identity::keyIdentifier))
                        .contains(first.keyIdentifier(), KeyIdentifier.ofKey(recipient(home)));
                assertThat(keys.current().keyIdentifier().equals(first.keyIdentifier()))
                        .isEqualTo(!renewed);
            }
            assertThat(failures).isBetween(3, 40);
            assertThat(small.path()).isDirectory();
        }
    }

    private static Password password() {
        return Password.takeOwnershipOf("a good password".toCharArray());
    }

    private static X509Certificate recipient(Home home) {
        return home.recipientDirectory().find("alice").orElseThrow().certificate();
    }

    /** Fills the disk except for this number of pages. */
    private static void fill(Path filler, int pages) throws IOException {
        Files.deleteIfExists(filler);
        try (FileChannel file = FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            try {
                while (true) {
                    int unused = file.write(ByteBuffer.allocate(PAGE));
                }
            } catch (IOException full) {
                FileChannel unused = file.truncate(Math.max(0, file.size() - (long) pages * PAGE));
            }
        }
    }

    private static boolean saysThatTheDiskIsFull(BrokerInstance broker) throws IOException {
        return broker.console().contains("No space left on device");
    }

    /** A file system of a fixed size. */
    private record SmallDisk(Path path) implements AutoCloseable {
        static SmallDisk mount(Path path, String size) throws IOException {
            Files.createDirectories(path);
            Run.of(Path.of("/"), List.of("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", path.toString()))
                    .ok();
            return new SmallDisk(path);
        }

        void grow(String size) throws IOException {
            Run.of(Path.of("/"), List.of("mount", "-o", "remount,size=" + size, path.toString()))
                    .ok();
        }

        @Override
        public void close() throws IOException {
            Run.of(Path.of("/"), List.of("umount", "--lazy", path.toString())).ok();
        }
    }
}
