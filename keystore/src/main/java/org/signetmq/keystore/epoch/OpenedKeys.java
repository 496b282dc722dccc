/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

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
import org.signetmq.keystore.crypto.AesKey;
import org.signetmq.keystore.crypto.KeyUsage;

/**
 * The keys unwrapped lately, so that messages under one data key cost one private-key operation between them. Bounded
 * by entries and idle time, the least recently used first. Keys go after twice the idle time even without calls. An
 * unwrap that several threads need happens once, and evicted keys are wiped after their last use. The cache keeps a key
 * only after a lease of it was accepted. A rejected message leaves no key behind and evicts none. Failures are not
 * kept. Thread-safe.
 *
 * @param <K> the name of a key: immutable, with equals and hashCode
 * @param <V> the kind of key
 */
public final class OpenedKeys<K, V extends AesKey> implements AutoCloseable {
    private static final long SHORTEST_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long a key may be leased again without being looked up: so much the order of its last uses is off. */
    private static final long MOST_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int capacity;
    private final long idleNanos;
    private final long againNanos;
    private final LongSupplier nanoTime;
    private final LongAdder unwraps = new LongAdder();

    private final Map<K, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // guarded by this
    /** Keys in use that no lease was accepted of. The usual number of threads that open messages. */
    private final Map<K, Entry> pending = new HashMap<>(); // guarded by this

    private boolean sweeping; // guarded by this: a sweep is to come
    private boolean closed; // guarded by this

    /**
     * An empty cache.
     *
     * @param capacity entries at most, at least 1
     * @param idleNanos how long an entry may lie unused, in nanoseconds, above zero
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

    /** A key in use, not wiped before it is closed. Close it when done; repeating that is harmless. For one thread. */
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

        /** Whether the key was not here before: nothing was opened with it yet. */
        public boolean isUnwrappedNow() {
            return unwrappedNow;
        }

        /** The key. */
        public V key() {
            return key;
        }

        /**
         * Keeps the key for the next message: this one is right. To be called before {@link #close}.
         *
         * @return whether it was not kept before
         */
        public boolean accept() {
            return entry.accept();
        }

        /** Forgets a key that this lease made to be kept. May be called after {@link #close}. */
        public void forget() {
            entry.forget();
        }

        /** Lets go of the key. If it was unwrapped for this lease, and no lease was accepted, it is gone from here. */
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
     * The key of this name, unwrapped now if it is not here. Threads that ask while it is being unwrapped wait, and
     * share the key, the null or the exception.
     *
     * @param unwrap gives the key, or null if it cannot be unwrapped, or throws
     * @return null if unwrap gave null
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
            // from here on eviction does not wipe it under us, even before it is unwrapped
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
     * Leases the key of an earlier lease of this cache again, closed or not, like {@link #get}. But threads that do so
     * at once do not wait for each other.
     *
     * @return null if the key is gone from here, or was not looked up for a while: then it must be
     */
    public @Nullable Lease<V> again(Lease<V> earlier) {
        boolean lately = nanoTime.getAsLong() - earlier.lookedUp < againNanos;
        return lately && earlier.entry.users.acquire()
                ? new Lease<>(earlier.entry, earlier.key, earlier.lookedUp, false)
                : null;
    }

    /** How many keys were unwrapped so far. */
    public long unwraps() {
        return unwraps.sum();
    }

    /** How many keys are here that a lease was accepted of. */
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

    private synchronized boolean keep(Entry entry) {
        boolean isNew = pending.remove(entry.name, entry);
        if (isNew) {
            long now = nanoTime.getAsLong();
            evict(capacity - 1, now);
            entry.lastUse = now;
            entry.accepted = true;
            entries.put(entry.name, entry);
            sweepLater();
        }
        return isNew;
    }

    /** Drops the eldest until the number is at most this, and no idle one is too old. */
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

    /** Idle keys must go even if no caller asks for a key again. Guarded by this. */
    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            long delay = Math.max(idleNanos, SHORTEST_SWEEP_NANOS);
            WeakReference<OpenedKeys<K, V>> swept = new WeakReference<>(this); // a cache left unclosed is not kept
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

    /** A key, or the promise of one, with its users. */
    private final class Entry {
        private final K name;
        private final CompletableFuture<@Nullable V> key = new CompletableFuture<>();
        private final KeyUsage users = new KeyUsage(this::wipe);
        private long lastUse;
        private volatile boolean accepted;

        private Entry(K name) {
            this.name = name;
        }

        private boolean accept() {
            return !accepted && keep(this);
        }

        private void forget() {
            synchronized (OpenedKeys.this) {
                if (entries.remove(name, this)) {
                    users.retire();
                }
            }
        }

        private void dismissUnlessAccepted() {
            if (!accepted) {
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

        /** After the last user, and the unwrapping thread is one, the promise is kept or broken. */
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
