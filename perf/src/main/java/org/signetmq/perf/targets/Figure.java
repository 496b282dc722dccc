/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.targets;

/**
 * Something measured.
 *
 * @param value NaN if it was not, or not all that it is made from
 * @param isNoisy whether it scatters too much to be relied on
 */
public record Figure(double value, boolean isNoisy) {
    /** Most over least of several measurements; beyond it something else kept the machine busy. */
    public static final double CALM_SPREAD = 1.5;

    /** One that does not depend on time. */
    public static Figure exact(double value) {
        return new Figure(value, false);
    }

    /** One of several measurements that scatter so much. */
    public static Figure scattered(double value, double spread) {
        return new Figure(value, spread > CALM_SPREAD);
    }

    /** The sum. */
    public Figure plus(Figure other) {
        return new Figure(value + other.value, isNoisy || other.isNoisy);
    }

    /** The ratio. */
    public Figure over(Figure other) {
        return new Figure(value / other.value, isNoisy || other.isNoisy);
    }

    boolean isMeasured() {
        return !Double.isNaN(value);
    }
}
