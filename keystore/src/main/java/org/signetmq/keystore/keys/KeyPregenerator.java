/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
import org.signetmq.keystore.keys.KeyWrapping.PreparedKey;
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

    /** The longest time of a key in a pool. So a snapshot of the machine's memory has few keys. */
    static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** The keys that each pool may have, so that one busy policy does not empty the pools of the others. */
    static final int FIRST = 2;

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
    final LongAdder keyWaits = new LongAdder();
    final LongAdder begunKeys = new LongAdder();
    private final Set<KeyPool> pools = ConcurrentHashMap.newKeySet();
    private final AtomicLong heldBytes = new AtomicLong();
    private final ScheduledThreadPoolExecutor threads;
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicBoolean tending = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * A point in time.
     *
     * @param nanos the time of the monotonic clock in nanoseconds
     * @param jumps the number of jumps of the wall clock until then
     */
    record Moment(long nanos, long jumps) {}

    /**
     * A key in a pool.
     *
     * @param since the time when the key came into the pool, in nanoseconds
     * @param jumps the number of jumps of the clock when its generation began
     */
    record PooledKey(PreparedKey key, long since, long jumps) {
        boolean isFresh(Moment now, long ageNanos) {
            return now.nanos() - since < ageNanos && now.jumps() == jumps;
        }
    }

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
                mostThreads, new DaemonThreads("signet-key-pregenerator"), new ThreadPoolExecutor.DiscardPolicy());
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
        if (settings.capacity().orElse(CAPACITY) == 0) {
            return null;
        }
        KeyPool pool = new KeyPool(source, ageNanos);
        pools.add(pool);
        if (closed) {
            pool.close();
        }
        return pool;
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** Runs the work on one of the threads. It does not wait. */
    private void ask(Runnable work) {
        unfinished.incrementAndGet();
        try {
            threads.execute(() -> {
                attempt(work);
                unfinished.decrementAndGet();
            });
            if (tending.compareAndSet(false, true)) {
                var unused = threads.scheduleWithFixedDelay(
                        () -> attempt(this::tend), IDLE_SECONDS, IDLE_SECONDS, TimeUnit.SECONDS);
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

    /**
     * A queue of keys for one {@link KeyEpochs}, the oldest first. No caller waits for a key. It is filled after the
     * first message, and again when half of its keys are gone. Thread-safe.
     */
    final class KeyPool implements AutoCloseable {
        private final Supplier<@Nullable PreparedKey> source;
        private final long ageNanos;
        private final boolean replacesOld;
        private final Runnable filling = this::fill;

        // All guarded by this.
        private final ArrayDeque<PooledKey> keys = new ArrayDeque<>();
        private long usedAt;
        private boolean idle;
        private int making;
        private boolean failed;
        private boolean asked;
        private boolean closed;

        /**
         * Creates an empty pool.
         *
         * @param ageNanos the highest age of a key by its policy
         */
        private KeyPool(Supplier<@Nullable PreparedKey> source, long ageNanos) {
            this.source = source;
            this.ageNanos = Math.min(ageNanos, LIFE_NANOS);
            this.replacesOld = ageNanos > LIFE_NANOS;
        }

        /** Takes a key for a waiting message. Returns null, and counts it, if there is none. */
        @Nullable
        PooledKey take() {
            PooledKey taken = takeAhead();
            if (taken == null) {
                keyWaits.increment();
            }
            return taken;
        }

        /** Takes a key without a waiting message. Returns null if there is none. Other threads fill the pool again. */
        @Nullable
        PooledKey takeAhead() {
            PooledKey taken;
            boolean ask;
            List<PooledKey> old;
            synchronized (this) {
                if (closed) {
                    return null;
                }
                usedAt = now();
                idle = false;
                old = removeOld(moment(usedAt));
                failed = false; // the next attempt may succeed
                taken = keys.poll();
                ask = asksForMaker();
            }
            wipe(old);
            if (ask) {
                ask(filling);
            }
            if (taken != null) {
                heldBytes.addAndGet(-taken.key().bytes());
            }
            return taken;
        }

        /** Generates keys while there is room and no other pool waits. Threads of the pregenerator call it. */
        private void fill() {
            synchronized (this) {
                asked = false;
            }
            while (makeOne() && unfinished.get() <= mostThreads) {
                // the next one
            }
            boolean goesOnLater;
            synchronized (this) {
                goesOnLater = !asked && wantsMaker();
                asked |= goesOnLater;
            }
            if (goesOnLater) {
                ask(filling);
            }
        }

        private boolean makeOne() {
            boolean ask;
            synchronized (this) {
                if (!wantsMaker()) {
                    return false;
                }
                making++;
                ask = asksForMaker();
            }
            if (ask) {
                ask(filling);
            }
            PreparedKey made = null;
            Moment begun = moment(now());
            try {
                made = source.get();
            } finally {
                keep(made, begun);
            }
            return made != null;
        }

        private void keep(@Nullable PreparedKey made, Moment begun) {
            boolean kept = false;
            long now = now();
            synchronized (this) {
                making--;
                failed |= made == null; // until the next caller, which gets the exception from its own attempt
                if (made != null && !closed && keys.size() < capacity()) {
                    kept = true;
                    keys.add(new PooledKey(made, now, begun.jumps()));
                    heldBytes.addAndGet(made.bytes());
                }
            }
            if (made != null && !kept) {
                made.close();
            }
        }

        /** Without a configured number a pool has few keys while no message took one for the life of a key. */
        private int capacity() {
            return settings.capacity().orElse(idle ? FIRST : CAPACITY);
        }

        /** Tells whether to ask for a thread: few keys are left, and no thread was asked yet. */
        private boolean asksForMaker() {
            boolean ask = !asked && keys.size() + making <= capacity() / 2 && wantsMaker();
            asked |= ask;
            return ask;
        }

        private boolean wantsMaker() {
            int filled = keys.size() + making;
            return !closed && !failed && filled < capacity() && (filled < FIRST || heldBytes.get() < mostBytes);
        }

        /** Removes keys that are too old, and has others made in their place. */
        private void tend() {
            List<PooledKey> old;
            boolean ask;
            synchronized (this) {
                long now = now();
                idle = now - usedAt >= LIFE_NANOS;
                old = removeOld(moment(now));
                ask = !old.isEmpty() && replacesOld && asksForMaker(); // so that the next message need not wait
            }
            wipe(old);
            if (ask) {
                ask(filling);
            }
        }

        /**
         * Removes keys beyond their age, because their recipients were checked when they were wrapped. Also removes
         * keys that may be in the memory of another machine.
         */
        private List<PooledKey> removeOld(Moment now) {
            List<PooledKey> old = List.of();
            for (PooledKey eldest = keys.peek();
                    eldest != null && !eldest.isFresh(now, ageNanos);
                    eldest = keys.peek()) {
                old = old.isEmpty() ? new ArrayList<>() : old;
                old.add(keys.remove());
            }
            return old;
        }

        private synchronized int size() {
            return keys.size();
        }

        /** Wipes all keys, now or when their generation ends. A second call has no effect. */
        @Override
        public void close() {
            List<PooledKey> dropped;
            synchronized (this) {
                closed = true;
                dropped = new ArrayList<>(keys);
                keys.clear();
            }
            wipe(dropped);
            pools.remove(this);
        }

        private void wipe(List<PooledKey> dropped) {
            for (PooledKey each : dropped) {
                heldBytes.addAndGet(-each.key().bytes());
                each.key().close();
            }
        }
    }

    /**
     * Detects jumps of the wall clock against the monotonic clock. They occur when a machine continues from a snapshot
     * or after a pause. The keys in its memory may then also be in the memory of another machine. Thread-safe. It takes
     * a lock only after a change.
     */
    static final class ClockJumpDetector {
        /** The smallest difference that counts as a jump, in milliseconds. Usual corrections of a clock are smaller. */
        static final long JUMP_MILLIS = 5_000;

        /** The longest time between two comparisons, in nanoseconds, so that slow corrections do not add up. */
        private static final long FOLLOW_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final LongSupplier wallMillis;
        private volatile Seen seen;

        /** The number of jumps until a time of the monotonic clock, and the lead of the wall clock at that time. */
        private record Seen(long jumps, long aheadMillis, long nanos) {}

        ClockJumpDetector(LongSupplier wallMillis, long now) {
            this.wallMillis = wallMillis;
            this.seen = new Seen(0, ahead(now), now);
        }

        static ClockJumpDetector ofMachine() {
            return new ClockJumpDetector(System::currentTimeMillis, System.nanoTime());
        }

        /** Returns the number of jumps until now, a time of the monotonic clock in nanoseconds. */
        long jumps(long now) {
            Seen last = seen;
            long drift = Math.abs(ahead(now) - last.aheadMillis());
            return drift < JUMP_MILLIS && now - last.nanos() < FOLLOW_NANOS ? last.jumps() : look(now);
        }

        private synchronized long look(long now) {
            long ahead = ahead(now);
            boolean jumped = Math.abs(ahead - seen.aheadMillis()) >= JUMP_MILLIS;
            seen = new Seen(jumped ? seen.jumps() + 1 : seen.jumps(), ahead, now);
            return seen.jumps();
        }

        private long ahead(long now) {
            return wallMillis.getAsLong() - TimeUnit.NANOSECONDS.toMillis(now);
        }
    }
}
