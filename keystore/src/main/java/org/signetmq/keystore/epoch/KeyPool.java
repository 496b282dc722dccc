/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.crypto.PreparedKey;

/**
 * Keys prepared for one {@link KeyEpochs}, oldest first. Takers never wait: they get a key that is here, or null, and
 * then make their own. Thread-safe.
 */
final class KeyPool implements AutoCloseable {
    /** How long a key may lie ready. A snapshot of the machine's memory holds few keys, and none for long. */
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
     * How a pool behaves.
     *
     * @param size how many keys it holds
     * @param generators how many threads fill it
     * @param ageNanos how old a key may become by its policy
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

    /** A prepared key, or null if there is none. The caller then has to wait, which is counted. */
    @Nullable
    PooledKey take() {
        PooledKey taken = takeAhead();
        if (taken == null) {
            pregenerator.countDryTake();
        }
        return taken;
    }

    /**
     * A prepared key without a waiting thread, or null. Either way the pool is filled again behind the taker's back.
     */
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
            failed = false; // worth another attempt
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

    /** For the pregenerator's threads: makes keys while there is room, and no other pool waits. */
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

    /** Once so few are left, and not twice before the first one came. */
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

    /** Drops keys that are too old and, after a quiet time, keys beyond the demand. */
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
     * The recipients of a key were checked when it was wrapped. The pool uses no key beyond its age limit. It also uses
     * no key that may be in the memory of another machine.
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

    /** Wipes its keys; those still being made are wiped when they arrive. Harmless when repeated. */
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
