/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys unwrapped lately, so that messages under one data key cost one private-key operation between them. Bounded
 * by entries and idle time, least recently used first; an unwrap that several threads need happens once; evicted keys
 * are wiped when their last user is done. Failures are not kept. Thread-safe.
 *
 * @param <K> what names a key: immutable, with equals and hashCode
 */
public final class OpenedKeys<K> implements AutoCloseable {
    private final int capacity;
    private final long idleNanos;
    private final LongSupplier nanoTime;
    private final LongAdder unwraps = new LongAdder();

    private final Map<K, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // guarded by this
    private boolean closed; // guarded by this

    /**
     * An empty cache.
     *
     * @param capacity entries at most
     * @param idleNanos how long an entry may lie unused, in nanoseconds
     * @param nanoTime a monotonic clock, such as {@code System::nanoTime}
     */
    public OpenedKeys(int capacity, long idleNanos, LongSupplier nanoTime) {
        this.capacity = capacity;
        this.idleNanos = idleNanos;
        this.nanoTime = nanoTime;
    }

    /** A key in use. Close it when done. */
    public record Lease(DataKey key) implements AutoCloseable {
        @Override
        public void close() {
            key.release();
        }
    }

    /**
     * The key of this name, unwrapped now if it is not here.
     *
     * @param unwrap gives the key, or null if it cannot be unwrapped, or throws
     * @return null if unwrap gave null
     */
    public @Nullable Lease get(K name, Supplier<@Nullable DataKey> unwrap) {
        while (true) {
            Entry entry;
            boolean first = false;
            synchronized (this) {
                if (closed) {
                    throw new IllegalStateException("opened keys: used after close");
                }
                long now = nanoTime.getAsLong();
                entry = entries.get(name);
                if (entry == null) {
                    entry = new Entry(now);
                    entries.put(name, entry);
                    first = true;
                    evict(now);
                }
                entry.lastUse = now;
            }
            if (first) {
                fill(name, entry, unwrap);
            }
            DataKey key = entry.await();
            if (key == null) {
                return null;
            }
            if (key.acquire()) {
                return new Lease(key);
            }
            forget(name, entry); // evicted between look-up and use: unwrap again
        }
    }

    /** Drops the key of this name: it will not be needed again. */
    public synchronized void forget(K name) {
        Entry entry = entries.remove(name);
        if (entry != null) {
            entry.drop();
        }
    }

    /** How many keys were unwrapped so far. */
    public long unwraps() {
        return unwraps.sum();
    }

    /** How many keys are here. */
    public synchronized int size() {
        return entries.size();
    }

    private void fill(K name, Entry entry, Supplier<@Nullable DataKey> unwrap) {
        unwraps.increment();
        try {
            DataKey key = unwrap.get();
            if (key == null) {
                forget(name, entry);
            }
            entry.key.complete(key);
        } catch (RuntimeException | Error failed) {
            forget(name, entry);
            entry.key.completeExceptionally(failed);
        }
    }

    private synchronized void forget(K name, Entry entry) {
        entries.remove(name, entry);
    }

    private void evict(long now) {
        Iterator<Entry> eldestFirst = entries.values().iterator();
        while (eldestFirst.hasNext()) {
            Entry eldest = eldestFirst.next();
            if (entries.size() <= capacity && now - eldest.lastUse < idleNanos) {
                return;
            }
            eldestFirst.remove();
            eldest.drop();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            entries.values().forEach(Entry::drop);
            entries.clear();
        }
    }

    private static final class Entry {
        private final CompletableFuture<@Nullable DataKey> key = new CompletableFuture<>();
        private long lastUse;

        private Entry(long now) {
            this.lastUse = now;
        }

        private @Nullable DataKey await() {
            try {
                return key.join();
            } catch (CompletionException failed) {
                if (failed.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw failed;
            }
        }

        /** Wipes the key now, or as soon as it arrives. */
        private void drop() {
            var unused = key.thenAccept(arrived -> {
                if (arrived != null) {
                    arrived.close();
                }
            });
        }
    }
}
