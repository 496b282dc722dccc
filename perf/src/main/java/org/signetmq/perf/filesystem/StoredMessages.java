/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.config.ActiveMQDefaultConfiguration;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Stock;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.result.Sample;
import org.signetmq.perf.run.Runner;

/** What is found out about messages that a broker has stored, one setting after another. */
public final class StoredMessages {
    private static final int SIZE = Load.USUAL_SIZE;
    private static final int LARGE_SIZE = 200 * 1024;
    private static final int SOME = 20;
    private static final int PAGED = 2000;
    private static final int BACKLOG_BYTES = 16 << 20;
    private static final int QUEUES = 2;
    private static final int WARMING_CLIENTS = 20;
    private static final long WARMING_MILLIS = 8_000;

    private StoredMessages() {}

    private interface Examination {
        void of(Setting setting, Pair pair) throws IOException;
    }

    /** Examines each setting on a pair of its own. */
    private static void examine(
            String name, List<Setting> settings, Disks disks, Runner runner, Examination examination)
            throws InterruptedException {
        for (Setting setting : settings) {
            runner.say(name + "  " + setting.label());
            runner.part(name + " " + setting.label(), () -> {
                Pair.Place place = new Pair.Place(disks.newFolder(), disks.all().get(setting.disk()), Pair.Brokers.ONE);
                try (Pair pair = Pair.start(setting, place)) {
                    examination.of(setting, pair);
                }
            });
        }
    }

    /**
     * Looks for payloads in clear: in the files of a broker as programs see them, in the bytes below an encrypted file
     * system, in the memory of the broker and on the connections.
     */
    public static void coverage(List<Setting> settings, Disks disks, Runner runner) throws InterruptedException {
        examine("coverage", settings, disks, runner, (setting, pair) -> {
            Marker marker = Marker.random();
            Row row = Row.of("part", "coverage").with(Runner.SETTING, setting.label());
            try (Relay relay = Relay.to(pair.ports().get(0), marker)) {
                pair.startClients(List.of(relay.port()));
                Stock read = new Stock("read", false, SOME, marker.payload(SIZE));
                pair.fill(read);
                pair.drain(read);
                pair.fill(new Stock("small", false, SOME, marker.payload(SIZE)));
                pair.fill(new Stock("large", false, SOME, marker.payload(LARGE_SIZE)));
                pair.fill(new Stock("small", true, PAGED, marker.payload(SIZE)));
                row = row.with("to_broker", relay.toBroker()).with("to_consumers", relay.toClients());
            }
            Path journal = pair.journals().get(0);
            row = row.with(
                            "journal",
                            marker.countIn(journal.resolve(ActiveMQDefaultConfiguration.getDefaultJournalDir())))
                    .with("paging", marker.countIn(journal.resolve(ActiveMQDefaultConfiguration.getDefaultPagingDir())))
                    .with(
                            "large",
                            marker.countIn(journal.resolve(ActiveMQDefaultConfiguration.getDefaultLargeMessagesDir())));
            disks.forget(); // writes what the system holds back
            row = row.with("stored", marker.countIn(disks.storedBytes(setting.disk())));
            Path heap = Path.of(disks.newFolder() + ".hprof");
            try {
                pair.dumpHeap(heap);
                runner.add(row.with("memory", marker.countIn(heap)));
            } finally {
                Files.deleteIfExists(heap);
            }
        });
    }

    /**
     * Drains deep queues after a restart of the broker. The operating system has forgotten what the disk holds, so each
     * message is read from the disk and decrypted. The fastest of some queues counts: a busy machine only slows down.
     */
    public static void cold(List<Setting> settings, Disks disks, Runner runner) throws InterruptedException {
        examine("cold", settings, disks, runner, (setting, pair) -> {
            List<Stock> stocks = new ArrayList<>();
            for (int size : List.of(2_048, 20_480)) {
                for (int queue = 0; queue < QUEUES; queue++) {
                    stocks.add(new Stock(size + "-" + queue, true, BACKLOG_BYTES / size, Load.payload(size)));
                }
            }
            for (Stock stock : stocks) {
                pair.fill(stock);
            }
            pair.restart(disks::forget);
            pair.connect(Load.of(WARMING_CLIENTS, WARMING_CLIENTS, SIZE));
            pair.block(0, WARMING_MILLIS);
            for (int first = 0; first < stocks.size(); first += QUEUES) {
                List<Row> drained = new ArrayList<>();
                for (Stock stock : stocks.subList(first, first + QUEUES)) {
                    disks.forget();
                    drained.add(pair.drain(stock));
                }
                drained.sort((one, other) -> Double.compare(other.number(Pair.RATE), one.number(Pair.RATE)));
                runner.add(Row.of("part", "cold")
                        .with("size", stocks.get(first).payload().length)
                        .with(Runner.SETTING, setting.label())
                        .and(drained.get(0))
                        .with(Pick.SPREAD, new Sample(Row.numbers(drained, Pair.RATE)).spread()));
            }
        });
    }
}
