/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.upload.Uploads;

/** The clients of one load with their threads, and what they measure. For one thread. */
public final class Participants {
    public static final String ROUND_TRIPS = "round_trips";
    public static final String SECONDS = "seconds";
    public static final String UNWRAPS = "unwraps";
    /** Messages of all round trips; two of each if it is missing: a request and its reply. */
    public static final String MESSAGES = "messages";
    /** Seconds in which the clients had work; all of them if it is missing. */
    public static final String BUSY = "busy_seconds";

    static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);

    private static final long PATIENCE_SECONDS = 60;
    /** Time for all requesters to wake up before the first request is due. */
    private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Connections connections;
    private final Codec codec;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Recorder latencies = new Recorder(LONGEST_MICROS, 3);
    private @Nullable Histogram unused;
    private Gate gate = new Gate(0);
    private Work work = connecting -> List.of();

    public Participants(Connections connections, Codec codec) {
        this.connections = connections;
        this.codec = codec;
    }

    /** Connects all; they rest until they are started. */
    public void connect(String name, Setting setting, Load load) throws Exception {
        gate = new Gate(load.clients());
        Uploads uploads = load.style().uploads();
        work = uploads == null
                ? new Exchange(name, setting, load, codec, gate, latencies)
                : new UploadWork(name, setting, uploads, new UploadWork.Crew(load.clients(), gate, latencies));
        work.participants(connections).forEach(participant -> threads.execute(() -> run(participant)));
        gate.awaitRest();
    }

    private void run(Callable<Void> participant) {
        try {
            participant.call();
        } catch (Throwable e) {
            gate.fail(e);
        }
    }

    /**
     * Starts all, and lets them run for a while.
     *
     * @param rate requests per second of all together; 0 if each follows its reply at once
     */
    public Result start(double rate, long millis) throws InterruptedException {
        work.beginRamp();
        gate.open(new Gate.Pace(System.nanoTime() + AHEAD_NANOS, rate == 0 ? 0 : 1e9 / rate));
        gate.pass(millis);
        return Result.EMPTY;
    }

    /** Measures what runs, for so long or until there is a round trip at all. */
    public Result measure(long millis) throws InterruptedException {
        work.beginMeasured();
        Result begin = Readings.ofThisProcess(); // takes long at first, so its time must not count as measured
        long unwraps = unwraps();
        long keys = codec.keys();
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
        long begun = codec.keys() - keys;
        return Readings.between(begin, Readings.ofThisProcess())
                .with(ROUND_TRIPS, measured.getTotalCount())
                .with(SECONDS, seconds)
                .with("p50_us", measured.getValueAtPercentile(50))
                .with("p99_us", measured.getValueAtPercentile(99))
                .with("p999_us", measured.getValueAtPercentile(99.9))
                .with(UNWRAPS, unwrapped)
                .with(Readings.KEYS, begun)
                .and(work.figures(measured, seconds));
    }

    private long unwraps() {
        return connections.unwraps() + codec.unwraps();
    }

    /** Has all rest; they are connected, and cost nothing. */
    public Result rest() throws InterruptedException {
        gate.awaitRest();
        return Result.EMPTY;
    }

    /** Ends all, and waits for their threads. */
    public void end() throws Exception {
        gate.end();
        threads.shutdown();
        connections.close();
        if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("threads: do not end within " + PATIENCE_SECONDS + " s");
        }
    }
}
