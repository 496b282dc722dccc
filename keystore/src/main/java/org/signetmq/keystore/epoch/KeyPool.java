/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.PreparedKey;
import org.signetmq.keystore.epoch.ClockJumpDetector.Moment;

/**
 * A queue of keys for one {@link KeyEpochs}, the oldest first. No caller waits for a key. It is filled after the first
 * message, and again when half of its keys are gone. Thread-safe.
 */
final class KeyPool implements AutoCloseable {
    /** The longest time of a key in the pool. So a snapshot of the machine's memory has few keys. */
    static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** The keys that each pool may have, so that one busy policy does not empty the pools of the others. */
    static final int FIRST = 2;

    private final KeyPregenerator pregenerator;
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
     * Creates an empty pool.
     *
     * @param ageNanos the highest age of a key by its policy
     */
    KeyPool(KeyPregenerator pregenerator, Supplier<@Nullable PreparedKey> source, long ageNanos) {
        this.pregenerator = pregenerator;
        this.source = source;
        this.ageNanos = Math.min(ageNanos, LIFE_NANOS);
        this.replacesOld = ageNanos > LIFE_NANOS;
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
            usedAt = pregenerator.now();
            idle = false;
            old = removeOld(pregenerator.moment(usedAt));
            failed = false; // the next attempt may succeed
            taken = keys.poll();
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
        synchronized (this) {
            if (!wantsMaker()) {
                return false;
            }
            making++;
            ask = asksForMaker();
        }
        if (ask) {
            pregenerator.ask(filling);
        }
        PreparedKey made = null;
        Moment begun = pregenerator.moment(pregenerator.now());
        try {
            made = source.get();
        } finally {
            keep(made, begun);
        }
        return made != null;
    }

    private void keep(@Nullable PreparedKey made, Moment begun) {
        boolean kept;
        long now = pregenerator.now();
        synchronized (this) {
            making--;
            failed |= made == null; // until the next caller, which gets the exception from its own attempt
            kept = made != null && !closed && keys.size() < capacity();
            if (kept) {
                keys.add(new PooledKey(made, now, begun.jumps()));
                pregenerator.hold(made);
            }
        }
        if (made != null && !kept) {
            made.close();
        }
    }

    private int capacity() {
        return pregenerator.capacity(idle);
    }

    /** Tells whether to ask for a thread: few keys are left, and no thread was asked yet. */
    private boolean asksForMaker() {
        boolean ask = !asked && keys.size() + making <= capacity() / 2 && wantsMaker();
        asked |= ask;
        return ask;
    }

    private boolean wantsMaker() {
        int filled = keys.size() + making;
        return !closed && !failed && filled < capacity() && (filled < FIRST || pregenerator.hasMemory());
    }

    /** Removes keys that are too old, and has others made in their place. */
    void tend() {
        List<PooledKey> old;
        boolean ask;
        synchronized (this) {
            long now = pregenerator.now();
            idle = now - usedAt >= LIFE_NANOS;
            old = removeOld(pregenerator.moment(now));
            ask = !old.isEmpty() && replacesOld && asksForMaker(); // so that the next message need not wait
        }
        wipe(old);
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
