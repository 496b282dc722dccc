/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.PreparedKey;

/**
 * Generates data keys and wraps them for their recipients ahead of need, so that no message waits for an asymmetric
 * operation. All {@link KeyEpochs} of a broker or client share one. Its daemon threads start at the first need.
 * Thread-safe.
 */
public final class KeyPregenerator implements AutoCloseable {
    private static final long TEND_NANOS = PoolThreads.PATIENCE_NANOS;

    /** The most heap of all pools with a learnt size, in bytes. */
    private static final long MOST_BYTES = 32L << 20;

    /** The divisors of the heap that limit the pools with a learnt size and those with a configured size. */
    private static final int HEAP_SHARE = 16;

    private static final int LARGER_HEAP_SHARE = 4;

    private final PregenerationSettings settings;
    private final long mostBytes;
    private final Clocks clocks;
    private final CryptoProviders providers;
    private final LongAdder keyWaits = new LongAdder();
    private final LongAdder begunKeys = new LongAdder();
    private final Set<KeyPool> pools = ConcurrentHashMap.newKeySet();
    private final PoolThreads threads;
    private final AtomicLong heldBytes = new AtomicLong();
    private volatile boolean closed;
    private volatile long tendedAt;

    /**
     * Creates a pregenerator without keys.
     *
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public KeyPregenerator(PregenerationSettings settings, LongSupplier nanoTime, CryptoProviders providers) {
        this(settings, new Clocks(nanoTime, cpuTimeOfThread(), null), providers);
    }

    KeyPregenerator(PregenerationSettings settings, Clocks clocks, CryptoProviders providers) {
        this.settings = settings;
        this.clocks = clocks;
        this.providers = providers;
        this.tendedAt = now();
        this.mostBytes = mostBytes(settings);
        this.threads = new PoolThreads(settings.threads().orElse(KeyGenerators.MOST), this::tendNowAndThen);
    }

    /**
     * Creates a pregenerator with the clocks of this machine. After a jump of the wall clock it uses no earlier key. A
     * machine that continues from a snapshot has such a jump.
     */
    public static KeyPregenerator onThisMachine(PregenerationSettings settings, CryptoProviders providers) {
        return new KeyPregenerator(
                settings, new Clocks(System::nanoTime, cpuTimeOfThread(), ClockJumpDetector.ofMachine()), providers);
    }

    /**
     * The clocks of a pregenerator, in nanoseconds.
     *
     * @param watch detects jumps of the wall clock, or null to ignore them
     */
    record Clocks(
            LongSupplier nanoTime,
            LongSupplier cpuTime,
            @Nullable ClockJumpDetector watch) {}

    /** Returns a clock of the thread's CPU time in nanoseconds, or the monotonic clock if there is none. */
    private static LongSupplier cpuTimeOfThread() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
                ? threads::getCurrentThreadCpuTime
                : System::nanoTime;
    }

    /** Returns the providers of the keys. */
    public CryptoProviders providers() {
        return providers;
    }

    Moment moment(long now) {
        return new Moment(now, jumps(now));
    }

    long jumps(long now) {
        ClockJumpDetector watch = clocks.watch();
        return watch == null ? 0 : watch.jumps(now);
    }

    private static long mostBytes(PregenerationSettings settings) {
        long heap = Runtime.getRuntime().maxMemory();
        return settings.capacity().isPresent() ? heap / LARGER_HEAP_SHARE : Math.min(MOST_BYTES, heap / HEAP_SHARE);
    }

    /** Returns the number of messages that waited for a key because none was ready. */
    public long keyWaits() {
        return keyWaits.sum();
    }

    /** Returns the number of data keys that messages began to use. */
    public long begunKeys() {
        return begunKeys.sum();
    }

    /** Returns the number of ready keys in all pools. */
    public int pooledKeys() {
        return pools.stream().mapToInt(KeyPool::size).sum();
    }

    /** Returns the number of threads that generate keys or wait for work. */
    public int threads() {
        return threads.count();
    }

    /**
     * Creates a pool for these keys. Returns null if the settings generate no key in advance.
     *
     * @param source generates a key; returns null after its close
     */
    @Nullable
    KeyPool pool(Supplier<@Nullable PreparedKey> source, long ageNanos) {
        if (settings.capacity().orElse(PoolSize.FIRST) == 0) {
            return null;
        }
        KeyPool pool = new KeyPool(this, source, new KeyPool.Sizing(size(), generators(), ageNanos));
        pools.add(pool);
        if (closed) {
            pool.close();
        }
        return pool;
    }

    private PoolSize size() {
        return settings.capacity().isPresent()
                ? PoolSize.fixed(settings.capacity().getAsInt())
                : PoolSize.learning(now());
    }

    private KeyGenerators generators() {
        return settings.threads().isPresent()
                ? KeyGenerators.fixed(settings.threads().getAsInt())
                : KeyGenerators.learning(Runtime.getRuntime().availableProcessors(), now());
    }

    void remove(KeyPool pool) {
        pools.remove(pool);
    }

    long now() {
        return clocks.nanoTime().getAsLong();
    }

    /** Returns the CPU time of the calling thread in nanoseconds. */
    long cpu() {
        return clocks.cpuTime().getAsLong();
    }

    void countKeyWait() {
        keyWaits.increment();
    }

    void countBegunKey() {
        begunKeys.increment();
    }

    void hold(PreparedKey key) {
        heldBytes.addAndGet(key.bytes());
    }

    void release(PreparedKey key) {
        heldBytes.addAndGet(-key.bytes());
    }

    boolean hasMemory() {
        return heldBytes.get() < mostBytes;
    }

    void ask(Runnable filling) {
        threads.ask(filling);
    }

    boolean isBehind() {
        return threads.isBehind();
    }

    private void tendNowAndThen() {
        long now = now();
        if (now - tendedAt >= TEND_NANOS) {
            tendedAt = now; // two threads at once do no harm
            tend();
        }
    }

    /** Removes keys that are too old or not needed, and threads that are not needed. */
    void tend() {
        pools.forEach(KeyPool::tend);
        threads.dismissIdle();
    }

    /** Stops the threads and wipes all keys. Later callers generate their own. A second call has no effect. */
    @Override
    public void close() {
        closed = true;
        threads.close();
        pools.forEach(KeyPool::close);
    }
}
