/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys prepared for one {@link KeyEpochs}, oldest first. Takers never wait: they get a key that is here, or null, and
 * then make their own. Thread-safe.
 */
final class KeyPool implements AutoCloseable {
    private final KeyPregenerator pregenerator;
    private final Supplier<@Nullable PreparedKey> source;
    private final long ageNanos;
    private final LongSupplier nanoTime;

    // All guarded by this.
    private final ArrayDeque<Pooled> keys = new ArrayDeque<>();
    private final PoolSize size;
    private int promised;
    private boolean failed;
    private boolean asked;
    private boolean closed;

    private record Pooled(PreparedKey key, long since) {}

    KeyPool(KeyPregenerator pregenerator, Supplier<@Nullable PreparedKey> source, long ageNanos, PoolSize size) {
        this.pregenerator = pregenerator;
        this.source = source;
        this.ageNanos = ageNanos;
        this.nanoTime = pregenerator.nanoTime();
        this.size = size;
    }

    /** A prepared key, or null if there is none. Either way the pool is filled again behind the taker's back. */
    @Nullable
    PreparedKey take() {
        Pooled taken;
        boolean ask;
        List<Pooled> old;
        synchronized (this) {
            if (closed) {
                return null;
            }
            long now = nanoTime.getAsLong();
            old = removeOld(now);
            failed = false; // worth another attempt
            size.used(now);
            taken = keys.poll();
            if (taken == null) {
                size.ranDry();
            }
            ask = !asked && 2 * (keys.size() + promised) <= size.target() && hasRoom();
            asked |= ask;
        }
        wipe(old);
        if (ask) {
            pregenerator.ask(this);
        }
        if (taken == null) {
            pregenerator.countDryTake();
            return null;
        }
        return taken.key();
    }

    /** Makes one key if there is room; asks for more hands while there is room for more. For the pool's threads. */
    void fillOne() {
        boolean more;
        synchronized (this) {
            asked = false;
            if (!hasRoom()) {
                return;
            }
            promised++;
            more = hasRoom();
            asked = more;
        }
        if (more) {
            pregenerator.ask(this);
        }
        PreparedKey made = null;
        try {
            made = source.get();
        } finally {
            keep(made);
        }
    }

    private void keep(@Nullable PreparedKey made) {
        boolean kept = false;
        synchronized (this) {
            promised--;
            if (made == null) {
                failed = true; // until the next taker, who gets the exception from its own attempt
            } else if (!closed) {
                size.measured(made.wrapped().length);
                if (keys.size() < size.target()) {
                    keys.add(new Pooled(made, nanoTime.getAsLong()));
                    kept = true;
                }
            }
        }
        if (made != null && !kept) {
            made.key().close();
        }
    }

    private boolean hasRoom() {
        return !closed && !failed && keys.size() + promised < size.target();
    }

    /** Drops what is too old and, if nobody asked for a while, what is too much. */
    void tend() {
        List<Pooled> dropped;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            dropped = removeOld(now);
            size.shrinkIfIdle(now);
            while (keys.size() > size.target()) {
                dropped.add(keys.remove());
            }
        }
        wipe(dropped);
    }

    /** A key's recipients were checked when it was wrapped: what is older than its age limit is not used any more. */
    private List<Pooled> removeOld(long now) {
        List<Pooled> old = new ArrayList<>(0);
        for (Pooled eldest = keys.peek(); eldest != null && now - eldest.since() >= ageNanos; eldest = keys.peek()) {
            old.add(keys.remove());
        }
        return old;
    }

    synchronized int size() {
        return keys.size();
    }

    synchronized int target() {
        return size.target();
    }

    /** Wipes its keys; those still being made are wiped when they arrive. Harmless when repeated. */
    @Override
    public void close() {
        List<Pooled> dropped;
        synchronized (this) {
            closed = true;
            dropped = new ArrayList<>(keys);
            keys.clear();
        }
        wipe(dropped);
        pregenerator.remove(this);
    }

    private static void wipe(List<Pooled> dropped) {
        dropped.forEach(each -> each.key().key().close());
    }
}
