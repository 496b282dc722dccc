/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.FileMix;
import org.signetmq.perf.upload.Mailbox;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;

/** The requesters and responders of one load, or its uploaders and readers, with their threads. For one thread. */
final class Participants {
    private static final long PATIENCE_SECONDS = 60;
    /** Time for all requesters to wake up before the first request is due. */
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Connections connections;
    private final Codec codec;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Recorder latencies = new Recorder(Exchange.LONGEST_MICROS, 3);
    private @Nullable Histogram unused;
    private Gate gate = new Gate(0);
    private Load load = Load.of(1, 1, 0);
    private volatile int largest = FileMix.LARGEST;

    Participants(Connections connections, Codec codec) {
        this.connections = connections;
        this.codec = codec;
    }

    /** Connects all; they rest until they are started. */
    void connect(String name, Setting setting, Load connecting) throws Exception {
        load = connecting;
        gate = new Gate(load.clients());
        Uploads uploads = load.style().uploads();
        List<Callable<Void>> all = uploads == null ? exchange(name, setting) : mailboxes(name, setting, uploads);
        all.forEach(participant -> threads.execute(() -> run(participant)));
        gate.awaitRest();
    }

    private List<Callable<Void>> exchange(String name, Setting setting) throws JMSException {
        Exchange exchange = new Exchange(name, setting, load, codec, gate, latencies);
        int mode = Fetch.sessionMode(load.style().buffer());
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < load.responders(); i++) {
            all.add(exchange.responder(connections.connect(load.queueOf(i), mode), i));
        }
        for (int i = 0; i < load.clients(); i++) {
            all.add(exchange.requester(connections.connect(load.queueOf(i), mode), i));
        }
        return all;
    }

    private List<Callable<Void>> mailboxes(String name, Setting setting, Uploads uploads) throws JMSException {
        Mailbox.Turns turns = () -> {
            Gate.Pace pace = gate.awaitPace();
            return pace == null ? null : new Mailbox.Turn(pace.begin(), largest);
        };
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < load.clients(); i++) {
            String queue = "rr." + name + ".mailbox." + i;
            Mailbox mailbox = new Mailbox(queue, new Mailbox.Share(i, load.clients()), uploads);
            all.add(mailbox.reader(
                    connections.connect(i, Session.AUTO_ACKNOWLEDGE),
                    gate::isOver,
                    message -> Receiver.requireQuality(message, setting)));
            all.add(mailbox.uploader(
                    connections.connect(i, Session.AUTO_ACKNOWLEDGE),
                    turns,
                    micros -> latencies.recordValue(Math.min(Exchange.LONGEST_MICROS, micros))));
        }
        return all;
    }

    private void run(Callable<Void> participant) {
        try {
            participant.call();
        } catch (Throwable e) {
            gate.fail(e);
        }
    }

    /**
     * Starts all, and lets them run for a while. A stream begins with small files, so that keys that lie ready are used
     * up soon: they would be gone in a long stream.
     *
     * @param rate requests per second of all together; 0 if each follows its reply at once
     */
    Result start(double rate, long millis) throws InterruptedException {
        Uploads uploads = load.style().uploads();
        largest = uploads != null && uploads.arrival() == Arrival.STREAM ? FileMix.SMALLEST : FileMix.LARGEST;
        gate.open(new Gate.Pace(System.nanoTime() + AHEAD_NANOS, rate == 0 ? 0 : 1e9 / rate));
        gate.pass(millis);
        return Result.EMPTY;
    }

    /** Measures what runs, for so long or until there is a round trip at all. */
    Result measure(long millis) throws InterruptedException {
        largest = FileMix.LARGEST;
        Result begin = Readings.ofThisProcess(); // takes long at first, so its time must not count as measured
        long unwraps = unwraps();
        unused = latencies.getIntervalHistogram(unused); // what came before
        long start = System.nanoTime();
        gate.pass(millis);
        Histogram measured = latencies.getIntervalHistogram();
        while (measured.getTotalCount() == 0) { // a busy machine may need longer; a requester gives up in the end
            gate.pass(1);
            measured.add(latencies.getIntervalHistogram());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long unwrapped = unwraps() - unwraps;
        Result result = Readings.between(begin, Readings.ofThisProcess())
                .with(Block.ROUND_TRIPS, measured.getTotalCount())
                .with(Block.SECONDS, seconds)
                .with("p50_us", measured.getValueAtPercentile(50))
                .with("p99_us", measured.getValueAtPercentile(99))
                .with("p999_us", measured.getValueAtPercentile(99.9))
                .with(Block.UNWRAPS, unwrapped);
        Uploads uploads = load.style().uploads();
        if (uploads == null) {
            return result;
        }
        double busy = uploads.arrival() == Arrival.BURSTS
                ? measured.getMean() / 1e6 * measured.getTotalCount() / load.clients()
                : seconds;
        return result.with(Block.MESSAGES, measured.getTotalCount()).with(Block.BUSY, busy);
    }

    private long unwraps() {
        return connections.unwraps() + codec.unwraps();
    }

    /** Has all rest; they are connected, and cost nothing. */
    Result rest() throws InterruptedException {
        gate.awaitRest();
        return Result.EMPTY;
    }

    /** Ends all, and waits for their threads. */
    void end() throws Exception {
        gate.end();
        threads.shutdown();
        connections.close();
        if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("threads: do not end within " + PATIENCE_SECONDS + " s");
        }
    }
}
