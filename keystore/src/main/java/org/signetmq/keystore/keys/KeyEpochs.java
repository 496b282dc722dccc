/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.KeyPregenerator.KeyPool;
import org.signetmq.keystore.keys.KeyPregenerator.Moment;
import org.signetmq.keystore.keys.KeyPregenerator.PooledKey;
import org.signetmq.keystore.keys.KeyWrapping.PreparedKey;

/**
 * The successive data keys of one policy and its recipients. All producers share the current key. The limits are exact
 * under concurrency, and threads that need a new key at once get the same one. Thread-safe.
 */
public final class KeyEpochs implements AutoCloseable {
    /** The attempts to take the lock before a thread sleeps, which last some microseconds. */
    private static final int SPINS = 100;

    private static final long PROCESS = ProcessHandle.current().pid();

    private final KeyWrapping wrapping;
    private final EpochLimits limits;
    private final long ageNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder opened = new LongAdder();
    private final KeyUsage users = new KeyUsage(this::wipe);
    private final KeyPregenerator pregenerator;
    private final @Nullable KeyPool pool;

    /** The next key, so that no thread waits for the pool at the change of keys. */
    private final AtomicReference<@Nullable PooledKey> standby = new AtomicReference<>();

    private volatile @Nullable SharedDataKey current; // written under the lock
    private boolean waited; // guarded by the lock: messages waited for the current key
    private volatile boolean closed;

    /**
     * Creates epochs that generate each key on demand. They close the wrapping at their end.
     *
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public KeyEpochs(KeyWrapping wrapping, EpochLimits limits, LongSupplier nanoTime, CryptoProviders providers) {
        this(wrapping, limits, new KeyPregenerator(PregenerationSettings.OFF, nanoTime, providers));
    }

    /** Creates epochs with keys of a shared pregenerator. They close the wrapping, not the pregenerator. */
    public KeyEpochs(KeyWrapping wrapping, EpochLimits limits, KeyPregenerator pregenerator) {
        this.wrapping = wrapping;
        this.limits = limits;
        this.ageNanos = limits.ageNanos();
        this.pregenerator = pregenerator;
        this.pool = pregenerator.pool(this::prepareAhead, ageNanos);
    }

    /** Returns the providers of the keys. */
    public CryptoProviders providers() {
        return pregenerator.providers();
    }

    /** Generates a key for the pool, as a user that keeps the wrapping open. Returns null after close. */
    private @Nullable PreparedKey prepareAhead() {
        if (!users.acquire()) {
            return null;
        }
        try {
            return PreparedKey.generate(providers(), wrapping);
        } finally {
            users.release();
        }
    }

    /** Takes a key from the pool. Returns null, and counts it, if there is none; the caller then generates one. */
    private @Nullable PooledKey pooled() {
        if (pool != null) {
            return pool.take();
        }
        pregenerator.keyWaits.increment();
        return null;
    }

    private @Nullable PooledKey standbyOrPooled() {
        PooledKey ready = standby.getAndSet(null);
        if (ready != null
                && ready.isFresh(
                        pregenerator.moment(pregenerator.now()), Math.min(ageNanos, KeyPregenerator.LIFE_NANOS))) {
            return ready;
        }
        if (ready != null) {
            ready.key().close();
        }
        return pooled();
    }

    private PreparedKey keyOf(@Nullable PooledKey ready) {
        return ready == null ? PreparedKey.generate(providers(), wrapping) : ready.key();
    }

    private void refillStandby() {
        if (pool == null || standby.get() != null) {
            return;
        }
        PooledKey ahead = pool.takeAhead();
        if (ahead != null && !standby.compareAndSet(null, ahead)) {
            ahead.key().close(); // another change of keys was faster
        }
    }

    /**
     * Returns the right to encrypt one message of this length in bytes.
     *
     * @return the lease, which the caller closes; null after close
     * @throws KeystoreUnusableException if a new key is due and cannot be wrapped
     * @throws IllegalArgumentException if the length is negative
     */
    public @Nullable KeyLease next(long messageBytes) {
        if (messageBytes < 0) {
            throw new IllegalArgumentException("message: fewer bytes than none: " + messageBytes);
        }
        SharedDataKey key = closed ? null : current;
        KeyLease use = key == null ? null : nextOf(key, messageBytes);
        if (use != null) {
            return use;
        }
        if (!users.acquire()) {
            return null;
        }
        try {
            return limits.messages() == 1 ? fresh() : shared(messageBytes);
        } finally {
            users.release();
        }
    }

