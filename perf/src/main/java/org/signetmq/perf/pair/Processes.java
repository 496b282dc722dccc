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
import org.signetmq.perf.broker.Brokers.Backup;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.broker.ProcessorLimit;
import org.signetmq.perf.broker.Replication;
import org.signetmq.perf.process.ChildProcess;
import org.signetmq.perf.process.ChildProcess.Patience;
import org.signetmq.perf.process.ChildProcess.Program;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Setting;

/** The processes of a pair, their journals and their folder. For one thread. */
final class Processes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String BROKER = "broker";
    private static final String BACKUP = "backup";
    private static final List<String> BROKER_OPTIONS = List.of("-Xms512m", "-Xmx512m");
    /** Several brokers have to fit into the memory of a small machine. */
    private static final List<String> SMALL_BROKER_OPTIONS = List.of("-Xms256m", "-Xmx256m");

    private static final List<String> CLIENT_OPTIONS = List.of("-Xms256m", "-Xmx512m");

    private final PairFolder folder;
    private final Pair.Ground ground;
    private final List<Path> ownJournals = new ArrayList<>();
    private final List<ChildProcess> brokers = new ArrayList<>();
    private final List<ChildProcess> backups = new ArrayList<>();
    private final List<ChildProcess> clients = new ArrayList<>();
    private @Nullable ProcessorLimit limit;

    Processes(Pair.Ground ground) {
        this.ground = ground;
        this.folder = new PairFolder(ground.folder());
    }

    /** Starts all, in the folder, which exists. */
    void start(Setting setting) throws IOException {
        folder.create(setting);
        if (ground.brokers().cores() > 0) {
            limit = ProcessorLimit.of(ground.brokers().cores());
        }
        for (int i = 0; i < ground.brokers().count(); i++) {
            startBroker(setting, Integer.toString(i));
        }
        startClients(setting, ports());
    }

    /** Returns the ports of all brokers. */
    List<Integer> ports() {
        return brokers.stream()
                .map(broker -> (int) broker.ready().number(BrokerMain.PORT))
                .toList();
    }

    /** Ends the clients if there are any, and starts others for these ports. */
    void startClients(Setting setting, List<Integer> to) throws IOException {
        endAll(clients);
        String ports = to.stream().map(String::valueOf).collect(Collectors.joining(","));
        String name = "clients " + setting.label();
        List<String> arguments = List.of(folder.root().toString(), json(setting), ports);
        clients.add(child(name, new Program(ClientMain.class, options(CLIENT_OPTIONS, name), arguments)));
    }

    /** Ends all processes, but not what the disk has. */
    void stop() throws IOException {
        for (ChildProcess broker : brokers) {
            broker.ask(request(BrokerMain.KEEP), PATIENCE);
        }
        endAll(clients);
        endAll(brokers);
    }

    /** Starts brokers on the journals of those that were stopped, and clients. */
    void startAgain(Setting setting) throws IOException {
        for (int i = 0; i < ownJournals.size(); i++) {
            brokers.add(broker(name(BROKER, setting, Integer.toString(i)), setting, ownJournals.get(i), List.of()));
        }
        startClients(setting, ports());
    }

    private static void endAll(List<ChildProcess> all) throws IOException {
        List<ChildProcess> ending = List.copyOf(all);
        all.clear();
        for (ChildProcess process : ending) {
            process.close();
        }
    }

    /** Returns the folders of all journals. */
    List<Path> journals() {
        return List.copyOf(ownJournals);
    }

    private static String json(Setting setting) {
        return setting.json().json().toString();
    }

    private void startBroker(Setting setting, String number) throws IOException {
        if (ground.brokers().backup() == Backup.NONE) {
            brokers.add(broker(name(BROKER, setting, number), setting, newJournal("-" + number), List.of()));
            return;
        }
        Replication primary = Replication.primary();
        Path journal = newJournal("-" + number);
        brokers.add(broker(name(BROKER, setting, number), setting, journal, List.of(primary.argument())));
        Replication backup = primary.other();
        Path copy = newJournal("-" + number + "-" + BACKUP);
        backups.add(broker(name(BACKUP, setting, number), setting, copy, List.of(backup.argument())));
    }

    private Path newJournal(String suffix) throws IOException {
        Disk disk = ground.disk();
        Path journals = Files.createDirectories(disk == null ? folder.root().resolve("journals") : disk.folder());
        Path journal = Files.createDirectory(journals.resolve(folder.root().getFileName() + suffix));
        ownJournals.add(journal);
        return journal;
    }

    private String name(String role, Setting setting, String number) {
        return role + " " + setting.label() + (isAlone() ? "" : " " + number);
    }

    private boolean isAlone() {
        return ground.brokers().processes() == 1;
    }

    private ChildProcess broker(String name, Setting setting, Path journal, List<String> more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(folder.root().toString(), json(setting), journal.toString()));
        arguments.addAll(more);
        List<String> heap = isAlone() ? BROKER_OPTIONS : SMALL_BROKER_OPTIONS;
        ChildProcess broker = child(name, new Program(BrokerMain.class, options(heap, name), arguments));
        try {
            if (limit != null) {
                limit.add(broker.id());
            }
            return broker;
        } catch (IOException | RuntimeException e) {
            broker.close();
            throw e;
        }
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

    /** Asks the clients, and waits longer than the milliseconds that the request may name. */
    Result askClients(Result request) throws IOException {
        long millis = request.has(ClientMain.MILLIS) ? (long) request.number(ClientMain.MILLIS) : 0;
        return clients.get(0).ask(request, PATIENCE.plusMillis(millis));
    }

    /**
     * Lets the connected clients work for a while, and go on.
     *
     * @param rate round trips per second of all together; 0 if each request follows the last reply at once
     */
    void startClients(double rate, long millis) throws IOException {
        askClients(request(ClientMain.START).with(ClientMain.RATE, rate).with(ClientMain.MILLIS, millis));
    }

    /** Returns the sum of each number that all brokers tell. */
    Result askBrokers(String request) throws IOException {
        return askBrokers(request(request));
    }

    /** Returns the sum of each number that all brokers tell. */
    Result askBrokers(Result request) throws IOException {
        Result sum = Result.EMPTY;
        for (ChildProcess broker : brokers) {
            Result answer = broker.ask(request, PATIENCE);
            for (Map.Entry<String, JsonNode> field : answer.json().properties()) {
                double before = sum.has(field.getKey()) ? sum.number(field.getKey()) : 0;
                sum = sum.with(field.getKey(), before + field.getValue().asDouble());
            }
        }
        return sum;
    }

    /** Returns the readings of all brokers, backups and the disk together. */
    Result readBrokers() throws IOException {
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

    /** Returns a request with this name alone. */
    static Result request(String name) {
        return Result.EMPTY.with(Requests.NAME, name);
    }

    /** Ends the processes, and deletes their folder. It throws the first failure at the end. */
    @Override
    public void close() throws IOException {
        List<AutoCloseable> all = new ArrayList<>(clients);
        all.addAll(backups); // a backup whose primary ends would take over
        all.addAll(brokers);
        if (limit != null) {
            all.add(limit);
        }
        IOException first = null;
        for (AutoCloseable one : all) {
            try {
                one.close();
            } catch (Exception e) {
                first = first != null ? first : e instanceof IOException ours ? ours : new IOException(e);
            }
        }
        ownJournals.forEach(journal -> FileUtil.deleteDirectory(journal.toFile())); // if a broker was ended by force
        FileUtil.deleteDirectory(folder.root().toFile());
        if (first != null) {
            throw first;
        }
    }
}
