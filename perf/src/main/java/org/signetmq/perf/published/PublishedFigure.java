/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.published;

import java.util.List;

/**
 * A figure or table of a document.
 *
 * @param x the meaning of all x, with their unit
 * @param y the meaning of all y, with their unit
 */
public record PublishedFigure(String name, String x, String y, List<PublishedCurve> curves) {
    public PublishedFigure {
        curves = List.copyOf(curves);
    }

    /**
     * Returns the curve with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public PublishedCurve curve(String wanted) {
        return curves.stream()
                .filter(curve -> curve.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("curve: '" + wanted + "' is not in figure '" + name
                        + "', only " + curves.stream().map(PublishedCurve::name).toList()));
    }
}
