/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

/**
 * What a chart says of itself.
 *
 * @param title above it
 * @param x what the horizontal axis shows
 * @param y what the vertical axis shows
 * @param scale of both axes; of bars, of the vertical one
 */
public record Axes(String title, String x, String y, Scale scale) {
    /** How a value becomes a place. */
    public enum Scale {
        /** From zero on. */
        LINEAR,
        /** For values of several magnitudes. */
        LOGARITHMIC
    }

    /** On a linear scale. */
    public Axes(String title, String x, String y) {
        this(title, x, y, Scale.LINEAR);
    }

    boolean isLogarithmic() {
        return scale == Scale.LOGARITHMIC;
    }
}
