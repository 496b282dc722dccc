/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

import org.knowm.xchart.internal.chartpart.Chart;

/** A chart that is still to be drawn. */
public sealed interface Plot permits BarPlot, LinePlot {
    /** Draws it; a screen is not needed. */
    Chart<?, ?> draw();
}
