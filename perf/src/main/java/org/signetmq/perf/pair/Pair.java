/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.pair.BrokerMain.Replication;
import org.signetmq.perf.process.ChildProcess;
import org.signetmq.perf.process.ChildProcess.Program;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.process.Script;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;

/**
 * A broker, or several, and their clients: all have one setting. A pair at rest takes no processor time. For one
 * thread.
 */
public final class Pair implements AutoCloseable {
    /** The column of round trips, files or messages a second. */
    public static final String RATE = "rate";
    /** The column of the processor time of all processes for one of these. */
    public static final String CPU = "cpu_ms";

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String DAEMON = "daemon_ms";
    private static final List<String> BROKER_HEAP = List.of("-Xms512m", "-Xmx512m");
    /** Several brokers have to fit into the memory of a small machine. */
    private static final List<String> SMALL_BROKER_HEAP = List.of("-Xms256m", "-Xmx256m");

    private static final List<String> CLIENT_HEAP = List.of("-Xms256m", "-Xmx512m");
    /** A broker at rest uses less of a core. */
    private static final double CALM = 0.2;

    private static final List<String> MEANS =
            List.of(Participants.SECONDS, Participants.BUSY, "p50_us", "p99_us", Readings.WIRE);

    private static final int CALM_STEP_MILLIS = 100;
    private static final int MOST_CALM_STEPS = 30;

    private final Setting setting;
    private final Place place;
    private final PairFolder folder;
    private final List<Path> journals = new ArrayList<>();
    private final List<ChildProcess> brokers = new ArrayList<>();
    private final List<ChildProcess> backups = new ArrayList<>();
    private final List<ChildProcess> clients = new ArrayList<>();
    private @Nullable Load load;

    /**
     * The brokers that share the load of a pair.
     *
     * @param count of brokers that serve clients
     * @param replicated whether each has a backup process, which confirms a copy of each write
     * @param cores whose processor time all broker processes together may use; 0 for no limit
     */
    public record Brokers(int count, boolean replicated, double cores) {
        public static final Brokers ONE = new Brokers(1, false, 0);
    }

    /**
     * A disk for journals.
     *
     * @param daemon the process that does the work of the file system; null if the kernel does
     */
    public record Disk(Path folder, @Nullable ProcessHandle daemon) {}

    /**
     * What the processes of a pair stand on.
     *
     * @param folder that is made for the pair, and deleted when it is closed
     * @param disk of all journals; null for a folder of the pair
     */
    public record Place(Path folder, @Nullable Disk disk, Brokers brokers) {}

    private Pair(Setting setting, Place place) {
        this.setting = setting;
        this.place = place;
        this.folder = new PairFolder(place.folder);
    }

