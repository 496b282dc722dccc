/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.config.ActiveMQDefaultConfiguration;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Pair;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.pair.Stock;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.result.Sample;

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
                row = row.with("to_broker", relay.toBroker.get()).with("to_consumers", relay.toClients.get());
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

    /** Passes bytes on between clients and a broker on this machine, and counts a marker in them. Thread-safe. */
    static final class Relay implements AutoCloseable {
        private static final int BUFFER = 64 * 1024;
        private static final int BACKLOG = 64;

        private final int broker;
        private final Marker marker;
        private final ServerSocket listening;
        private final Set<Socket> open = ConcurrentHashMap.newKeySet();
        private final ExecutorService threads = Executors.newCachedThreadPool();
        /** How often the marker went to the broker so far, and to clients. */
        final AtomicLong toBroker = new AtomicLong();

        final AtomicLong toClients = new AtomicLong();

        private Relay(int broker, Marker marker, ServerSocket listening) {
            this.broker = broker;
            this.marker = marker;
            this.listening = listening;
        }

        /**
         * Opens a relay to a broker.
         *
         * @param broker its port
         */
        static Relay to(int broker, Marker marker) throws IOException {
            Relay relay = new Relay(broker, marker, new ServerSocket(0, BACKLOG, here()));
            relay.threads.execute(relay::accept);
            return relay;
        }

        private static InetAddress here() throws IOException {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        }

        /** Returns the port for clients. */
        int port() {
            return listening.getLocalPort();
        }

        private void accept() {
            try {
                while (!listening.isClosed()) {
                    Socket client = listening.accept();
                    open.add(client);
                    Socket server = new Socket(here(), broker);
                    open.add(server);
                    threads.execute(() -> pass(client, server, toBroker));
                    threads.execute(() -> pass(server, client, toClients));
                }
            } catch (IOException closed) {
                // or the broker cannot be reached
            } finally {
                closeAll(); // also what was accepted meanwhile; clients notice that, and fail
            }
        }

        private void pass(Socket from, Socket to, AtomicLong count) {
            Marker.Scan scan = marker.new Scan();
            long found = 0;
            byte[] buffer = new byte[BUFFER];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    long now = scan.next(buffer, length);
                    count.addAndGet(now - found);
                    found = now;
                    out.write(buffer, 0, length);
                }
            } catch (IOException ended) {
                // the other direction ends with it
            }
        }

        private void closeAll() {
            open.forEach(Relay::close);
        }

        private static void close(Closeable socket) {
            try {
                socket.close();
            } catch (IOException e) {
                // it is of no use any more
            }
        }

        /** Ends all connections. */
        @Override
        public void close() {
            close(listening);
            closeAll();
            threads.shutdown();
        }
    }

    /**
     * A text that nothing else has: where it is found, a payload lies in clear. Payloads have it in UTF-8 and in both
     * forms of UTF-16.
     *
     * @param text of ASCII characters
     */
    record Marker(String text) {
        /** The least size of a payload, in bytes. */
        static final int LEAST_SIZE = 256;

        private static final int BUFFER = 1 << 20;
        private static final byte[] ZEROS = new byte[BUFFER];
        private static final List<Charset> FORMS =
                List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

        /** Returns a marker that no earlier run had. */
        static Marker random() {
            return new Marker("signet-" + UUID.randomUUID());
        }

        /** Returns a payload that has the marker once in each form. The rest cannot be compressed. */
        byte[] payload(int size) {
            byte[] payload = new byte[size];
            new SplittableRandom(text.hashCode()).nextBytes(payload);
            int at = 0;
            for (Charset form : FORMS) {
                byte[] bytes = text.getBytes(form);
                System.arraycopy(bytes, 0, payload, at, bytes.length);
                at += bytes.length;
            }
            payload[at] = 1; // one form of UTF-16 before a zero also reads as the other
            return payload;
        }

        /** Counts the marker in a stream of bytes, whatever the parts in which it comes. For one thread. */
        final class Scan {
            /** The bytes of each form, as characters below 256. */
            private final List<String> forms = FORMS.stream()
                    .map(form -> new String(text.getBytes(form), StandardCharsets.ISO_8859_1))
                    .toList();

            private String kept = "";
            private long found;

            /** Takes the next bytes, and returns how often all forms together were found so far. */
            long next(byte[] bytes, int length) {
                String window = kept + new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
                for (String form : forms) {
                    int first = Math.max(0, kept.length() - form.length() + 1); // what ended before was counted
                    for (int at = window.indexOf(form, first); at >= 0; at = window.indexOf(form, at + 1)) {
                        found++;
                    }
                }
                kept = window.substring(Math.max(0, window.length() - 2 * text.length() + 1));
                return found;
            }
        }

        /** Returns how often a file, or all files below a folder, have the marker; none if the place is not there. */
        long countIn(Path place) throws IOException {
            if (!Files.exists(place)) {
                return 0;
            }
            List<Path> files;
            try (Stream<Path> below = Files.walk(place)) {
                files = below.filter(Files::isRegularFile).toList();
            }
            long count = 0;
            byte[] buffer = new byte[BUFFER];
            for (Path file : files) {
                Scan scan = new Scan();
                long found = 0;
                try (InputStream in = Files.newInputStream(file)) {
                    for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                        // nearly all of a disk image is a hole; once the scan has seen enough zeros, more change
                        // nothing
                        boolean isHole = Arrays.equals(buffer, 0, length, ZEROS, 0, length);
                        found = scan.next(buffer, isHole ? Math.min(length, LEAST_SIZE) : length);
                    }
                }
                count += found;
            }
            return count;
        }
    }
}
