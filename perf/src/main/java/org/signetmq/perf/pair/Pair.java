/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.clients.Participants;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Stock;
import org.signetmq.perf.upload.Uploads;

/**
 * A broker, or several, and their clients: all have one setting. A pair at rest takes no processor time. For one
 * thread.
 */
public final class Pair implements AutoCloseable {
    /** The rate at which messages are taken out of a queue. */
    public static final String MESSAGES_PER_S = "messages_per_s";

    private final Setting setting;
    private final Processes processes;
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

    private Pair(Setting setting, Processes processes) {
        this.setting = setting;
        this.processes = processes;
    }

    /** Starts the processes of a setting. */
    public static Pair start(Setting setting, Ground ground) throws IOException {
        Files.createDirectory(ground.folder()); // if it is there, it is not ours to delete
        Processes processes = new Processes(ground);
        try {
            processes.start(setting);
            return new Pair(setting, processes);
        } catch (IOException | RuntimeException e) {
            try {
                processes.close();
            } catch (IOException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    /** Connects the clients of a load, in place of those of an earlier one. */
    public void connect(Load load) throws IOException {
        disconnect();
        processes.askBrokers(Processes.request(BrokerMain.LIMIT)
                .with(Load.MEMORY, load.style().limits().memory()));
        processes.askClients(load.json().with(Requests.NAME, ClientMain.CONNECT));
        uploads = load.style().uploads();
    }

    /** Closes the connections of all clients. */
    public void disconnect() throws IOException {
        processes.askClients(Processes.request(ClientMain.DISCONNECT));
    }

    /**
     * Lets the connected clients work, and measures them.
     *
     * @param rate round trips per second of all together; 0 if each request follows the last reply at once
     * @param rampMillis milliseconds of work before the measured ones
     * @return the figures of {@link Block}
     */
    public Result block(double rate, long rampMillis, long millis) throws IOException {
        return uploads == null
                ? measure(rate, rampMillis, millis)
                : new UploadBlock(processes, uploads).with(() -> measure(0, rampMillis, millis));
    }

    private Result measure(double rate, long rampMillis, long millis) throws IOException {
        processes.startClients(rate, rampMillis);
        Result begin = processes.readBrokers();
        Result measured =
                processes.askClients(Processes.request(ClientMain.MEASURE).with(ClientMain.MILLIS, millis));
        Result end = processes.readBrokers();
        processes.askClients(Processes.request(ClientMain.REST));
        return Block.figures(measured, Readings.between(begin, end));
    }

    /** Puts messages into a queue. Load that is connected is disconnected first. */
    public void fill(Stock stock) throws IOException {
        processes.askClients(stock.json().with(Requests.NAME, ClientMain.FILL));
    }

    /**
     * Takes all messages out of their queue, and checks each.
     *
     * @return messages per second, and the processor time of a message in milliseconds
     */
    public Result drain(Stock stock) throws IOException {
        Result begin = processes.readBrokers();
        Result clients = processes.askClients(stock.json().with(Requests.NAME, ClientMain.DRAIN));
        Result brokers = Readings.between(begin, processes.readBrokers());
        return Result.EMPTY
                .with(MESSAGES_PER_S, stock.count() / clients.number(Participants.SECONDS))
                .with("cpu_ms_per_message.broker", brokers.number(Readings.CPU) / stock.count())
                .with("cpu_ms_per_message.client", clients.number(Readings.CPU) / stock.count())
                .with("cpu_ms_per_message.disk", brokers.number(Readings.DAEMON) / stock.count());
    }

    /** Ends all processes and keeps their journals, lets a task run, and starts all again. */
    public void restart(Pause pause) throws IOException {
        processes.stop();
        pause.run();
        processes.startAgain(setting);
    }

    /** What is done while no process runs. */
    @FunctionalInterface
    public interface Pause {
        void run() throws IOException;
    }

    /** Returns the ports of all brokers. */
    public List<Integer> ports() {
        return processes.ports();
    }

    /** Ends the clients, and starts others that connect to these ports. */
    public void connectVia(List<Integer> ports) throws IOException {
        processes.startClients(setting, ports);
    }

    /** Returns the folders that the brokers write to. */
    public List<Path> journals() {
        return processes.journals();
    }

    /** Writes the heap of the only broker to a new file. */
    public void dumpHeap(Path file) throws IOException {
        processes.askBrokers(Processes.request(BrokerMain.DUMP).with(BrokerMain.FILE, file.toString()));
    }

    /** Ends the processes, and deletes their folder. It throws the first failure at the end. */
    @Override
    public void close() throws IOException {
        processes.close();
    }
}
