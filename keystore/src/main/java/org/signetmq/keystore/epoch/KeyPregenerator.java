/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.PreparedKey;

/**
 * Makes data keys and wraps them for their recipients ahead of need, so that no message waits for an asymmetric
 * operation. One per broker or client, shared by all its {@link KeyEpochs}; its daemon threads begin with the first
 * need. Thread-safe.
 */
public final class KeyPregenerator implements AutoCloseable {
    private static final long TEND_NANOS = PoolThreads.PATIENCE_NANOS;

    /** What all pools that size themselves hold together, in bytes. */
    private static final long MOST_BYTES = 32L << 20;

    /** And at most this share of the heap; pools of a set size may take a larger one. */
    private static final int HEAP_SHARE = 16;

    private static final int LARGER_HEAP_SHARE = 4;

    private final PregenerationSettings settings;
    private final long mostBytes;
    private final LongSupplier nanoTime;
    private final LongSupplier cpuTime;
    private final @Nullable ClockWatch clockWatch;
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
    public KeyPregenerator(PregenerationSettings settings, LongSupplier nanoTime) {
        this(settings, nanoTime, CpuTime.ofThread());
    }

    KeyPregenerator(PregenerationSettings settings, LongSupplier nanoTime, LongSupplier cpuTime) {
        this(settings, nanoTime, cpuTime, null);
    }

    KeyPregenerator(
            PregenerationSettings settings,
            LongSupplier nanoTime,
            LongSupplier cpuTime,
            @Nullable ClockWatch clockWatch) {
        this.settings = settings;
        this.clockWatch = clockWatch;
        this.nanoTime = nanoTime;
        this.cpuTime = cpuTime;
        this.tendedAt = nanoTime.getAsLong();
        this.mostBytes = mostBytes(settings);
        this.threads = new PoolThreads(settings.threads().orElse(Makers.MOST), this::tendNowAndThen);
    }

    /**
     * A pregenerator by the clocks of this machine. When the wall clock jumps, as it does when a machine goes on from a
     * snapshot, no key from before is used any more.
     */
    public static KeyPregenerator onThisMachine(PregenerationSettings settings) {
        return new KeyPregenerator(settings, System::nanoTime, CpuTime.ofThread(), ClockWatch.ofMachine());
    }

    /** How many times the wall clock jumped. */
    long jumps(long now) {
        return clockWatch == null ? 0 : clockWatch.jumps(now);
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
        KeyPool pool = new KeyPool(this, source, new KeyPool.Sizing(size(), makers(), ageNanos));
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

    private Makers makers() {
        return settings.threads().isPresent()
                ? Makers.fixed(settings.threads().getAsInt())
                : Makers.learning(Runtime.getRuntime().availableProcessors(), now());
    }

    void remove(KeyPool pool) {
        pools.remove(pool);
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** What the calling thread had of a core so far. */
    long cpu() {
        return cpuTime.getAsLong();
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

    /** Has this done by one of the threads, soon. Never waits. */
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

    /** Stops the threads and wipes all keys; whoever needs a key afterwards makes it. Harmless when repeated. */
    @Override
    public void close() {
        closed = true;
        threads.close();
        pools.forEach(KeyPool::close);
    }
}
