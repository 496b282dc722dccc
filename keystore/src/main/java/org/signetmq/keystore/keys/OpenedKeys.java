/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of unwrapped keys, so that all messages under one data key cost one private-key operation.
 *
 * <ul>
 *   <li>It is limited by entries and idle time, and evicts the least recently used key first. Idle keys are evicted
 *       without further calls, after twice the idle time.
 *   <li>Threads that need the same key unwrap it once. An evicted key is wiped after its last use.
 *   <li>The cache keeps a key only after a lease of it was accepted. A rejected message adds no key and evicts none.
 *   <li>Failures are not kept.
 * </ul>
 *
 * <p>Thread-safe.
 *
 * @param <K> the name of a key, immutable with equals and hashCode
 * @param <V> the kind of key
 */
public final class OpenedKeys<K, V extends AesKey> implements AutoCloseable {
    private static final long SHORTEST_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The longest time for {@link #again} without a look-up. The order of eviction is exact up to it. */
    private static final long MOST_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int capacity;
    private final long idleNanos;
    private final long againNanos;
    private final LongSupplier nanoTime;
    private final LongAdder unwraps = new LongAdder();

    private final Map<K, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // guarded by this
    /** Keys in use without an accepted lease. Their number is that of the threads that open messages. */
    private final Map<K, Entry> pending = new HashMap<>(); // guarded by this

    private boolean sweeping; // guarded by this: a sweep is scheduled
    private boolean closed; // guarded by this

    /**
     * Creates an empty cache.
     *
     * @param capacity the most entries, at least 1
     * @param idleNanos the longest time without a use, in nanoseconds, above zero
     * @param nanoTime a monotonic clock, such as {@code System::nanoTime}
     */
    public OpenedKeys(int capacity, long idleNanos, LongSupplier nanoTime) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: fewer than 1: " + capacity);
        }
        if (idleNanos < 1) {
            throw new IllegalArgumentException("idle time: not above zero: " + idleNanos);
        }
        this.capacity = capacity;
        this.idleNanos = idleNanos;
        this.againNanos = Math.min(MOST_AGAIN_NANOS, idleNanos / 8);
        this.nanoTime = nanoTime;
    }

    /** A use of a key, which is not wiped before the close. A second close has no effect. For one thread. */
    public static final class Lease<V extends AesKey> implements AutoCloseable {
        private final OpenedKeys<?, V>.Entry entry;
        private final V key;
        private final long lookedUp;
        private final boolean unwrappedNow;
        private boolean closed;

        private Lease(OpenedKeys<?, V>.Entry entry, V key, long lookedUp, boolean unwrappedNow) {
            this.entry = entry;
            this.key = key;
            this.lookedUp = lookedUp;
            this.unwrappedNow = unwrappedNow;
        }

        /** Tells whether this lease unwrapped the key, so that no earlier message used it. */
        boolean isUnwrappedNow() {
            return unwrappedNow;
        }

        /** Returns the key, which is valid until the close. */
        public V key() {
            return key;
        }

        /** Returns whether {@link #accept} of a lease kept the key before. */
        public boolean isAccepted() {
            return entry.keeper != null;
        }

        /**
         * Keeps the key for the next message, because this message is verified. The caller calls it before
         * {@link #close}.
         *
         * @return whether the cache did not have the key before
         */
        public boolean accept() {
            return entry.accept(this);
        }

        /**
         * Removes the key if {@link #accept} of this lease added it, also if that call failed. It may be called after
         * {@link #close}.
         */
        public void forget() {
            entry.forget(this);
        }

        /** Ends the use. The cache forgets the key if this lease unwrapped it and no lease was accepted. */
        @Override
        public void close() {
            if (!closed) {
                closed = true;
                if (unwrappedNow) {
                    entry.dismissUnlessAccepted();
                }
                entry.users.release();
            }
        }
    }

    /**
     * Returns a lease of the key with this name, and unwraps it if the cache does not have it. Other threads that need
     * the key wait for the same unwrap. They share its key, null or exception.
     *
     * @param unwrap returns the key, or null if it cannot be unwrapped, or throws
     * @return the lease, which the caller closes; null if {@code unwrap} returned null
     * @throws IllegalStateException after close
     */
    public @Nullable Lease<V> get(K name, Supplier<@Nullable V> unwrap) {
        Entry entry;
        boolean first = false;
        long now;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("opened keys: used after close");
            }
            now = nanoTime.getAsLong();
            evict(capacity, now);
            entry = entries.get(name);
            if (entry == null) {
                entry = pending.get(name);
            }
            if (entry == null) {
                entry = new Entry(name);
                pending.put(name, entry);
                first = true;
            }
            entry.lastUse = now;
            // from now on eviction does not wipe the key, even before it is unwrapped
            if (!entry.users.acquire()) {
                throw new IllegalStateException("opened keys: an entry was dropped, but found");
            }
        }
        if (first) {
            fill(entry, unwrap);
        }
        return entry.lease(now, first);
    }

    /**
     * Leases the key of an earlier lease of this cache again, open or closed. Threads that call it at once do not wait
     * for each other.
     *
     * @return the lease; null if the cache lost the key, or {@link #get} was not called for a while
     */
    public @Nullable Lease<V> again(Lease<V> earlier) {
        boolean lately = nanoTime.getAsLong() - earlier.lookedUp < againNanos;
        return lately && earlier.entry.users.acquire()
                ? new Lease<>(earlier.entry, earlier.key, earlier.lookedUp, false)
                : null;
    }

    /** Returns the number of keys that were unwrapped so far. */
    public long unwraps() {
        return unwraps.sum();
    }

    /** Returns the number of keys with an accepted lease. */
    public synchronized int size() {
        return entries.size();
    }

    private void fill(Entry entry, Supplier<@Nullable V> unwrap) {
        unwraps.increment();
        try {
            V key = unwrap.get();
            if (key == null) {
                dismiss(entry);
            }
            entry.key.complete(key);
        } catch (RuntimeException | Error failed) {
            dismiss(entry);
            entry.key.completeExceptionally(failed);
        }
    }

    private synchronized void dismiss(Entry entry) {
        if (pending.remove(entry.name, entry)) {
            entry.users.retire();
        }
    }

    private synchronized boolean keep(Entry entry, Lease<V> keeper) {
        boolean isNew = pending.remove(entry.name, entry);
        if (isNew) {
            long now = nanoTime.getAsLong();
            evict(capacity - 1, now);
            entry.lastUse = now;
            entry.keeper = keeper;
            entries.put(entry.name, entry);
            sweepLater();
        }
        return isNew;
    }

    /** Evicts the eldest keys until their number is at most this, and none is idle for too long. */
    private void evict(int most, long now) {
        Iterator<Entry> eldestFirst = entries.values().iterator();
        while (eldestFirst.hasNext()) {
            Entry eldest = eldestFirst.next();
            if (entries.size() <= most && now - eldest.lastUse < idleNanos) {
                return;
            }
            eldestFirst.remove();
            eldest.users.retire();
        }
    }

    /** Schedules a sweep of idle keys, which must end without further calls too. Guarded by this. */
    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            long delay = Math.max(idleNanos, SHORTEST_SWEEP_NANOS);
            WeakReference<OpenedKeys<K, V>> swept =
                    new WeakReference<>(this); // so that an unclosed cache can be collected
            CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS)
                    .execute(() -> Optional.ofNullable(swept.get()).ifPresent(OpenedKeys::sweep));
        }
    }

    private synchronized void sweep() {
        sweeping = false;
        evict(capacity, nanoTime.getAsLong());
        if (!entries.isEmpty()) {
            sweepLater();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        entries.values().forEach(entry -> entry.users.retire());
        entries.clear();
        pending.values().forEach(entry -> entry.users.retire());
        pending.clear();
    }

    /** A key, or the future of one, with the count of its users. */
    private final class Entry {
        private final K name;
        private final CompletableFuture<@Nullable V> key = new CompletableFuture<>();
        private final KeyUsage users = new KeyUsage(this::wipe);
        private long lastUse;
        /** The lease that was accepted first. */
        private volatile @Nullable Lease<V> keeper;

        private Entry(K name) {
            this.name = name;
        }

        private boolean accept(Lease<V> lease) {
            return keeper == null && keep(this, lease);
        }

        @SuppressWarnings("ReferenceEquality") // another lease of the same key did not add it
        private void forget(Lease<V> lease) {
            synchronized (OpenedKeys.this) {
                if (keeper == lease && entries.remove(name, this)) {
                    users.retire();
                }
            }
        }

        private void dismissUnlessAccepted() {
            if (keeper == null) {
                dismiss(this);
            }
        }

        private @Nullable Lease<V> lease(long lookedUp, boolean unwrappedNow) {
            V unwrapped = null;
            try {
                unwrapped = key.join();
            } catch (CompletionException failed) {
                if (failed.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                if (failed.getCause() instanceof Error cause) {
                    throw cause;
                }
                throw failed;
            } finally {
                if (unwrapped == null) {
                    users.release();
                }
            }
            return unwrapped == null ? null : new Lease<>(this, unwrapped, lookedUp, unwrappedNow);
        }

        /** Wipes the key after its last user. The unwrapping thread is a user too, so the future is complete. */
        private void wipe() {
            if (!key.isCompletedExceptionally()) {
                V unwrapped = key.join();
                if (unwrapped != null) {
                    unwrapped.close();
                }
            }
        }
    }
}
