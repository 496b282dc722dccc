/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

/** A measured figure: NaN if a part of it was not measured, noisy if it scatters too much to be relied on. */
public record Figure(double value, boolean isNoisy) {
    /** Most over least of several measurements; beyond it other programs kept the machine busy. */
    public static final double CALM_SPREAD = 1.5;

    /** Returns a figure that does not depend on time. */
    public static Figure exact(double value) {
        return new Figure(value, false);
    }

    /** Returns a figure of several measurements. Its spread is the largest over the smallest. */
    public static Figure scattered(double value, double spread) {
        return new Figure(value, spread > CALM_SPREAD);
    }

    public Figure plus(Figure other) {
        return new Figure(value + other.value, isNoisy || other.isNoisy);
    }

    public Figure over(Figure other) {
        return new Figure(value / other.value, isNoisy || other.isNoisy);
    }
}
