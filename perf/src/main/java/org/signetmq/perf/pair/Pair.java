/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.broker.Brokers;
import org.signetmq.perf.broker.Disk;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.upload.Uploads;

/**
 * A broker, or several, and their clients: all have one setting. A pair at rest takes no processor time. For one
 * thread.
 */
public final class Pair implements AutoCloseable {
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

    private Pair(Processes processes) {
        this.processes = processes;
    }

    /** Starts the processes of a setting. */
    public static Pair start(Setting setting, Ground ground) throws IOException {
        Files.createDirectory(ground.folder()); // if it is there, it is not ours to delete
        Processes processes = new Processes(ground);
        try {
            processes.start(setting);
            return new Pair(processes);
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

    /** Ends the processes, and deletes their folder. It throws the first failure at the end. */
    @Override
    public void close() throws IOException {
        processes.close();
    }
}
