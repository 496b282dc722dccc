/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import com.sun.management.OperatingSystemMXBean;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.perf.experiment.Operation.ProducerAndRecipients;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.process.Runner.Contender;
import org.signetmq.perf.result.Row;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/**
 * Reads files and digests or seals them: in the published loop, in the published pipeline, and in Signet's own way, by
 * the code of {@code signet message seal}. Throttled runs imitate the published disk and processor. The others read
 * files that are not in memory, if the system lets them be dropped from there.
 */
public final class DigestRun implements AutoCloseable {
    /** The published lengths of blocks: two of them are multiples of a page, and one is not. */
    public static final List<Integer> BLOCKS = List.of(4096, 8192, 10_000, 1 << 20);
    /** The published number of buffers of a pipeline. */
    private static final int BUFFERS = 5;

    private static final int FILES = 4;
    /** The rate of the published disk in bytes per second: blocks of 1 MiB read in the loop. */
    private static final double READ_RATE = 97.8e6;
    /** The rate of the published digest in bytes per second, for blocks of 1 MiB. */
    private static final double WORK_RATE = 72e6;
    /** The bytes that Linux reads ahead by default: so much comes from the disk while a thread works. */
    private static final long READ_AHEAD = 128 << 10;
    /** The bytes that late wake-ups of a thread may cost; a processor cannot work ahead. */
    private static final long LATENESS = 32 << 10;

    private static final String ADDRESS = "digest";
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Path folder;
    private final int length;
    private final List<Path> files = new ArrayList<>();
    private final Sealer sealer;
    private final Identity identity;
    private final Thread atExit = new Thread(this::delete, "signet-perf-clean-up");

    /** The work that is compared: the published one, and the one that hides contents. */
    enum Kind {
        SHA_256,
        AES_256_GCM
    }

