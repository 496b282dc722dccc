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
import org.signetmq.keystore.ContentCipher;
import org.signetmq.keystore.EpochLimits;
import org.signetmq.keystore.KeyEpochs;
import org.signetmq.keystore.KeyPregenerator;
import org.signetmq.keystore.KeyUse;

/** Encrypts files as they arrive, each with a key of its own. */
final class UploadRun {
    /**
     * What is compared.
     *
     * @param keys what a key costs
     * @param pool how many are made ahead
     * @param arrival how files come
     * @param mix how large they are
     */
    record Case(KeyKind keys, PoolChoice pool, Arrival arrival, FileMix mix) {}

    /**
     * What came out.
     *
     * @param filesPerSecond while files were there to be encrypted: pauses between bursts do not count; nor does, if
     *     there are none, the processor time of keys that were made and not used, while that of keys that lay ready
     *     before does: the rate that can last
     * @param p50Micros of one file
     * @param p99Micros of one file
     * @param dryShare of the files that waited for their key because none was ready
     */
    record Outcome(Case of, double filesPerSecond, double p50Micros, double p99Micros, double dryShare) {}

    /** When an uploader ends: after so long, or so many files. */
    private record Until(Duration time, long files) {
        static Until after(Duration time) {
            return new Until(time, Long.MAX_VALUE);
        }
    }

    /** Of one uploader: how long each file took. */
    private record Uploads(long[] nanos, long busyNanos) {}

    private static final EpochLimits ONE_FILE = new EpochLimits(1, Long.MAX_VALUE, Duration.ofHours(1));

    /** Beyond it a run tells more of the pool than of the files. */
    private static final double MOST_ASIDE = 0.75;

    /** Bursts until a pool that sizes itself knows them; of slow ones fewer. */
    private static final int WARM_BURSTS = 4;

    private static final int MOST_WARMUPS = 10;

    private final Duration warmup;
    private final Duration measured;

    UploadRun(Duration warmup, Duration measured) {
        this.warmup = warmup;
        this.measured = measured;
    }

    Outcome run(Case of) throws InterruptedException, ExecutionException {
        int uploaders = of.arrival().uploaders();
        ExecutorService threads = Executors.newFixedThreadPool(uploaders);
        try (KeyPregenerator pregenerator = new KeyPregenerator(of.pool().settings(), System::nanoTime);
                KeyEpochs epochs = new KeyEpochs(of.keys().wrapping(), ONE_FILE, System::nanoTime, pregenerator)) {
            AtomicLong next = new AtomicLong();
            if (of.arrival() == Arrival.BURSTY) {
                upload(
                        threads,
                        of,
                        () -> uploads(
                                of,
                                epochs,
                                next,
                                new Until(warmup.multipliedBy(MOST_WARMUPS), WARM_BURSTS * Arrival.BURST_FILES)));
            }
            upload(threads, of, () -> uploads(of, epochs, next, Until.after(warmup)));
            long openedBefore = epochs.openedEpochs();
            long dryBefore = pregenerator.dryTakes();
            int readyBefore = pregenerator.pooledKeys();
            List<Uploads> uploads = upload(threads, of, () -> uploads(of, epochs, next, Until.after(measured)));
            int more = pregenerator.pooledKeys() - readyBefore;
            long opened = epochs.openedEpochs() - openedBefore;
            long dry = of.pool().equals(PoolChoice.OFF) ? opened : pregenerator.dryTakes() - dryBefore;
            double lasting = of.arrival() == Arrival.BURSTY
                    ? 1
                    : lasting(more * of.keys().cpuNanos());
            return outcome(of, uploads, lasting, (double) dry / Math.max(1, opened));
        } finally {
            threads.shutdown();
        }
    }

    /** By how much the rate would have been higher without this work, which was not for the files. */
    private double lasting(double cpuNanos) {
        double share = cpuNanos / Runtime.getRuntime().availableProcessors() / measured.toNanos();
        return 1 / (1 - Math.min(share, MOST_ASIDE));
    }

    private static List<Uploads> upload(ExecutorService threads, Case of, Callable<Uploads> uploader)
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

    private static Uploads uploads(Case of, KeyEpochs epochs, AtomicLong next, Until until) {
        byte[] buffer = new byte[FileMix.LARGEST + ContentCipher.TAG_LENGTH];
        long[] nanos = new long[1 << 10];
        int files = 0;
        long busy = 0;
        try (ContentCipher cipher = new ContentCipher()) {
            long end = System.nanoTime() + until.time().toNanos();
            long now = System.nanoTime();
            while (now < end && files < until.files()) {
                encrypt(cipher, epochs, buffer, of.mix().size(next.getAndIncrement()));
                long after = System.nanoTime();
                if (files == nanos.length) {
                    nanos = Arrays.copyOf(nanos, 2 * nanos.length);
                }
                nanos[files++] = after - now;
                busy += after - now;
                if (of.arrival() == Arrival.BURSTY && files % Arrival.BURST_FILES == 0) {
                    LockSupport.parkNanos(Arrival.PAUSE_NANOS);
                }
                now = System.nanoTime();
            }
        }
        return new Uploads(Arrays.copyOf(nanos, files), busy);
    }

    private static void encrypt(ContentCipher cipher, KeyEpochs epochs, byte[] buffer, int size) {
        try (KeyUse use = epochs.next(size)) {
            if (use == null) {
                throw new IllegalStateException("upload: no key after close");
            }
            cipher.encrypt(use, buffer, 0, size);
        }
    }

    private static Outcome outcome(Case of, List<Uploads> uploads, double lasting, double dryShare) {
        double rate = uploads.stream()
                .mapToDouble(one -> one.nanos().length * 1e9 / Math.max(1, one.busyNanos()))
                .sum();
        long[] sorted = uploads.stream()
                .flatMapToLong(one -> Arrays.stream(one.nanos()))
                .sorted()
                .toArray();
        return new Outcome(of, lasting * rate, at(sorted, 0.50), at(sorted, 0.99), dryShare);
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e3;
    }
}
