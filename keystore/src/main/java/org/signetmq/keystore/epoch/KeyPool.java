/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.PreparedKey;

/** A queue of keys for one {@link KeyEpochs}, the oldest first. No caller waits for a key. Thread-safe. */
final class KeyPool implements AutoCloseable {
    /** The longest time of a key in the pool. So a snapshot of the machine's memory has few keys. */
    static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final KeyPregenerator pregenerator;
    private final Supplier<@Nullable PreparedKey> source;
    private final long ageNanos;
    private final boolean replacesOld;
    private final Runnable filling = this::fill;

    // All guarded by this.
    private final ArrayDeque<PooledKey> keys = new ArrayDeque<>();
    private final PoolSize size;
    private final KeyGenerators generators;
    private int making;
    private boolean failed;
    private boolean asked;
    private boolean closed;

    /**
     * The size of a pool and its threads.
     *
     * @param size the number of its keys
     * @param generators the number of threads that fill it
     * @param ageNanos the highest age of a key by its policy
     */
    record Sizing(PoolSize size, KeyGenerators generators, long ageNanos) {}

    KeyPool(KeyPregenerator pregenerator, Supplier<@Nullable PreparedKey> source, Sizing sizing) {
        this.pregenerator = pregenerator;
        this.source = source;
        this.size = sizing.size();
        this.generators = sizing.generators();
        this.ageNanos = Math.min(sizing.ageNanos(), LIFE_NANOS);
        this.replacesOld = sizing.ageNanos() > LIFE_NANOS;
    }

    /** Takes a key for a waiting message. Returns null, and counts it, if there is none. */
    @Nullable
    PooledKey take() {
        PooledKey taken = takeAhead();
        if (taken == null) {
            pregenerator.countKeyWait();
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
            long now = pregenerator.now();
            old = removeOld(pregenerator.moment(now));
            failed = false; // the next attempt may succeed
            size.taken(now);
            generators.taken();
            taken = keys.poll();
            if (taken == null) {
                generators.ranDry();
                size.ranDry(generators.allowed());
            }
            ask = asksForMaker();
        }
        wipe(old);
        if (ask) {
            pregenerator.ask(filling);
        }
        if (taken != null) {
            pregenerator.release(taken.key());
        }
        return taken;
    }

    /** Generates keys while there is room and no other pool waits. Threads of the pregenerator call it. */
    private void fill() {
        synchronized (this) {
            asked = false;
        }
        while (makeOne() && !pregenerator.isBehind()) {
            // the next one
        }
        boolean goesOnLater;
        synchronized (this) {
            goesOnLater = !asked && wantsMaker();
            asked |= goesOnLater;
        }
        if (goesOnLater) {
            pregenerator.ask(filling);
        }
    }

    private boolean makeOne() {
        boolean ask;
        boolean timed;
        synchronized (this) {
            if (!wantsMaker()) {
                return false;
            }
            making++;
            ask = asksForMaker();
            timed = generators.wantsCpuTime();
        }
        if (ask) {
            pregenerator.ask(filling);
        }
        PreparedKey made = null;
        long cpu = timed ? pregenerator.cpu() : 0;
        long start = pregenerator.now();
        Moment begun = pregenerator.moment(start);
        try {
            made = source.get();
        } finally {
            keep(made, begun);
        }
        if (timed) {
            tookCpu(pregenerator.cpu() - cpu);
        }
        return made != null;
    }

    private void keep(@Nullable PreparedKey made, Moment begun) {
        boolean kept = false;
        long now = pregenerator.now();
        synchronized (this) {
            making--;
            if (made == null) {
                failed = true; // until the next caller, which gets the exception from its own attempt
            } else if (!closed) {
                generators.made(now - begun.nanos());
                size.measured(made.bytes());
                if (keys.size() < size.target()) {
                    keys.add(new PooledKey(made, now, begun.jumps()));
                    pregenerator.hold(made);
                    kept = true;
                }
                if (keys.size() >= size.target()) {
                    size.full();
                }
            }
        }
        if (made != null && !kept) {
            made.close();
        }
    }

    private synchronized void tookCpu(long nanos) {
        generators.tookCpu(nanos);
    }

    /** Tells whether to ask for a thread: few keys are left, and no thread was asked yet. */
    private boolean asksForMaker() {
        boolean ask = !asked && keys.size() + making <= size.refillAt() && wantsMaker();
        asked |= ask;
        return ask;
    }

    private boolean wantsMaker() {
        int filled = keys.size() + making;
        return !closed
                && !failed
                && filled < size.target()
                && making < generators.allowed()
                && (filled < PoolSize.FIRST || pregenerator.hasMemory());
    }

    /** Removes keys that are too old and, after a quiet time, keys beyond the demand. */
    void tend() {
        List<PooledKey> dropped;
        boolean ask = false;
        synchronized (this) {
            long now = pregenerator.now();
            dropped = new ArrayList<>(removeOld(pregenerator.moment(now)));
            boolean expired = !dropped.isEmpty();
            size.shrinkIfIdle(now);
            generators.fitToDemand(now);
            while (keys.size() > size.target()) {
                dropped.add(keys.remove());
            }
            if (expired && replacesOld) {
                ask = asksForMaker(); // so that the next message need not wait
            }
        }
        wipe(dropped);
        if (ask) {
            pregenerator.ask(filling);
        }
    }

    /**
     * Removes keys beyond their age, because their recipients were checked when they were wrapped. Also removes keys
     * that may be in the memory of another machine.
     */
    private List<PooledKey> removeOld(Moment now) {
        List<PooledKey> old = List.of();
        for (PooledKey eldest = keys.peek(); eldest != null && !eldest.isFresh(now, ageNanos); eldest = keys.peek()) {
            old = old.isEmpty() ? new ArrayList<>() : old;
            old.add(keys.remove());
        }
        return old;
    }

    synchronized int size() {
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
        pregenerator.remove(this);
    }

    private void wipe(List<PooledKey> dropped) {
        for (PooledKey each : dropped) {
            pregenerator.release(each.key());
            each.key().close();
        }
    }
}
