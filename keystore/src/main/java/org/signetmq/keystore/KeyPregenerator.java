/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes data keys and wraps them for their recipients ahead of need, so that no message waits for an asymmetric
 * operation. One per broker or client, shared by all its {@link KeyEpochs}; its daemon threads begin with the first
 * need. Thread-safe.
 */
public final class KeyPregenerator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyPregenerator.class);
    private static final long TEND_SECONDS = 10;

    private final PregenerationSettings settings;
    private final LongSupplier nanoTime;
    private final LongAdder dryTakes = new LongAdder();
    private final Set<KeyPool> pools = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<KeyPool> toFill = new LinkedBlockingQueue<>(); // each pool at most once

    private final List<Thread> threads = new ArrayList<>(); // guarded by itself
    private volatile boolean closed; // written under threads
    private volatile boolean running; // written under threads
    private volatile long tendedAt;

    /**
     * A pregenerator with no keys yet.
     *
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public KeyPregenerator(PregenerationSettings settings, LongSupplier nanoTime) {
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.tendedAt = nanoTime.getAsLong();
    }

    /** How often a key was needed and none was ready: then the message waited for its own. */
    public long dryTakes() {
        return dryTakes.sum();
    }

    /** How many keys are ready, over all pools. */
    public int pooledKeys() {
        return pools.stream().mapToInt(KeyPool::size).sum();
    }

    /**
     * A pool for these keys, or null if making them ahead is off or would gain nothing.
     *
     * @param source makes a key; gives null when none is wanted any more
     */
    @Nullable
    KeyPool pool(Supplier<@Nullable PreparedKey> source, KeyWrapping wrapping, long ageNanos) {
        PoolSize size;
        if (settings.capacity().isPresent()) {
            size = PoolSize.fixed(settings.capacity().getAsInt());
            if (size.target() == 0) {
                return null;
            }
        } else if (wrapping.isCostly()) {
            size = PoolSize.learning();
        } else {
            return null;
        }
        KeyPool pool = new KeyPool(this, source, ageNanos, size);
        pools.add(pool);
        if (closed) {
            pool.close();
        }
        return pool;
    }

    void remove(KeyPool pool) {
        pools.remove(pool);
        toFill.remove(pool);
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    void countDryTake() {
        dryTakes.increment();
    }

    /** Has a key made for this pool, soon. Never waits. */
    void ask(KeyPool pool) {
        toFill.add(pool);
        if (!running) {
            start();
        }
    }

    private void start() {
        synchronized (threads) {
            if (closed || running) {
                return;
            }
            running = true;
            int count = settings.threadCount(Runtime.getRuntime().availableProcessors());
            for (int i = 1; i <= count; i++) {
                Thread thread = new Thread(this::work, "signet-key-pregenerator-" + i);
                thread.setDaemon(true);
                threads.add(thread);
                thread.start();
            }
        }
    }

    private void work() {
        while (!closed) {
            try {
                KeyPool pool = toFill.poll(TEND_SECONDS, TimeUnit.SECONDS);
                if (pool != null) {
                    pool.fillOne();
                }
                tendNowAndThen();
            } catch (InterruptedException stopIfClosed) {
                LOG.trace("key-pregenerator: interrupted"); // to stop, or by a wrapping that left the mark: no matter
            } catch (RuntimeException | Error failed) {
                // The next message's own attempt fails likewise, and reports it; the thread must live on.
                LOG.debug("key-pregenerator: a key could not be made", failed);
            }
        }
    }

    private void tendNowAndThen() {
        long now = nanoTime.getAsLong();
        if (now - tendedAt >= TimeUnit.SECONDS.toNanos(TEND_SECONDS)) {
            tendedAt = now; // twice at once does no harm
            tend();
        }
    }

    /** Drops keys that are too old, or more than needed. */
    void tend() {
        pools.forEach(KeyPool::tend);
    }

    /** Stops the threads and wipes all keys; whoever needs a key afterwards makes it. Harmless when repeated. */
    @Override
    public void close() {
        synchronized (threads) {
            closed = true;
            threads.forEach(Thread::interrupt);
        }
        pools.forEach(KeyPool::close);
        toFill.clear();
    }
}
