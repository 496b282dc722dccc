/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

/**
 * A stretch of load under one variant, with connections and opened-key caches of its own: first cold, then warm.
 *
 * @param variant how messages are protected
 * @param load how much
 * @param times how long
 */
record Block(Variant variant, Load load, Times times) {
    /**
     * How long a block lasts.
     *
     * @param coldMillis from the first request on
     * @param warmMillis after that
     */
    record Times(long coldMillis, long warmMillis) {
        private static final long MOST_COLD_MILLIS = 1_000;

        /** Measured warm for so many seconds. */
        static Times of(int seconds) {
            if (seconds < 1) {
                throw new IllegalArgumentException("seconds: must be above zero, found " + seconds);
            }
            return new Times(Math.min(MOST_COLD_MILLIS, seconds * 500L), seconds * 1_000L);
        }

        /** As long, but nobody looks at what is cold. */
        Times withoutCold() {
            return new Times(0, warmMillis);
        }
    }
}
