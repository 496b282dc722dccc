/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import org.signetmq.perf.rr.Phase.Figures;

/**
 * One measurement, with what the same load came to without protection right before and after.
 *
 * @param figures of the variant
 * @param before without protection
 * @param after without protection
 */
record Sample(Figures figures, Figures before, Figures after) {
    static Sample unprotected(Figures figures) {
        return new Sample(figures, figures, figures);
    }

    /** Round trips per second, as a share of those without protection. */
    double shareOfNone() {
        return figures.rate() / mean(before.rate(), after.rate());
    }

    /** Processor time per round trip of both processes, as a multiple of that without protection. */
    double cpuOfNone() {
        return figures.cpuOfBoth() / mean(before.cpuOfBoth(), after.cpuOfBoth());
    }

    private static double mean(double one, double other) {
        return (one + other) / 2;
    }
}
