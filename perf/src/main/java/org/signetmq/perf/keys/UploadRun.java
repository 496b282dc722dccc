/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.keystore.epoch.KeyPregenerator;
import org.signetmq.perf.keys.Situation.Arrival;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.upload.FileMix;

/** Encrypts files as they arrive, each with a key of its own, with one pool in one situation. */
final class UploadRun {
    /** The figure of a run: files per second. It is missing if the rate could not last. */
    static final String RATE = "files_per_s";

    private static final int BURST_FILES = 50;
    private static final long PAUSE_NANOS = 60_000_000;

    /** With fewer bursts the median is luck. */
    private static final Duration ENOUGH_BURSTS = Duration.ofNanos(20 * PAUSE_NANOS);

    /** A pool that sizes itself knows the bursts after four of them. Slow bursts end earlier. */
    private static final int WARM_FILES = 4 * BURST_FILES;

    private static final int MOST_WARMUPS = 10;

    /** The share of the time for keys of before or after. Beyond it a run tells more of the pool than of the files. */
    private static final double MOST_ASIDE = 0.15;

    private final Situation of;
    private final Pool pool;
    private final boolean isBursty;
    private final AtomicLong next = new AtomicLong();
    private final Histogram fileNanos = new ConcurrentHistogram(3);
    private final Histogram burstNanos = new ConcurrentHistogram(3);

    UploadRun(Situation of, Pool pool) {
        this.of = of;
        this.pool = pool;
        this.isBursty = of.arrival() == Arrival.BURSTY;
    }

    /** Returns the rate, the times of a file, and the share of files that waited for a key because none was ready. */
    Result figures(Duration warmup, Duration measured) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(of.arrival().uploaders());
        try (KeyPregenerator pregenerator =
                        new KeyPregenerator(pool.settings(), System::nanoTime, MeasuredWrapping.PROVIDERS);
                KeyEpochs epochs = new KeyEpochs(of.keys().wrapping(), MeasuredWrapping.ONE_MESSAGE, pregenerator)) {
            if (isBursty) {
                await(threads, () -> upload(epochs, warmup.multipliedBy(MOST_WARMUPS), WARM_FILES));
            }
            await(threads, () -> upload(epochs, warmup, Long.MAX_VALUE));
            fileNanos.reset();
            burstNanos.reset();
            long openedBefore = epochs.openedEpochs();
            long dryBefore = pregenerator.keyWaits();
            int readyBefore = pregenerator.pooledKeys();
            long start = System.nanoTime();
            await(threads, () -> upload(epochs, isBursty ? withBursts(measured) : measured, Long.MAX_VALUE));
            int more = pregenerator.pooledKeys() - readyBefore;
            long elapsed = System.nanoTime() - start; // more than was asked for, if uploaders had to wait for a core
            double opened = Math.max(1, epochs.openedEpochs() - openedBefore);
            return Result.EMPTY
                    .with(
                            RATE,
                            isBursty
                                    ? rateOfBursts()
                                    : lastingRate(elapsed, more * of.keys().cpuNanos()))
                    .with("p50_us", fileNanos.getValueAtPercentile(50) / 1e3)
                    .with("p99_us", fileNanos.getValueAtPercentile(99) / 1e3)
                    .with("dry_share", pool.equals(Pool.OFF) ? 1.0 : (pregenerator.keyWaits() - dryBefore) / opened);
        } finally {
            threads.shutdown();
        }
    }

    /** Returns more time: in bursts little of it is spent on files. */
    private static Duration withBursts(Duration measured) {
        Duration twice = measured.multipliedBy(2);
        return twice.compareTo(ENOUGH_BURSTS) < 0 ? ENOUGH_BURSTS : twice;
    }

    /** Returns the rate of the median burst without the pauses, because other programs disturb some bursts. */
    private double rateOfBursts() {
        double files = of.arrival().uploaders() * BURST_FILES;
        return burstNanos.getTotalCount() == 0 ? Double.NaN : files * 1e9 / burstNanos.getValueAtPercentile(50);
    }

    /**
     * Returns the rate of all the time, less the time of keys that stayed unused, plus the time of keys that lay ready.
     * It is NaN if that was much of the time.
     */
    private double lastingRate(long elapsed, double cpuNanosAside) {
        double aside = cpuNanosAside / Runtime.getRuntime().availableProcessors();
        double files = fileNanos.getTotalCount();
        return Math.abs(aside) > MOST_ASIDE * elapsed ? Double.NaN : files * 1e9 / (elapsed - aside);
    }

    /** Has all uploaders run, and waits for them. */
    private void await(ExecutorService threads, Runnable uploader) throws InterruptedException, ExecutionException {
        int uploaders = of.arrival().uploaders();
        for (Future<?> upload : threads.invokeAll(Collections.nCopies(uploaders, Executors.callable(uploader)))) {
            upload.get();
        }
    }

    private void upload(KeyEpochs epochs, Duration time, long mostFiles) {
        byte[] buffer = new byte[FileMix.LARGEST + ContentCipher.TAG_LENGTH];
        try (ContentCipher cipher = new ContentCipher(MeasuredWrapping.PROVIDERS)) {
            long end = System.nanoTime() + time.toNanos();
            long burst = 0;
            long now = System.nanoTime();
            for (long files = 1; now < end && files <= mostFiles; files++) {
                int size = of.mix().size(isBursty ? files % BURST_FILES : next.getAndIncrement());
                try (KeyLease use = Objects.requireNonNull(epochs.next(size))) {
                    cipher.encrypt(use, buffer, 0, size);
                }
                long took = System.nanoTime() - now;
                fileNanos.recordValue(took);
                burst += took;
                if (isBursty && files % BURST_FILES == 0) {
                    burstNanos.recordValue(burst);
                    burst = 0;
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                now = System.nanoTime();
            }
        }
    }

    /** Returns the figures of the median run of those that are steady, if any is, and the spread of their rates. */
    static Result median(List<Result> runs) {
        List<Result> steady = runs.stream()
                .filter(run -> run.has(RATE))
                .sorted(Comparator.comparingDouble(run -> run.number(RATE)))
                .toList();
        if (steady.isEmpty()) {
            return runs.get(0);
        }
        double fastest = steady.get(steady.size() - 1).number(RATE);
        return steady.get(steady.size() / 2)
                .with("spread", fastest / steady.get(0).number(RATE));
    }
}
