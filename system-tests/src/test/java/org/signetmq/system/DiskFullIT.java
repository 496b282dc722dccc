/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that fills its disk under load. The disk is a small file system in memory, which takes root to mount. */
final class DiskFullIT {
    private static final String MARKER = "nobody-may-read-this";

    private static final String[] QUEUES = {"--queues", "orders,orders.mqtt:multicast"};

    @TempDir
    private Path folder;

    @Test
    void diskFullUnderLoad_confirmedMessagesAreThereOnceAndOpen_nothingWasEverWrittenInClear() throws Exception {
        Signet signet = Signet.withHomes(folder, "orders.#", "confidentiality");
        Load load = new Load("orders", MARKER, Client.values());
        try (BrokerInstance broker = BrokerInstance.create(
                        Distribution.ARTEMIS_2_56, folder.resolve("broker"), BrokerInstance.freePort(), QUEUES);
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
            await().atMost(Duration.ofMinutes(1)).until(() -> load.confirmedByEach() > 0);
            await().atMost(Duration.ofMinutes(1)).until(() -> saysThatTheDiskIsFull(broker));
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
