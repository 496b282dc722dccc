/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

/** The values from a lower to an upper end, both included. */
public record Interval(double low, double high) {
    /** Makes an interval. */
    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("interval: must not end before it begins, found " + low + " to " + high);
        }
    }

    /** Tells whether the value lies between the ends, or is one of them. */
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
