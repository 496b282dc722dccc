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

    private static final List<String> BROKER_OPTIONS = List.of("-Xms512m", "-Xmx512m");
    private static final List<String> CLIENT_OPTIONS = List.of("-Xms256m", "-Xmx512m");

    private final PairFolder folder;
    private final Ground ground;
    private final List<Path> ownJournals = new ArrayList<>();
    private final List<ChildProcess> brokers = new ArrayList<>();
    private final List<ChildProcess> clients = new ArrayList<>();
    private @Nullable Uploads uploads;

    /**
     * What the processes of a pair stand on.
     *
     * @param folder that is made for the pair, and deleted when it is closed
     * @param journals where each broker gets a folder for its journal; null for a folder of the pair
     * @param brokers the number of brokers that share the load
     * @param recordings where flight recordings are left; null for none
     */
    public record Ground(
            Path folder,
            @Nullable Path journals,
            int brokers,
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
        String json = setting.json().json().toString();
        Path journals = ground.journals() == null ? folder.root().resolve("journals") : ground.journals();
        for (int i = 0; i < ground.brokers(); i++) {
            Path journal =
                    Files.createDirectories(journals).resolve(folder.root().getFileName() + "-" + i);
            ownJournals.add(Files.createDirectory(journal));
            List<String> arguments = List.of(folder.root().toString(), json, journal.toString());
            String name = "broker " + setting.label();
            brokers.add(child(name, new Program(BrokerMain.class, options(BROKER_OPTIONS, name), arguments)));
        }
        String ports = brokers.stream()
                .map(broker -> broker.ready().text(BrokerMain.PORT))
                .collect(Collectors.joining(","));
        String name = "clients " + setting.label();
        List<String> arguments = List.of(folder.root().toString(), json, ports);
        clients.add(child(name, new Program(ClientMain.class, options(CLIENT_OPTIONS, name), arguments)));
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
        for (ChildProcess broker : brokers) {
            Result reading = broker.ask(request(BrokerMain.READ), PATIENCE);
            for (String field : Readings.FIELDS) {
                double before = sum.has(field) ? sum.number(field) : 0;
                sum = sum.with(field, before + reading.number(field));
            }
        }
        return sum;
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