    /** Writes files of this length into a new folder of this parent. */
    public DigestRun(Path parent, int length) throws IOException {
        this.folder = Files.createTempDirectory(parent, "signet-perf-"); // mode 0700
        this.length = length;
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            byte[] content = new byte[length];
            for (int i = 0; i < FILES; i++) {
                new SplittableRandom(i).nextBytes(content);
                Path file = folder.resolve("data-" + i);
                try (FileOutputStream out = new FileOutputStream(file.toFile())) {
                    out.write(content);
                    out.getFD().sync(); // a page that is not on the disk cannot leave the memory
                }
                files.add(file);
            }
            Home home = new Home(folder.resolve("home"));
            identity =
                    ProducerAndRecipients.identity(home, ADDRESS, KeyKind.P256).get(0);
            sealer = Sealer.create(
                    home.recipientDirectory(), home.certificateTrust(), Clock.systemUTC(), PregenerationSettings.OFF);
        } catch (IOException | RuntimeException e) {
            delete();
            throw e;
        }
    }

    /** Measures all ways. */
    public void measure(Runner runner) throws IOException, InterruptedException {
        forget();
        if (isInMemory(files.get(0))) {
            runner.say("warning: files in " + folder.getParent()
                    + " stay in memory, so the figures of reading are not those of a disk");
        }
        for (boolean throttled : List.of(true, false)) {
            for (Kind kind : runner.isQuick() && throttled ? List.of(Kind.SHA_256) : List.of(Kind.values())) {
                String label = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
                for (int block : BLOCKS) {
                    Row names = Row.of("part", label + (throttled ? " throttled" : ""))
                            .with("size", block);
                    Way loop = Way.loop(block);
                    Way pipeline = Way.pipeline(block, BUFFERS);
                    Way signet = signet(kind == Kind.AES_256_GCM);
                    List<Run> ways = List.of(
                            new Run(this, "loop", loop, loop, true, kind, throttled, block),
                            new Run(this, "pipeline", pipeline, pipeline, true, kind, throttled, block),
                            new Run(
                                    this,
                                    "signet",
                                    signet(false),
                                    signet,
                                    kind == Kind.SHA_256,
                                    kind,
                                    throttled,
                                    block));
                    for (Row row : runner.turns(names, ways, runner.isQuick() ? 3 : 5)) {
                        runner.add(row);
                    }
                }
            }
        }
    }

    /**
     * A way in a setting.
     *
     * @param of the files
     * @param reading the way if it only reads
     * @param working the way if there is work
     * @param hasWork whether the way leaves the work to its caller
     */
    private record Run(
            DigestRun of,
            String name,
            Way reading,
            Way working,
            boolean hasWork,
            Kind kind,
            boolean throttled,
            int blockSize)
            implements Contender {
        @Override
        public void prepare() throws Exception {
            if (!throttled) { // throttled, the same code runs
                block();
            }
        }

        @Override
        public Row block() throws Exception {
            Way.Work work = hasWork ? work(kind, blockSize) : (bytes, offset, count) -> {};
            double read = megabytes(true, reading, (bytes, offset, count) -> {});
            double alone = megabytes(false, working, within(work));
            long cpu = SYSTEM.getProcessCpuTime();
            double both = megabytes(true, working, within(work));
            double seconds = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
            return Row.of("rate", both)
                    .with("read_rate", read)
                    .with("work_rate", alone)
                    .with("of_least", both / Math.min(read, alone))
                    .with("of_work", both / alone)
                    .with("cpu_s_per_gb", seconds / used().size() / of.length * 1e9);
        }

        private Way.Work within(Way.Work work) {
            if (!throttled || !hasWork) {
                return work;
            }
            Throttle limit = new Throttle(WORK_RATE, LATENESS);
            return (bytes, offset, count) -> {
                work.on(bytes, offset, count);
                limit.accept(count);
            };
        }

        /** Returns the files of a run: throttled, one takes long enough to be measured. */
        private List<Path> used() {
            return of.files.subList(0, throttled ? 1 : FILES);
        }

        /** Returns megabytes a second, from files or from memory. */
        private double megabytes(boolean fromFiles, Way way, Way.Work work) throws IOException, InterruptedException {
            if (fromFiles && !throttled) {
                of.forget();
            }
            LongConsumer limit = fromFiles && throttled ? new Throttle(READ_RATE, READ_AHEAD) : count -> {};
            long start = System.nanoTime();
            for (Path file : used()) {
                try (InputStream in =
                        fromFiles ? Channels.newInputStream(FileChannel.open(file)) : inMemory(of.length)) {
                    way.run(new Blocks(in, blockSize, limit), work);
                }
            }
            return (double) used().size() * of.length * 1e3 / (System.nanoTime() - start);
        }
    }

    /** A stream that reads one block at most at a time, within a limit on the rate. */
    private static final class Blocks extends FilterInputStream {
        private final int block;
        private final LongConsumer limit;

        Blocks(InputStream in, int block, LongConsumer limit) {
            super(in);
            this.block = block;
            this.limit = limit;
        }

        @Override
        public int read(byte[] bytes, int offset, int wanted) throws IOException {
            int read = in.read(bytes, offset, Math.min(wanted, block));
            if (read > 0) {
                limit.accept(read);
            }
            return read;
        }
    }

    /** Returns a stream of this many bytes that are in each array already: it costs nothing to read. */
    private static InputStream inMemory(long length) {
        return new InputStream() {
            private long left = length;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] bytes, int offset, int wanted) {
                int read = (int) Math.min(wanted, left);
                left -= read;
                return read == 0 && wanted > 0 ? -1 : read;
            }
        };
    }

    /** Returns work on blocks of this length, by the algorithms that the product would choose. */
    private static Way.Work work(Kind kind, int block) {
        if (kind == Kind.SHA_256) {
            return CryptoProviders.digest("SHA-256")::update;
        }
        CryptoProviders providers = CryptoProviders.standard();
        Cipher cipher = block < ContentCipher.BULK_LENGTH ? providers.aesGcm() : providers.aesGcmInBulk();
        byte[] secret = new byte[32];
        providers.random().nextBytes(secret);
        SecretKeySpec key = new SecretKeySpec(secret, "AES");
        ByteBuffer nonce = ByteBuffer.allocate(12);
        byte[] sealed = new byte[block + ContentCipher.TAG_LENGTH];
        return (bytes, offset, count) -> {
            nonce.putLong(4, nonce.getLong(4) + 1);
            try {
                cipher.init(
                        Cipher.ENCRYPT_MODE,
                        key,
                        new GCMParameterSpec(ContentCipher.TAG_LENGTH * Byte.SIZE, nonce.array()));
                cipher.doFinal(bytes, offset, count, sealed, 0);
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException("encryption: rejected by its provider", impossible);
            }
        };
    }

    /**
     * Returns Signet's way: a thread reads segments of 1 MiB, two threads seal them, and the caller takes the
     * envelopes.
     */
    private Way signet(boolean sealed) {
        Policy policy = sealed
                ? Policy.confidentiality(ADDRESS, List.of(identity.name()), KeyLimits.DEFAULT)
                : new Policy(
                        ADDRESS,
                        QualityOfProtection.NONE,
                        Policy.Signing.DEFAULT,
                        Policy.Encryption.UNUSED,
                        Policy.Acceptance.DEFAULT);
        EffectivePolicy effective = PolicySet.of(1, UnmatchedAddress.PASS, List.of(policy))
                .find(ADDRESS)
                .orElseThrow();
        ClearMessage head = ClearMessage.of(ADDRESS, ClearMessage.Body.BYTES, new byte[0]);
        return (in, work) -> {
            try (SegmentSealer segments = sealer.segments(head, effective, identity, work::on)) {
                segments.transferFrom(in, written -> {});
            }
        };
    }

    /** Drops the files from the page cache of the system; other files stay there. Nothing happens without GNU dd. */
    private void forget() throws InterruptedException {
        for (Path file : files) {
            try {
                new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException noSuchProgram) {
                return;
            }
        }
    }

    private static boolean isInMemory(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(MapMode.READ_ONLY, 0, channel.size()).isLoaded();
        }
    }

    private synchronized void delete() {
        FileUtil.deleteDirectory(folder.toFile());
    }

    @Override
    public void close() {
        sealer.close();
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException stopping) {
            // the hook deletes it too
        }
    }

    /**
     * A limit on a rate: a bucket that fills with time until it is full. A thread that takes more than it holds waits
     * until the rest has come in. For one thread.
     */
    static final class Throttle implements LongConsumer {
        private final double nanosPerByte;
        private final long nanosToFill;
        private final LongSupplier nanoTime;
        private final LongConsumer sleep;
        private long paid; // the time at which the rate allows all bytes taken so far

        /** Creates an empty bucket of this capacity in bytes, which fills by this many bytes a second. */
        Throttle(double rate, long capacity, LongSupplier nanoTime, LongConsumer sleep) {
            this.nanosPerByte = 1e9 / rate;
            this.nanosToFill = Math.round(capacity * nanosPerByte);
            this.nanoTime = nanoTime;
            this.sleep = sleep;
            this.paid = nanoTime.getAsLong();
        }

        /** Creates a bucket that keeps real time. */
        Throttle(double rate, long capacity) {
            this(rate, capacity, System::nanoTime, Throttle::sleep);
        }

        /** Takes bytes, and returns when the rate allows them; at once if the thread is interrupted. */
        @Override
        public void accept(long bytes) {
            long now = nanoTime.getAsLong();
            long unused = Math.min(now - paid, nanosToFill);
            paid = now - unused + Math.round(bytes * nanosPerByte);
            if (paid - now > 0) {
                sleep.accept(paid - now);
            }
        }

        private static void sleep(long nanos) {
            long end = System.nanoTime() + nanos;
            for (long left = nanos;
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    /** A way to read a stream and to work on its bytes in their order. For one run at a time. */
    @FunctionalInterface
    interface Way {
        /** The work on bytes that were read. */
        @FunctionalInterface
        interface Work {
            void on(byte[] bytes, int offset, int length);
        }

        /** Runs until the stream ends. All threads of the run have ended when it returns or throws. */
        void run(InputStream in, Way.Work work) throws IOException, InterruptedException;

        /** Returns the published loop: one thread reads a block and works on it by turns. */
        static Way loop(int block) {
            byte[] bytes = new byte[block];
            return (in, work) -> {
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    work.on(bytes, 0, read);
                }
            };
        }

        /**
         * Returns the published pipeline: a thread fills buffers that are made once, the caller works on them, and two
         * queues carry the buffers there and back.
         */
        static Way pipeline(int block, int buffers) {
            record Filled(byte[] bytes, int length) {}
            return (in, work) -> {
                BlockingQueue<byte[]> empty = new LinkedBlockingQueue<>();
                BlockingQueue<Filled> filled = new LinkedBlockingQueue<>();
                for (int i = 0; i < buffers; i++) {
                    empty.add(new byte[block]);
                }
                Throwable[] failure = new Throwable[1]; // is written before the end is handed over
                Thread reader = new Thread(
                        () -> {
                            try {
                                byte[] buffer = empty.take();
                                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                                    filled.add(new Filled(buffer, read));
                                    buffer = empty.take();
                                }
                            } catch (IOException | InterruptedException | RuntimeException e) { // the caller throws it
                                failure[0] = e;
                            }
                            filled.add(new Filled(new byte[0], -1));
                        },
                        "signet-perf-read");
                reader.setDaemon(true);
                reader.start();
                try {
                    for (Filled next = filled.take(); next.length >= 0; next = filled.take()) {
                        work.on(next.bytes, 0, next.length);
                        empty.add(next.bytes);
                    }
                } finally {
                    reader.interrupt();
                    reader.join();
                }
                if (failure[0] != null) {
                    throw new IOException(failure[0].getMessage(), failure[0]);
                }
            };
        }
    }
}