    /** Starts the processes of a setting. */
    public static Pair start(Setting setting, Place place) throws IOException {
        Files.createDirectory(place.folder); // if it is there, it is not ours to delete
        Pair pair = new Pair(setting, place);
        try {
            pair.folder.create(setting);
            for (int i = 0; i < place.brokers.count; i++) {
                pair.startBroker(Integer.toString(i));
            }
            pair.startClients(pair.ports());
            return pair;
        } catch (IOException | RuntimeException e) {
            try {
                pair.close();
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    private void startBroker(String number) throws IOException {
        if (!place.brokers.replicated) {
            brokers.add(broker("broker", newJournal(number), null));
            return;
        }
        Replication primary = Replication.primary();
        brokers.add(broker("broker", newJournal(number), primary));
        backups.add(broker("backup", newJournal(number + "-backup"), primary.other()));
    }

    private Path newJournal(String suffix) throws IOException {
        Disk disk = place.disk;
        Path parent = Files.createDirectories(disk == null ? place.folder.resolve("journals") : disk.folder);
        Path journal = Files.createDirectory(parent.resolve(place.folder.getFileName() + "-" + suffix));
        journals.add(journal);
        return journal;
    }

    private ChildProcess broker(String role, Path journal, @Nullable Replication part) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(place.folder.toString(), Requests.json(setting), journal.toString()));
        if (part != null) {
            arguments.add(Requests.json(part));
        }
        boolean isAlone = place.brokers.count == 1 && !place.brokers.replicated;
        ChildProcess broker = new ChildProcess(
                role + " " + setting.label(),
                new Program(BrokerMain.class, isAlone ? BROKER_HEAP : SMALL_BROKER_HEAP, arguments));
        if (place.brokers.cores > 0) {
            try {
                Script.run("limit", group(), Double.toString(place.brokers.cores), Long.toString(broker.id()));
            } catch (IOException e) {
                broker.close();
                throw e;
            }
        }
        return broker;
    }

    private String group() {
        return "signet-perf-" + UUID.nameUUIDFromBytes(place.folder.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the ports of all brokers. */
    public List<Integer> ports() {
        return brokers.stream()
                .map(broker -> (int) broker.ready().number(BrokerMain.PORT))
                .toList();
    }

    /** Ends the clients if there are any, and starts others that connect to these ports. */
    public void startClients(List<Integer> ports) throws IOException {
        startClients(ports, 1);
    }

    private void startClients(List<Integer> ports, int processes) throws IOException {
        endClients();
        String list = ports.stream().map(String::valueOf).collect(Collectors.joining(","));
        for (int i = 0; i < processes; i++) {
            clients.add(new ChildProcess(
                    "clients " + setting.label(),
                    new Program(
                            ClientMain.class,
                            CLIENT_HEAP,
                            List.of(place.folder.toString(), Requests.json(setting), list))));
        }
    }

    private void endClients() throws IOException {
        while (!clients.isEmpty()) {
            clients.remove(clients.size() - 1).close();
        }
    }

    /** Connects the clients of a load, in place of those of an earlier one. */
    public void connect(Load next) throws IOException {
        load = null;
        askBrokers(request(BrokerMain.LIMIT).with(BrokerMain.BYTES, next.memory()));
        if (clients.size() != next.processes()) {
            startClients(ports(), next.processes());
        }
        for (int i = 0; i < clients.size(); i++) {
            Row connect = request(ClientMain.CONNECT).with(ClientMain.WORK, Requests.json(next.part(i)));
            clients.get(i).ask(connect, PATIENCE);
        }
        load = next;
    }

    /**
     * Lets the connected clients work, and measures them.
     *
     * @param rampMillis milliseconds of work before the measured ones
     * @return figures of a round trip, or of a file
     */
    public Row block(long rampMillis, long millis) throws IOException {
        Load connected = load;
        if (connected == null) {
            throw new IllegalStateException("clients: not connected");
        }
        askClients(request(ClientMain.START).with(ClientMain.MILLIS, rampMillis));
        Row begin = readBrokers();
        Row measured = askClients(request(ClientMain.MEASURE).with(ClientMain.MILLIS, millis));
        Row used = Readings.between(begin, readBrokers());
        askClients(request(ClientMain.REST));
        Row figures = figures(connected, measured, used);
        if (connected.uploads()) { // keys that the broker makes ahead belong to this block, and to no other pair's
            awaitCalm();
            figures = figures.with("key_waits", used.number(BrokerMain.KEY_WAITS) / used.number(BrokerMain.SEALED))
                    .and(askBrokers(request(BrokerMain.COLLECT)));
        }
        return figures;
    }

    private static Row figures(Load load, Row client, Row broker) {
        double done = client.number(Participants.DONE);
        double seconds = client.number(Participants.SECONDS);
        double messages = load.uploads() ? done : 2 * done;
        double daemon = broker.has(DAEMON) ? broker.number(DAEMON) : 0;
        double brokerKeys = broker.has(Participants.KEYS) ? broker.number(Participants.KEYS) : 0;
        return Row.of(RATE, done / (load.bursts() ? client.number(Participants.BUSY) : seconds))
                .with("p50_us", client.number("p50_us"))
                .with("p99_us", client.number("p99_us"))
                .with(CPU, (broker.number(Readings.CPU) + daemon + client.number(Readings.CPU)) / done)
                .with("broker_cpu_ms", broker.number(Readings.CPU) / done)
                .with("client_cpu_ms", client.number(Readings.CPU) / done)
                .with("disk_cpu_ms", broker.number(DAEMON) / done)
                .with("disk_bytes", broker.number(Readings.DISK) / messages)
                .with("wire_bytes", client.number(Readings.WIRE) / messages / 2) // to the broker, and on
                .with("unwraps", client.number(Participants.UNWRAPS) / messages)
                .with("keys", (client.number(Participants.KEYS) + brokerKeys) / messages)
                .with(Pick.COMPILING, (client.number(Readings.JIT) + broker.number(Readings.JIT)) / seconds);
    }

    /** Waits until the brokers do nothing more: pools are full. */
    private void awaitCalm() throws IOException {
        double used = CALM_STEP_MILLIS;
        for (int i = 0; i < MOST_CALM_STEPS && used > CALM * CALM_STEP_MILLIS; i++) {
            double before = readBrokers().number(Readings.CPU);
            try {
                Thread.sleep(CALM_STEP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while brokers made keys", e);
            }
            used = readBrokers().number(Readings.CPU) - before;
        }
    }

    /** Puts messages into a queue. Load that is connected is disconnected first. */
    public void fill(Stock stock) throws IOException {
        load = null;
        askClients(request(ClientMain.FILL).with(ClientMain.WORK, Requests.json(stock)));
    }

    /** Takes all messages out of their queue, and checks each; returns figures of a message. */
    public Row drain(Stock stock) throws IOException {
        load = null;
        Row begin = readBrokers();
        Row drained = askClients(request(ClientMain.DRAIN).with(ClientMain.WORK, Requests.json(stock)));
        Row used = Readings.between(begin, readBrokers());
        return Row.of(RATE, stock.count() / drained.number(Participants.SECONDS))
                .with("broker_cpu_ms", used.number(Readings.CPU) / stock.count())
                .with("client_cpu_ms", drained.number(Readings.CPU) / stock.count())
                .with("disk_cpu_ms", used.number(DAEMON) / stock.count());
    }

    /** What is done while no process runs. */
    @FunctionalInterface
    public interface Pause {
        void run() throws IOException;
    }

    /** Ends all processes and keeps their journals, lets a task run, and starts all again. */
    public void restart(Pause pause) throws IOException {
        endClients();
        for (ChildProcess broker : brokers) {
            broker.close();
        }
        brokers.clear();
        pause.run();
        for (Path journal : journals) {
            brokers.add(broker("broker", journal, null));
        }
        startClients(ports());
    }

    /** Returns the folders that the brokers write to. */
    public List<Path> journals() {
        return List.copyOf(journals);
    }

    /** Writes the heap of the only broker to a new file. */
    public void dumpHeap(Path file) throws IOException {
        askBrokers(request(BrokerMain.DUMP).with(BrokerMain.FILE, file.toString()));
    }

    private static Row request(String name) {
        return Row.of(Requests.NAME, name);
    }

    /**
     * Asks all client processes at once. Returns the sum of what each of them counts, and the mean of times and of what
     * each of them reads of the whole system.
     */
    private Row askClients(Row request) throws IOException {
        if (clients.isEmpty()) {
            throw new IOException("clients: have ended");
        }
        long millis = request.has(ClientMain.MILLIS) ? (long) request.number(ClientMain.MILLIS) : 0;
        List<CompletableFuture<Row>> answers = clients.stream()
                .map(process -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return process.ask(request, PATIENCE.plusMillis(millis));
                            } catch (IOException e) {
                                throw new CompletionException(e);
                            }
                        },
                        task -> new Thread(task, "ask " + process.id()).start()))
                .toList();
        try {
            Row all = Row.EMPTY;
            for (CompletableFuture<Row> answer : answers) {
                all = Readings.sum(all, answer.join());
            }
            for (String mean : MEANS) {
                all = all.has(mean) ? all.with(mean, all.number(mean) / clients.size()) : all;
            }
            return all;
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        }
    }

    private Row askBrokers(Row request) throws IOException {
        return ask(brokers, request);
    }

    /** Returns the readings of all brokers, backups and the disk together. */
    private Row readBrokers() throws IOException {
        Row sum = Readings.sum(ask(brokers, request(BrokerMain.READ)), ask(backups, request(BrokerMain.READ)));
        ProcessHandle daemon = place.disk == null ? null : place.disk.daemon;
        return daemon == null
                ? sum
                : sum.with(
                        DAEMON,
                        daemon.info()
                                .totalCpuDuration()
                                .map(time -> (double) time.toMillis())
                                .orElse(Double.NaN));
    }

    private static Row ask(List<ChildProcess> processes, Row request) throws IOException {
        Row sum = Row.EMPTY;
        for (ChildProcess process : processes) {
            sum = Readings.sum(sum, process.ask(request, PATIENCE));
        }
        return sum;
    }

    /** Ends the processes, and deletes their folder. It throws the first failure at the end. */
    @Override
    public void close() throws IOException {
        List<AutoCloseable> all = new ArrayList<>(List.of(this::endClients));
        all.addAll(backups); // a backup whose primary ends would take over
        all.addAll(brokers);
        if (place.brokers.cores > 0) {
            all.add(() -> Script.run("unlimit", group()));
        }
        IOException first = null;
        for (AutoCloseable one : all) {
            try {
                one.close();
            } catch (Exception e) {
                first = first != null ? first : e instanceof IOException ours ? ours : new IOException(e);
            }
        }
        journals.forEach(journal -> FileUtil.deleteDirectory(journal.toFile()));
        FileUtil.deleteDirectory(place.folder.toFile());
        if (first != null) {
            throw first;
        }
    }
}
