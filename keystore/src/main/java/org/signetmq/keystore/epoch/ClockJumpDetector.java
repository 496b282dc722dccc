/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.epoch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Detects jumps of the wall clock against the monotonic clock. They occur when a machine continues from a snapshot or
 * after a pause. The keys in its memory may then also be in the memory of another machine. Thread-safe. It takes a lock
 * only after a change.
 */
final class ClockJumpDetector {
    /** The smallest difference that counts as a jump, in milliseconds. Usual corrections of a clock are smaller. */
    static final long JUMP_MILLIS = 5_000;

    /** The longest time between two comparisons, in nanoseconds, so that slow corrections do not add up. */
    private static final long FOLLOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier wallMillis;
    private volatile Seen seen;

    /**
     * A point in time.
     *
     * @param nanos the time of the monotonic clock in nanoseconds
     * @param jumps the number of jumps of the wall clock until then
     */
    record Moment(long nanos, long jumps) {}

    /** The number of jumps until a time of the monotonic clock, and the lead of the wall clock at that time. */
    private record Seen(long jumps, long aheadMillis, long nanos) {}

    ClockJumpDetector(LongSupplier wallMillis, long now) {
        this.wallMillis = wallMillis;
        this.seen = new Seen(0, ahead(now), now);
    }

    static ClockJumpDetector ofMachine() {
        return new ClockJumpDetector(System::currentTimeMillis, System.nanoTime());
    }

    /** Returns the number of jumps until now, a time of the monotonic clock in nanoseconds. */
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
