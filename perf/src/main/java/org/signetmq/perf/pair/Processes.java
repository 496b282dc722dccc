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
import org.signetmq.perf.broker.Brokers.Backup;
import org.signetmq.perf.broker.Disk;
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

    Processes(Pair.Ground ground) {
        this.ground = ground;
        this.folder = new PairFolder(ground.folder());
    }

    /** Starts all, in the folder, which exists. */
    void start(Setting setting) throws IOException {
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
