/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.statistics;

import java.util.List;

/**
 * The law of key reuse, T(N) = T∞ + K/N, fitted to measured times by least squares.
 *
 * @param unlimited T∞, the time of a message under a key without limit
 * @param perKey K, the cost of a key for its first message
 * @param r2 R², which is 1 if the law holds exactly, and NaN if all times are the same
 */
public record ReuseLaw(double unlimited, double perKey, double r2) {
    /**
     * A measured time.
     *
     * @param keysPerMessage 1/N, 0 for a key without limit
     * @param time the time of a message; the law has the same unit
     */
    public record Point(double keysPerMessage, double time) {}

    /**
     * Returns the law that fits best.
     *
     * @throws IllegalArgumentException if the points have fewer than two different numbers of keys per message
     */
    public static ReuseLaw fit(List<Point> points) {
        if (points.stream().mapToDouble(Point::keysPerMessage).distinct().count() < 2) {
            throw new IllegalArgumentException("points: must have two or more numbers of uses, found " + points);
        }
        double meanX =
                points.stream().mapToDouble(Point::keysPerMessage).average().orElseThrow();
        double meanY = points.stream().mapToDouble(Point::time).average().orElseThrow();
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (Point point : points) {
            double x = point.keysPerMessage() - meanX;
            double y = point.time() - meanY;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        double slope = xy / xx;
        return new ReuseLaw(meanY - slope * meanX, slope, xy * xy / (xx * yy));
    }

    /** Returns the time of a message under a key that is used this number of times. */
    public double time(double uses) {
        return unlimited + perKey / uses;
    }
}
