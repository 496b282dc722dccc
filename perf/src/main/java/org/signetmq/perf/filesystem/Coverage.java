/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.config.ActiveMQDefaultConfiguration;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.setting.Stock;
import org.signetmq.perf.setting.Stock.Kind;
import org.signetmq.perf.trace.Marker;
import org.signetmq.perf.trace.Relay;

/**
 * Looks for payloads in clear: in the files of a broker as programs see them, in the bytes below an encrypted file
 * system, in the memory of the broker and on the connections.
 */
record Coverage() implements Examination {
    static final String NAME = "coverage";

    /** What the disk holds below the file system: what a thief of the disk has. */
    static final String STORED = "stored_bytes";

    static final String JOURNAL = "journal";
    static final String PAGES = "paging";
    static final String LARGE = "large_messages";
    static final String MEMORY = "broker_memory";
    static final String TO_BROKER = "to_broker";
    static final String TO_CONSUMERS = "to_consumers";

    private static final int SIZE = 2048;
    private static final int LARGE_SIZE = 200 * 1024;
    private static final int SOME = 20;
    private static final int PAGED = 2000;
    /** About how long a setting takes; most of it is the start of its processes. */
    private static final double SECONDS = 15;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Setting> settings() {
        Setting tls = Setting.NONE.in(new Place(Transport.TLS, Disks.PLAIN));
        return Stream.concat(Stream.of(tls), Comparison.everySetting().stream()).toList();
    }

    @Override
    public double seconds() {
        return SECONDS * settings().size();
    }

    /** Returns how often the marker is found in each place. */
    @Override
    public Result of(Setting setting, Pair pair, Disks disks) throws IOException {
        Marker marker = Marker.random();
        Result row = Result.EMPTY;
        try (Relay relay = Relay.to(pair.ports().get(0), marker)) {
            pair.connectVia(List.of(relay.port()));
            Stock read = stock("read", Kind.JOURNAL, SOME, marker.payload(SIZE));
            pair.fill(read);
            pair.drain(read);
            pair.fill(stock("small", Kind.JOURNAL, SOME, marker.payload(SIZE)));
            pair.fill(stock("large", Kind.JOURNAL, SOME, marker.payload(LARGE_SIZE)));
            pair.fill(stock("small", Kind.PAGED, PAGED, marker.payload(SIZE)));
            row = row.with(TO_BROKER, relay.toBroker()).with(TO_CONSUMERS, relay.toClients());
        }
        Path folder = pair.journals().get(0);
        row = row.with(JOURNAL, marker.countIn(folder.resolve(ActiveMQDefaultConfiguration.getDefaultJournalDir())))
                .with(PAGES, marker.countIn(folder.resolve(ActiveMQDefaultConfiguration.getDefaultPagingDir())))
                .with(LARGE, marker.countIn(folder.resolve(ActiveMQDefaultConfiguration.getDefaultLargeMessagesDir())));
        disks.synchronise();
        row = row.with(STORED, marker.countIn(disks.storedBytes(setting.place().disk())));
        Path heap = disks.newFile("heap.hprof");
        try {
            pair.dumpHeap(heap);
            return row.with(MEMORY, marker.countIn(heap));
        } finally {
            Files.deleteIfExists(heap);
        }
    }

    private static Stock stock(String queue, Kind kind, int count, byte[] payload) {
        return new Stock(queue, kind, count, payload);
    }
}