    private @Nullable KeyLease nextOf(SharedDataKey key, long messageBytes) {
        long now = pregenerator.now();
        return key.next(messageBytes, now, pregenerator.jumps(now));
    }

    /** Returns the number of data keys that were used so far. */
    public long openedEpochs() {
        return opened.sum();
    }

    /** Returns a key for one message. It needs no lock, because no other thread uses the key. */
    private KeyLease fresh() {
        PreparedKey prepared = keyOf(pooled());
        opened.increment();
        pregenerator.begunKeys.increment();
        if (!prepared.key().acquire()) {
            throw new IllegalStateException("data key: retired before its use");
        }
        KeyLease use = new KeyLease(prepared, noncePrefix(), 0, null);
        prepared.key().close(); // retired at once, so that its only user wipes it
        return use;
    }

    /** Returns a use of the current key, or of a new one. All threads wait for the same new key under the lock. */
    private KeyLease shared(long messageBytes) {
        SharedDataKey last;
        KeyLease first;
        boolean slept = !spinForLock();
        if (slept) {
            lock.lock();
        }
        try {
            last = current;
            KeyLease use = last == null ? null : nextOf(last, messageBytes);
            if (use != null) {
                if (slept && waited) {
                    pregenerator.keyWaits.increment(); // it waited for the key that another thread generated
                }
                return use;
            }
            first = open(messageBytes);
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.retire();
        }
        refillStandby();
        return first;
    }

    /** Tries to take the lock without sleep, which would cost ten times the change to a ready key. */
    private boolean spinForLock() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Replaces the current key and returns the first use of the new one. The caller retires the old key later. */
    private KeyLease open(long messageBytes) {
        PooledKey ready = standbyOrPooled();
        waited = ready == null;
        PreparedKey prepared = keyOf(ready);
        Moment now = pregenerator.moment(pregenerator.now());
        SharedDataKey next = new SharedDataKey(prepared, limits, now, noncePrefix());
        KeyLease first = Objects.requireNonNull(
                next.next(messageBytes, now.nanos(), now.jumps())); // before other threads find the key and use it up
        current = next;
        opened.increment();
        pregenerator.begunKeys.increment();
        return first;
    }

    private int noncePrefix() {
        return noncePrefix(providers().random().nextInt(), System.nanoTime(), System.currentTimeMillis());
    }

    /**
     * Returns the first 32 bits of the nonces of a key at its first use. It mixes times and process into a random
     * number, which is then no easier to guess. So two copies of one machine draw different prefixes, also with the
     * same state of the random generator.
     */
    static int noncePrefix(int random, long nanos, long wallMillis) {
        return random ^ (int) (mix(mix(mix(PROCESS) + nanos) + wallMillis) >>> 32);
    }

    /** Makes each bit of the result depend on each bit of the value (the finalizer of SplitMix64). */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Wipes the keys after their last use. A second call has no effect. */
    @Override
    public void close() {
        closed = true;
        users.retire();
        if (pool != null) {
            pool.close();
        }
    }

    private void wipe() {
        SharedDataKey last = current;
        if (last != null) {
            last.retire();
            current = null;
        }
        PooledKey ready = standby.getAndSet(null);
        if (ready != null) {
            ready.key().close();
        }
        wrapping.close();
    }

    /**
     * A data key that many messages use up to exact limits. Each use has a number. It takes no lock: a use costs one
     * addition, and so does its return. The key is wiped after its retirement and the return of all uses. Thread-safe.
     */
    private static final class SharedDataKey implements KeyLease.Owner {
        private static final long RETIRED = 1L << 62;
        private static final long NOT_RETIRED = -1;
        private static final long NOTHING = -1;

        /** The distance between counters of different threads: two cache lines, which come in pairs. */
        private static final int APART = 16;

        /** The index of the counter of requested uses, also those beyond the limit; plus RETIRED. */
        private static final int ASKED = APART;

        /** The index of the counter of bytes. It shares a cache line with the counter before it. */
        private static final int BYTES = ASKED + 1;

