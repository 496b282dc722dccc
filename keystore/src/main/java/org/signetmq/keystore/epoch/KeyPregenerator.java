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
 * Makes data keys and wraps them for their recipients ahead of need, so that no message waits for an asymmetric
 * operation. One per broker or client, shared by all its {@link KeyEpochs}; its daemon threads begin with the first
 * need. Thread-safe.
 */
public final class KeyPregenerator implements AutoCloseable {
    private static final long TEND_NANOS = PoolThreads.PATIENCE_NANOS;

    /** The bytes of all pools that size themselves. */
    private static final long MOST_BYTES = 32L << 20;

    /** And at most this share of the heap; pools of a set size may take a larger one. */
    private static final int HEAP_SHARE = 16;

    private static final int LARGER_HEAP_SHARE = 4;

    private final PregenerationSettings settings;
    private final long mostBytes;
    private final Clocks clocks;
    private final CryptoProviders providers;
    private final LongAdder dryTakes = new LongAdder();
    private final Set<KeyPool> pools = ConcurrentHashMap.newKeySet();
    private final PoolThreads threads;
    private final AtomicLong heldBytes = new AtomicLong();
    private volatile boolean closed;
    private volatile long tendedAt;

    /**
     * A pregenerator with no keys yet.
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
     * A pregenerator by the clocks of this machine. When the wall clock jumps, as it does when a machine goes on from a
     * snapshot, no key from before is used any more.
     */
    public static KeyPregenerator onThisMachine(PregenerationSettings settings, CryptoProviders providers) {
        return new KeyPregenerator(
                settings, new Clocks(System::nanoTime, cpuTimeOfThread(), ClockJumpDetector.ofMachine()), providers);
    }

    /**
     * The clocks of a pregenerator, in nanoseconds.
     *
     * @param watch notices jumps of the wall clock, or null to ignore them
     */
    record Clocks(
            LongSupplier nanoTime,
            LongSupplier cpuTime,
            @Nullable ClockJumpDetector watch) {}

    /** In nanoseconds, of the calling thread. Where a machine does not tell it, a thread counts as never waiting. */
    private static LongSupplier cpuTimeOfThread() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
                ? threads::getCurrentThreadCpuTime
                : System::nanoTime;
    }

    /** The providers of the keys. */
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

    /** How often a key was needed and none was ready: then the message waited until it was made. */
    public long dryTakes() {
        return dryTakes.sum();
    }

    /** How many keys are ready, over all pools. */
    public int pooledKeys() {
        return pools.stream().mapToInt(KeyPool::size).sum();
    }

    /** How many threads make keys, or wait to. */
    public int threads() {
        return threads.count();
    }

    /**
     * A pool for these keys, or null if making them ahead is off.
     *
     * @param source makes a key; gives null when none is wanted any more
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

    /** The calling thread's time on a core so far. */
    long cpu() {
        return clocks.cpuTime().getAsLong();
    }

    void countDryTake() {
        dryTakes.increment();
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
            tendedAt = now; // twice at once does no harm
            tend();
        }
    }

    /** Drops keys that are too old or more than needed, and threads that are. */
    void tend() {
        pools.forEach(KeyPool::tend);
        threads.dismissIdle();
    }

    /** Stops the threads and wipes all keys. Later callers make their own. Harmless when repeated. */
    @Override
    public void close() {
        closed = true;
        threads.close();
        pools.forEach(KeyPool::close);
    }
}
