/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.crypto.KeyLease;
import org.signetmq.keystore.epoch.EpochLimits;
import org.signetmq.keystore.epoch.KeyEpochs;
import org.signetmq.keystore.epoch.KeyPregenerator;
import org.signetmq.perf.keys.Situation.Outcome;

/** Encrypts files as they arrive, each with a key of its own. */
final class UploadRun {
    /** The end of an uploader: after a time, or after a number of files. */
    private record Until(Duration time, long files) {
        static Until after(Duration time) {
            return new Until(time, Long.MAX_VALUE);
        }
    }

    /** Of one uploader: how long each file took. */
    private record Uploads(long[] nanos) {
        /** How long each whole burst took. */
        LongStream bursts() {
            return IntStream.range(0, nanos.length / Arrival.BURST_FILES)
                    .mapToLong(burst -> Arrays.stream(
                                    nanos, burst * Arrival.BURST_FILES, (burst + 1) * Arrival.BURST_FILES)
                            .sum());
        }
    }

    private static final EpochLimits ONE_FILE = new EpochLimits(1, Long.MAX_VALUE, Duration.ofHours(1));

    /** Of the time, for keys of before or after: beyond it a run tells more of the pool than of the files. */
    private static final double MOST_ASIDE = 0.15;

    /** Until a pool that sizes itself knows the bursts; if they are slow, fewer. */
    private static final int WARM_FILES = 4 * Arrival.BURST_FILES;

    private static final int MOST_WARMUPS = 10;

    private final Duration warmup;
    private final Duration measured;

    UploadRun(Duration warmup, Duration measured) {
        this.warmup = warmup;
        this.measured = measured;
    }

    Outcome run(Situation of, Pool pool) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(of.arrival().uploaders());
        try (KeyPregenerator pregenerator =
                        new KeyPregenerator(pool.settings(), System::nanoTime, MeasuredWrapping.PROVIDERS);
                KeyEpochs epochs = new KeyEpochs(of.keys().wrapping(), ONE_FILE, pregenerator)) {
            AtomicLong next = new AtomicLong();
            Function<Until, Callable<Uploads>> uploader = until -> () -> uploads(of, epochs, next, until);
            if (of.arrival() == Arrival.BURSTY) {
                upload(threads, of, uploader.apply(new Until(warmup.multipliedBy(MOST_WARMUPS), WARM_FILES)));
            }
            upload(threads, of, uploader.apply(Until.after(warmup)));
            long openedBefore = epochs.openedEpochs();
            long dryBefore = pregenerator.keyWaits();
            int readyBefore = pregenerator.pooledKeys();
            long start = System.nanoTime();
            List<Uploads> uploads = upload(threads, of, uploader.apply(Until.after(measured(of.arrival()))));
            int more = pregenerator.pooledKeys() - readyBefore;
            long elapsed = System.nanoTime() - start; // more than was asked for, if uploaders had to wait for a core
            long opened = epochs.openedEpochs() - openedBefore;
            long dry = pool.equals(Pool.OFF) ? opened : pregenerator.keyWaits() - dryBefore;
            double rate = of.arrival() == Arrival.BURSTY
                    ? rateOfBursts(uploads)
                    : lastingRate(uploads, elapsed, more * of.keys().cpuNanos());
            return outcome(uploads, rate, (double) dry / Math.max(1, opened));
        } finally {
            threads.shutdown();
        }
    }

    /** Little of it is spent on files, if they come in bursts: of fewer than twenty the median is luck. */
    private Duration measured(Arrival arrival) {
        if (arrival != Arrival.BURSTY) {
            return measured;
        }
        Duration twentyBursts = Duration.ofNanos(20 * Arrival.PAUSE_NANOS);
        Duration twice = measured.multipliedBy(2);
        return twice.compareTo(twentyBursts) < 0 ? twentyBursts : twice;
    }

    private static double rateOfBursts(List<Uploads> uploads) {
        long[] bursts = uploads.stream().flatMapToLong(Uploads::bursts).sorted().toArray();
        return bursts.length == 0 ? Double.NaN : uploads.size() * Arrival.BURST_FILES * 1e9 / bursts[bursts.length / 2];
    }

    /** Without the processor time that was not for these files. */
    private static double lastingRate(List<Uploads> uploads, long elapsed, double cpuNanosAside) {
        double aside = cpuNanosAside / Runtime.getRuntime().availableProcessors();
        long files = uploads.stream().mapToLong(one -> one.nanos().length).sum();
        return Math.abs(aside) > MOST_ASIDE * elapsed ? Double.NaN : files * 1e9 / (elapsed - aside);
    }

    private static List<Uploads> upload(ExecutorService threads, Situation of, Callable<Uploads> uploader)
            throws InterruptedException, ExecutionException {
        List<Future<Uploads>> running = new ArrayList<>();
        for (int i = 0; i < of.arrival().uploaders(); i++) {
            running.add(threads.submit(uploader));
        }
        List<Uploads> uploads = new ArrayList<>();
        for (Future<Uploads> one : running) {
            uploads.add(one.get());
        }
        return uploads;
    }

    private static Uploads uploads(Situation of, KeyEpochs epochs, AtomicLong next, Until until) {
        byte[] buffer = new byte[FileMix.LARGEST + ContentCipher.TAG_LENGTH];
        long[] nanos = new long[1 << 10];
        int files = 0;
        try (ContentCipher cipher = new ContentCipher(MeasuredWrapping.PROVIDERS)) {
            long end = System.nanoTime() + until.time().toNanos();
            long now = System.nanoTime();
            while (now < end && files < until.files()) {
                long number = of.arrival() == Arrival.BURSTY ? files % Arrival.BURST_FILES : next.getAndIncrement();
                encrypt(cipher, epochs, buffer, of.mix().size(number));
                long after = System.nanoTime();
                if (files == nanos.length) {
                    nanos = Arrays.copyOf(nanos, 2 * nanos.length);
                }
                nanos[files++] = after - now;
                if (of.arrival() == Arrival.BURSTY && files % Arrival.BURST_FILES == 0) {
                    LockSupport.parkNanos(Arrival.PAUSE_NANOS);
                }
                now = System.nanoTime();
            }
        }
        return new Uploads(Arrays.copyOf(nanos, files));
    }

    private static void encrypt(ContentCipher cipher, KeyEpochs epochs, byte[] buffer, int size) {
        try (KeyLease use = epochs.next(size)) {
            if (use == null) {
                throw new IllegalStateException("upload: no key after close");
            }
            cipher.encrypt(use, buffer, 0, size);
        }
    }

    private static Outcome outcome(List<Uploads> uploads, double rate, double dryShare) {
        long[] sorted = uploads.stream()
                .flatMapToLong(one -> Arrays.stream(one.nanos()))
                .sorted()
                .toArray();
        return new Outcome(rate, at(sorted, 0.50), at(sorted, 0.99), dryShare, 1);
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e3;
    }
}
