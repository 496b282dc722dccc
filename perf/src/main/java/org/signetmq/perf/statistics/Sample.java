/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

import java.util.List;

public record Sample(double[] sorted) {
    public record Interval(double low, double high) {}

    public static Sample of(List<Double> values) {
        return new Sample(values.stream().mapToDouble(v -> v).sorted().toArray());
    }

    public double median() {
        int m = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[m] : (sorted[m - 1] + sorted[m]) / 2;
    }

    public double minimum() {
        return sorted[0];
    }

    public double maximum() {
        return sorted[sorted.length - 1];
    }

    public Interval interval() {
        return new Interval(minimum(), maximum());
    }
}
