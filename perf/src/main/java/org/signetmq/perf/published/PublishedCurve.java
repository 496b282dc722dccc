/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.published;

import java.util.List;

/**
 * One row or line of a published figure.
 *
 * @param x ascending
 * @param y a value for each x
 */
public record PublishedCurve(String name, List<Double> x, List<Double> y) {
    /**
     * Makes a curve.
     *
     * @throws IllegalArgumentException if there is no point, an x without y, or an x that does not ascend
     */
    public PublishedCurve {
        x = List.copyOf(x);
        y = List.copyOf(y);
        if (x.isEmpty() || x.size() != y.size()) {
            throw new IllegalArgumentException(
                    "curve '" + name + "': must have a y for each x, found " + y.size() + " for " + x.size());
        }
        if (!x.stream().sorted().distinct().toList().equals(x)) {
            throw new IllegalArgumentException("curve '" + name + "': x must ascend, found " + x);
        }
    }

    /**
     * Returns the published value at exactly this x.
     *
     * @throws IllegalArgumentException if the document has none there
     */
    public double at(double where) {
        int index = x.indexOf(where);
        if (index < 0) {
            throw new IllegalArgumentException("curve '" + name + "': no value at " + where + ", only at " + x);
        }
        return y.get(index);
    }
}
