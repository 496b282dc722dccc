/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * How something scales: lines through points.
 *
 * @param axes title and axes
 * @param lines by name, in order
 */
public record LinePlot(Axes axes, Map<String, Points> lines) implements Plot {
    /** The points of one line. */
    public record Points(List<Double> x, List<Double> y) {
        public Points {
            x = List.copyOf(x);
            y = List.copyOf(y);
            if (x.size() != y.size()) {
                throw new IllegalArgumentException("points: must have as many y as x");
            }
        }
    }

    public LinePlot {
        lines = new LinkedHashMap<>(lines);
    }

    @Override
    public XYChart draw() {
        XYChart chart = new XYChartBuilder()
                .width(ChartSize.WIDTH)
                .height(ChartSize.HEIGHT)
                .title(axes.title())
                .xAxisTitle(axes.x())
                .yAxisTitle(axes.y())
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        if (axes.isLogarithmic()) {
            chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        } else {
            chart.getStyler().setYAxisMin(0.0);
        }
        lines.forEach((name, points) -> chart.addSeries(name, points.x(), points.y()));
        return chart;
    }
}