        /** The index of the first counter of returned uses. The other counters follow at the distance. */
        private static final int RETURNED = ASKED + APART;

        /** The number of counters of returned uses, a power of two. */
        private static final int RETURNING =
                Integer.highestOneBit(Math.min(8, Runtime.getRuntime().availableProcessors()));

        private final PreparedKey prepared;
        private final EpochLimits limits;
        private final long ageNanos;
        private final long openedAt;
        private final long jumps;
        private final int noncePrefix;
        private final AtomicLongArray counters = new AtomicLongArray(RETURNED + RETURNING * APART);

        /** The number of all issued uses, known after retirement. */
        private volatile long issued = NOT_RETIRED;

        /**
         * Creates a key that is used from now on.
         *
         * @param noncePrefix the first 32 bits of all nonces of this key
         */
        SharedDataKey(PreparedKey prepared, EpochLimits limits, Moment now, int noncePrefix) {
            this.prepared = prepared;
            this.limits = limits;
            this.ageNanos = limits.ageNanos();
            this.openedAt = now.nanos();
            this.jumps = now.jumps();
            this.noncePrefix = noncePrefix;
            counters.setPlain(BYTES, NOTHING);
        }

        /** Returns the right to encrypt a message of this length; null if a limit of the key is reached. */
        @Nullable
        KeyLease next(long messageBytes, long now, long jumpsNow) {
            if (now - openedAt >= ageNanos || jumpsNow != jumps) {
                return null;
            }
            if (!reserve(messageBytes)) {
                return null;
            }
            long number = counters.getAndIncrement(ASKED);
            return number < limits.messages() ? new KeyLease(prepared, noncePrefix, number, this) : null;
        }

        /** Reserves bytes of the limit. The first message may exceed it, and is then the only one. */
        private boolean reserve(long messageBytes) {
            while (true) {
                long before = counters.get(BYTES);
                if (before != NOTHING && messageBytes > limits.bytes() - before) {
                    return false;
                }
                if (counters.compareAndSet(BYTES, before, before == NOTHING ? messageBytes : before + messageBytes)) {
                    return true;
                }
            }
        }

        @Override
        public void giveBack() {
            int thread = (int) Thread.currentThread().getId() & (RETURNING - 1);
            counters.getAndIncrement(RETURNED + thread * APART);
            wipeIfAllCameBack();
        }

        /** Issues no more uses. The caller calls it once. */
        void retire() {
            issued = Math.min(counters.getAndAdd(ASKED, RETIRED), limits.messages());
            wipeIfAllCameBack();
        }

        /** Wipes the key if all uses were returned. The last return or the retirement finds all others counted. */
        private void wipeIfAllCameBack() {
            long all = issued;
            if (all != NOT_RETIRED && all == returned()) {
                prepared.key().close();
            }
        }

        private long returned() {
            long sum = 0;
            for (int thread = 0; thread < RETURNING; thread++) {
                sum += counters.get(RETURNED + thread * APART);
            }
            return sum;
        }
    }

    /**
     * The limits of one data key. The first limit that is reached ends its use.
     *
     * @param messages the most messages, from 1 to 2^32
     * @param bytes the most bytes, at least 1; a larger message gets its own key
     * @param age the longest time after the first use, above zero
     */
    public record EpochLimits(long messages, long bytes, Duration age) {
        private static final long MOST_MESSAGES = 1L << 32; // NIST SP 800-38D section 8.3

        /** @throws IllegalArgumentException if a limit is outside its bounds */
        public EpochLimits {
            if (messages < 1) {
                throw new IllegalArgumentException("messages: fewer than 1: " + messages);
            }
            if (messages > MOST_MESSAGES) {
                throw new IllegalArgumentException("messages: more than one key may serve: " + messages);
            }
            if (bytes < 1) {
                throw new IllegalArgumentException("bytes: fewer than 1: " + bytes);
            }
            if (age.isNegative() || age.isZero()) {
                throw new IllegalArgumentException("age: not above zero: " + age);
            }
        }

        /** Returns the age in nanoseconds, or {@link Long#MAX_VALUE} for ages of centuries. */
        long ageNanos() {
            return TimeUnit.NANOSECONDS.convert(age); // saturates
        }
    }
}
