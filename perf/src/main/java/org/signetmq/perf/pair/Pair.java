/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.broker.Brokers.Backup;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.broker.Replication;
import org.signetmq.perf.pair.ChildProcess.Patience;
import org.signetmq.perf.pair.ChildProcess.Program;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;

/**
 * The processes of one setting: a broker, or several, and their clients. A pair at rest takes no processor time. For
 * one thread.
 */
public final class Pair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int STEP_MILLIS = 100;
    private static final int MOST_STEPS = 30;
    /** No pool that is measured has more keys. */
    private static final int MOST_KEYS = 2048;
    /** The share of a core that a broker at rest uses at most. */
    private static final double CALM = 0.2;

    private static final String BROKER = "broker";
    private static final String BACKUP = "backup";
    private static final List<String> BROKER_OPTIONS = List.of("-Xms512m", "-Xmx512m");
    /** Several brokers have to fit into the memory of a small machine. */
    private static final List<String> SMALL_BROKER_OPTIONS = List.of("-Xms256m", "-Xmx256m");

    private static final List<String> CLIENT_OPTIONS = List.of("-Xms256m", "-Xmx512m");

    private final PairFolder folder;
    private final Ground ground;
    private final List<Path> ownJournals = new ArrayList<>();
    private final List<ChildProcess> brokers = new ArrayList<>();
    private final List<ChildProcess> backups = new ArrayList<>();
    private final List<ChildProcess> clients = new ArrayList<>();
    private @Nullable Uploads uploads;

    /**
     * What the processes of a pair stand on.
     *
     * @param folder that is made for the pair, and deleted when it is closed
     * @param disk of all journals; null for a folder of the pair
     * @param recordings where flight recordings are left; null for none
     */
    public record Ground(
            Path folder,
            @Nullable Disk disk,
            Brokers brokers,
            @Nullable Path recordings) {}

    private Pair(Ground ground) {
        this.ground = ground;
        this.folder = new PairFolder(ground.folder());
    }

    /** Starts the processes of a setting. */
    public static Pair start(Setting setting, Ground ground) throws IOException {
        Files.createDirectory(ground.folder()); // if it is there, it is not ours to delete
        Pair pair = new Pair(ground);
        try {
            pair.start(setting);
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

    private void start(Setting setting) throws IOException {
        folder.create(setting);
        for (int i = 0; i < ground.brokers().count(); i++) {
            startBroker(setting, Integer.toString(i));
        }
        String ports = brokers.stream()
                .map(broker -> broker.ready().text(BrokerMain.PORT))
                .collect(Collectors.joining(","));
        String name = "clients " + setting.label();
        List<String> arguments = List.of(folder.root().toString(), json(setting), ports);
        clients.add(child(name, new Program(ClientMain.class, options(CLIENT_OPTIONS, name), arguments)));
    }

    private static String json(Setting setting) {
        return setting.json().json().toString();
    }

    private void startBroker(Setting setting, String number) throws IOException {
        if (ground.brokers().backup() == Backup.NONE) {
            brokers.add(broker(BROKER, setting, number, List.of()));
            return;
        }
        Replication primary = Replication.primary();
        brokers.add(broker(BROKER, setting, number, List.of(primary.argument())));
        Replication backup = primary.other();
        backups.add(broker(BACKUP, setting, number, List.of(backup.argument())));
    }

    private ChildProcess broker(String role, Setting setting, String number, List<String> more) throws IOException {
        Disk disk = ground.disk();
        Path journals = Files.createDirectories(disk == null ? folder.root().resolve("journals") : disk.folder());
        String suffix = "-" + number + (role.equals(BROKER) ? "" : "-" + role);
        Path journal = Files.createDirectory(journals.resolve(folder.root().getFileName() + suffix));
        ownJournals.add(journal);
        List<String> arguments = new ArrayList<>(List.of(folder.root().toString(), json(setting), journal.toString()));
        arguments.addAll(more);
        boolean isAlone = ground.brokers().processes() == 1;
        String name = role + " " + setting.label() + (isAlone ? "" : " " + number);
        List<String> heap = isAlone ? BROKER_OPTIONS : SMALL_BROKER_OPTIONS;
        return child(name, new Program(BrokerMain.class, options(heap, name), arguments));
    }

    private static ChildProcess child(String name, Program program) throws IOException {
        return new ChildProcess(name, program, Patience.USUAL);
    }

    private List<String> options(List<String> usual, String name) {
        List<String> options = new ArrayList<>(usual);
        Path recordings = ground.recordings();
        if (recordings != null) {
            String file = name.replace(' ', '-') + ".jfr";
            options.add("-Xlog:jfr+startup=off"); // it would speak where the process answers
            options.add("-XX:StartFlightRecording=settings=profile,filename=" + recordings.resolve(file));
        }
        return options;
    }

    /** Connects the clients of a load, in place of those of an earlier one. */
    public void connect(Load load) throws IOException {
        askClients(load.json().with(Requests.NAME, ClientMain.CONNECT));
        uploads = load.style().uploads();
    }

    /** Closes the connections of all clients. */
    public void disconnect() throws IOException {
        askClients(request(ClientMain.DISCONNECT));
    }

    /**
     * Lets the connected clients work, and measures them.
     *
     * @param rate round trips per second of all together; 0 if each request follows the last reply at once
     * @param rampMillis milliseconds of work before the measured ones
     * @return the figures of {@link Block}
     */
    public Result block(double rate, long rampMillis, long millis) throws IOException {
        Uploads now = uploads;
        return now == null ? measure(rate, rampMillis, millis) : upload(now, rampMillis, millis);
    }

    private Result measure(double rate, long rampMillis, long millis) throws IOException {
        askClients(request(ClientMain.START).with(ClientMain.RATE, rate).with(ClientMain.MILLIS, rampMillis));
        Result begin = readBrokers();
        Result measured = askClients(request(ClientMain.MEASURE).with(ClientMain.MILLIS, millis));
        Result end = readBrokers();
        askClients(request(ClientMain.REST));
        return Block.figures(measured, Readings.between(begin, end));
    }

    /** Measures uploads. Keys that the broker makes ahead belong to them, and not to the block of another pair. */
    private Result upload(Uploads now, long rampMillis, long millis) throws IOException {
        if (now.arrival() == Arrival.STREAM) {
            useUpKeys();
        }
        Result before = askBrokers(BrokerMain.COUNT);
        Result block = measure(0, rampMillis, millis);
        Result after = askBrokers(BrokerMain.COUNT);
        awaitCalm();
        double waits = after.number(BrokerMain.KEY_WAITS) - before.number(BrokerMain.KEY_WAITS);
        return block.with(Block.KEY_WAITS, waits / (after.number(BrokerMain.SEALED) - before.number(BrokerMain.SEALED)))
                .with(Block.BROKER_HEAP, askBrokers(BrokerMain.COLLECT).number(BrokerMain.HEAP_MB));
    }

    /**
     * Uploads as many small files as a pool has keys, or for a while. Pairs without a pool do so too: code and caches
     * are as warm then.
     */
    private void useUpKeys() throws IOException {
        double begin = askBrokers(BrokerMain.COUNT).number(BrokerMain.SEALED);
        double sealed = 0;
        for (int i = 0; i < MOST_STEPS && sealed < MOST_KEYS; i++) {
            askClients(request(ClientMain.START).with(ClientMain.RATE, 0).with(ClientMain.MILLIS, STEP_MILLIS));
            sealed = askBrokers(BrokerMain.COUNT).number(BrokerMain.SEALED) - begin;
        }
    }

    /** Waits until the brokers do nothing more: pools are full. */
    private void awaitCalm() throws IOException {
        double last = readBrokers().number(Readings.CPU);
        double used = STEP_MILLIS;
        for (int i = 0; i < MOST_STEPS && used > CALM * STEP_MILLIS; i++) {
            try {
                Thread.sleep(STEP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while brokers made keys", e);
            }
            double next = readBrokers().number(Readings.CPU);
            used = next - last;
            last = next;
        }
    }

    /** Returns the sum of each number that all brokers tell. */
    private Result askBrokers(String request) throws IOException {
        Result sum = Result.EMPTY;
        for (ChildProcess broker : brokers) {
            Result answer = broker.ask(request(request), PATIENCE);
            for (Map.Entry<String, JsonNode> field : answer.json().properties()) {
                double before = sum.has(field.getKey()) ? sum.number(field.getKey()) : 0;
                sum = sum.with(field.getKey(), before + field.getValue().asDouble());
            }
        }
        return sum;
    }

    private Result readBrokers() throws IOException {
        Result sum = Result.EMPTY;
        List<ChildProcess> all = new ArrayList<>(brokers);
        all.addAll(backups);
        for (ChildProcess broker : all) {
            Result reading = broker.ask(request(BrokerMain.READ), PATIENCE);
            for (String field : Readings.FIELDS) {
                double before = sum.has(field) ? sum.number(field) : 0;
                sum = sum.with(field, before + reading.number(field));
            }
        }
        Disk disk = ground.disk();
        return disk == null ? sum : sum.with(Readings.DAEMON, disk.daemonCpuMillis());
    }

    private static Result request(String name) {
        return Result.EMPTY.with(Requests.NAME, name);
    }

    /** Asks, and waits longer than the milliseconds that the request may name. */
    private Result askClients(Result request) throws IOException {
        long millis = request.has(ClientMain.MILLIS) ? (long) request.number(ClientMain.MILLIS) : 0;
        return clients.get(0).ask(request, PATIENCE.plusMillis(millis));
    }

    /** Ends the processes, and deletes their folder. It throws the first failure at the end. */
    @Override
    public void close() throws IOException {
        List<ChildProcess> all = new ArrayList<>(clients);
        all.addAll(backups); // a backup whose primary ends would take over
        all.addAll(brokers);
        IOException first = null;
        for (ChildProcess process : all) {
            try {
                process.close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        ownJournals.forEach(journal -> FileUtil.deleteDirectory(journal.toFile())); // if a broker was ended by force
        FileUtil.deleteDirectory(folder.root().toFile());
        if (first != null) {
            throw first;
        }
    }
}
