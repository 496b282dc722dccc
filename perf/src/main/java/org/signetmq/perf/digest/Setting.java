/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.util.function.LongConsumer;

/**
 * The conditions in which ways are compared.
 *
 * @param block bytes that are read, and in the published ways worked on, at once
 */
record Setting(Work.Kind work, Pace pace, int block) {
    /** The speed of disk and work. */
    enum Pace {
        /** The published rates: current processors digest faster than the published disk reads. */
        THROTTLED,
        /** As fast as the machine can. */
        UNTHROTTLED;

        /** The bytes that Linux reads ahead by default: so much comes from the disk while a thread works. */
        private static final long READ_AHEAD = 128 << 10;

        /** The bytes that late wake-ups of a thread may cost; a processor cannot work ahead. */
        private static final long LATENESS = 32 << 10;

        private LongConsumer limit(double rate, long capacity) {
            return this == THROTTLED ? TokenBucket.inRealTime(rate, capacity) : bytes -> {};
        }

        /** Returns a new limit on reading. */
        LongConsumer ofReading() {
            return limit(Published.READ_RATE, READ_AHEAD);
        }

        /** Returns a new limit on work. */
        LongConsumer ofWork() {
            return limit(Published.DIGEST_RATE, LATENESS);
        }
    }

    @Override
    public String toString() {
        return work + ", " + (pace == Pace.THROTTLED ? "throttled" : "unthrottled") + ", blocks of " + block;
    }
}
