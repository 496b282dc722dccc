/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.process.Requests;
import org.signetmq.perf.result.Row;

/**
 * The clients of one load: their connections, each a socket of its own, their threads, and what they measure. Clients
 * that ask work, rest and end together.
 */
final class Participants {
    static final String DONE = "done";
    static final String SECONDS = "seconds";
    static final String UNWRAPS = "unwraps";
    static final String KEYS = "keys";
    /** Seconds that clients worked, without the pauses between bursts. */
    static final String BUSY = "busy_seconds";

    private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final String user;
    private final String password;
    private final List<ConnectionFactory> factories = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<LongSupplier> unwraps = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Recorder latencies = new Recorder(LONGEST_MICROS, 3);
    private final Codec codec;
    private int asking;
    private int resting;
    private volatile boolean working;
    private volatile boolean over;
    private volatile long begin;
    private volatile @Nullable Throwable failure;

    Participants(String user, String password, Codec codec) {
        this.user = user;
        this.password = password;
        this.codec = codec;
        unwraps.add(codec::unwraps);
    }

    Codec codec() {
        return codec;
    }

    /** Adds a broker; clients connect to all brokers by turns. */
    void add(ConnectionFactory factory) {
        factories.add(factory);
    }

    /** Closes something after all that is opened later. */
    void closeLater(AutoCloseable resource) {
        open.add(resource);
    }

    void countUnwraps(LongSupplier count) {
        unwraps.add(count);
    }

    /** Returns a session with a connection of its own, which receives at once. */
    Session connect(int broker, int sessionMode) throws JMSException {
        Connection connection = factories.get(broker % factories.size()).createConnection(user, password);
        open.add(connection);
        connection.start();
        return connection.createSession(false, sessionMode);
    }

    /** Starts a thread that answers until its connection is closed. */
    void answer(Callable<Void> answering) {
        run(() -> {
            answering.call();
            if (!over) {
                throw new JMSException("responder: its connection was closed");
            }
            return null;
        });
    }

    /** Starts a thread that asks: it calls {@link #awaitTurn} before each request. */
    void ask(Callable<Void> asker) {
        asking++;
        run(asker);
    }

    private void run(Callable<Void> participant) {
        threads.execute(() -> {
            try {
                participant.call();
            } catch (Throwable e) {
                fail(e);
            }
        });
    }

    private synchronized void fail(Throwable cause) {
        working = false;
        if (failure == null && !over) { // later ones follow from the first
            failure = cause;
        }
        notifyAll();
    }

    /** Returns whether to go on, after any rest; false if all is over. */
    boolean awaitTurn() throws InterruptedException {
        return (working && !over) || rested();
    }

    private synchronized boolean rested() throws InterruptedException {
        resting++;
        notifyAll();
        while (!working && !over) {
            wait();
        }
        resting--;
        return !over;
    }

    /** Returns when the clients began to work after their last rest, in nanoseconds of {@link System#nanoTime}. */
    long begin() {
        return begin;
    }

    /** Adds the time of a request until its reply, or of a file until it was opened. */
    void done(long nanos) {
        latencies.recordValue(Math.min(LONGEST_MICROS, nanos / 1_000));
    }

    /** Has all rest, and waits until they do: they are connected, and cost nothing. */
    synchronized Row rest() throws InterruptedException {
        working = false;
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (resting < asking) {
            check();
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException("clients: do not rest within 90 s");
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        check();
        return Row.EMPTY;
    }

    private void check() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException(Requests.reason(cause), cause);
        }
    }

    /** Lets all work for a while, and go on. */
    Row start(long millis) throws InterruptedException {
        synchronized (this) {
            begin = System.nanoTime();
            working = true;
            notifyAll();
        }
        pass(millis);
        return Row.EMPTY;
    }

    /** Waits; it throws the failure of a participant at once. */
    private synchronized void pass(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            check();
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        check();
    }

    /** Measures what runs, for so long or until something is done at all. */
    Row measure(long millis) throws InterruptedException {
        Row before = Readings.ofThisProcess(); // takes long at first, so its time must not count as measured
        long unwrapped = unwraps();
        long keys = codec.keys();
        latencies.reset();
        long start = System.nanoTime();
        pass(millis);
        Histogram measured = latencies.getIntervalHistogram();
        while (measured.getTotalCount() == 0) { // a busy machine may need longer; a requester gives up in the end
            pass(1);
            measured.add(latencies.getIntervalHistogram());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return Readings.between(before, Readings.ofThisProcess())
                .with(DONE, measured.getTotalCount())
                .with(SECONDS, seconds)
                .with(BUSY, measured.getMean() / 1e6 * measured.getTotalCount() / asking)
                .with("p50_us", measured.getValueAtPercentile(50))
                .with("p99_us", measured.getValueAtPercentile(99))
                .with(UNWRAPS, unwraps() - unwrapped)
                .with(KEYS, codec.keys() - keys);
    }

    private long unwraps() {
        return unwraps.stream().mapToLong(LongSupplier::getAsLong).sum();
    }

    /** Ends all, and waits for their threads. Receivers that wait get no more messages. */
    void end() throws Exception {
        synchronized (this) {
            over = true;
            notifyAll();
        }
        threads.shutdown();
        Exception first = null;
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Exception e) {
                first = first == null ? e : first;
            }
        }
        if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("threads: do not end within 60 s");
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * What clients do to payloads before the connection factory sees them: nothing, but in the manner of AMS.
     * Thread-safe.
     */
    @FunctionalInterface
    interface Codec {
        /** Leaves payloads as they are. */
        Codec NOTHING = address -> UnaryOperator.identity();

        /** Returns what a new producer for an address does to payloads. */
        UnaryOperator<byte[]> sealer(String address);

        /** Returns what a new consumer does to bodies: nothing, if the connection factory opens messages. */
        default UnaryOperator<byte[]> opener() {
            return UnaryOperator.identity();
        }

        /** Returns the data keys that all sealers of this codec have begun to use so far. */
        default long keys() {
            return 0;
        }

        /** Returns the keys that all openers of this codec have unwrapped so far. */
        default long unwraps() {
            return 0;
        }
    }
}
