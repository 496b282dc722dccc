/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that the wall clock jumped against the monotonic clock. That happens when a machine continues from a snapshot
 * or after a pause. The keys in its memory may then also be in the memory of another machine. Thread-safe, and without
 * a lock unless something changed.
 */
final class ClockJumpDetector {
    /** Corrections of a clock are smaller, unless it was wrong before. */
    static final long JUMP_MILLIS = 5_000;

    /** The watch follows slow corrections: it compares with the times of the last minute. */
    private static final long FOLLOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier wallMillis;
    private volatile Seen seen;

    /** The jumps until a time of the monotonic clock, and how far the wall clock was ahead of it then. */
    private record Seen(long jumps, long aheadMillis, long nanos) {}

    ClockJumpDetector(LongSupplier wallMillis, long now) {
        this.wallMillis = wallMillis;
        this.seen = new Seen(0, ahead(now), now);
    }

    static ClockJumpDetector ofMachine() {
        return new ClockJumpDetector(System::currentTimeMillis, System.nanoTime());
    }

    /** How many jumps there were until now, by the monotonic clock in nanoseconds. */
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
