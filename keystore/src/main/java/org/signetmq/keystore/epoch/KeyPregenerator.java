/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.crypto.PreparedKey;
import org.signetmq.keystore.epoch.ClockJumpDetector.Moment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates data keys and wraps them for their recipients ahead of need, so that no message waits for an asymmetric
 * operation. All {@link KeyEpochs} of a broker or client share one. Its daemon threads start at the first need, and end
 * after ten seconds without one. One stays, and removes keys that become too old. Thread-safe.
 */
public final class KeyPregenerator implements AutoCloseable {
    /** The keys for each policy without a number in the settings. A burst of half of them ends before the refill. */
    static final int CAPACITY = 400;

    private static final Logger LOG = LoggerFactory.getLogger(KeyPregenerator.class);
    private static final long IDLE_SECONDS = 10;

    /** The most heap of all pools, if the settings have no number of keys, in bytes. */
    private static final long MOST_BYTES = 32L << 20;

    /** The divisors of the heap that limit the pools without and with a configured number of keys. */
    private static final int HEAP_SHARE = 16;

    private static final int LARGER_HEAP_SHARE = 4;

    private final PregenerationSettings settings;
    private final LongSupplier nanoTime;
    private final @Nullable ClockJumpDetector watch;
    private final CryptoProviders providers;
    private final int mostThreads;
    private final long mostBytes;
    private final LongAdder keyWaits = new LongAdder();
    private final LongAdder begunKeys = new LongAdder();
    private final Set<KeyPool> pools = ConcurrentHashMap.newKeySet();
    private final AtomicLong heldBytes = new AtomicLong();
    private final ScheduledThreadPoolExecutor threads;
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicBoolean tending = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Creates a pregenerator without keys.
     *
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public KeyPregenerator(PregenerationSettings settings, LongSupplier nanoTime, CryptoProviders providers) {
        this(settings, nanoTime, null, providers);
    }

    /** @param watch detects jumps of the wall clock, or null to ignore them */
    KeyPregenerator(
            PregenerationSettings settings,
            LongSupplier nanoTime,
            @Nullable ClockJumpDetector watch,
            CryptoProviders providers) {
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.watch = watch;
        this.providers = providers;
        long heap = Runtime.getRuntime().maxMemory();
        this.mostBytes =
                settings.capacity().isPresent() ? heap / LARGER_HEAP_SHARE : Math.min(MOST_BYTES, heap / HEAP_SHARE);
        int cores = Runtime.getRuntime().availableProcessors();
        this.mostThreads = settings.threads().orElse(Math.min(cores, PregenerationSettings.MOST_THREADS));
        this.threads = new ScheduledThreadPoolExecutor(
                mostThreads, KeyPregenerator::daemon, new ThreadPoolExecutor.DiscardPolicy());
        threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates a pregenerator with the clocks of this machine. After a jump of the wall clock it uses no earlier key. A
     * machine that continues from a snapshot has such a jump.
     */
    public static KeyPregenerator onThisMachine(PregenerationSettings settings, CryptoProviders providers) {
        return new KeyPregenerator(settings, System::nanoTime, ClockJumpDetector.ofMachine(), providers);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "signet-key-pregenerator");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the providers of the keys. */
    public CryptoProviders providers() {
        return providers;
    }

    Moment moment(long now) {
        return new Moment(now, jumps(now));
    }

    long jumps(long now) {
        return watch == null ? 0 : watch.jumps(now);
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
        return threads.getPoolSize();
    }

    /**
     * Creates a pool for these keys. Returns null if the settings generate no key in advance.
     *
     * @param source generates a key; returns null after its close
     */
    @Nullable
    KeyPool pool(Supplier<@Nullable PreparedKey> source, long ageNanos) {
        if (capacity(false) == 0) {
            return null;
        }
        KeyPool pool = new KeyPool(this, source, ageNanos);
        pools.add(pool);
        if (closed) {
            pool.close();
        }
        return pool;
    }

    void remove(KeyPool pool) {
        pools.remove(pool);
    }

    /**
     * Returns the number of keys in a pool.
     *
     * @param idle whether no message took one for the life of a key; then a pool without a configured number has few
     */
    int capacity(boolean idle) {
        return settings.capacity().orElse(idle ? KeyPool.FIRST : CAPACITY);
    }

    long now() {
        return nanoTime.getAsLong();
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

    /** Runs the work on one of the threads. It does not wait. */
    void ask(Runnable work) {
        unfinished.incrementAndGet();
        try {
            threads.execute(() -> {
                attempt(work);
                unfinished.decrementAndGet();
            });
            if (tending.compareAndSet(false, true)) {
                threads.scheduleWithFixedDelay(() -> attempt(this::tend), IDLE_SECONDS, IDLE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (OutOfMemoryError noMoreThreads) { // the work waits for a thread that is there
            LOG.warn("key-pregenerator: the system gives no more threads, {} go on", threads());
        }
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error failed) {
            // The thread must go on. The next message reports the failure of its own attempt.
            LOG.debug("key-pregenerator: a key could not be made", failed);
        }
    }

    /** Tells whether work waits for a thread. */
    boolean isBehind() {
        return unfinished.get() > mostThreads;
    }

    /** Removes keys that are too old. */
    void tend() {
        pools.forEach(KeyPool::tend);
    }

    /** Stops the threads and wipes all keys. Later callers generate their own. A second call has no effect. */
    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        pools.forEach(KeyPool::close);
    }
}
