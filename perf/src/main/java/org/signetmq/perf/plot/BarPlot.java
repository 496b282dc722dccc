/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * Groups of bars: one group per category, one bar in it per series.
 *
 * @param axes title and axes
 * @param categories of the horizontal axis, in order
 * @param series by name, in order; each has one value per category, NaN where there is no bar
 */
public record BarPlot(Axes axes, List<String> categories, Map<String, List<Double>> series) implements Plot {
    private static final int LONG_NAME = 12;

    public BarPlot {
        categories = List.copyOf(categories);
        Map<String, List<Double>> copy = new LinkedHashMap<>();
        for (Map.Entry<String, List<Double>> entry : series.entrySet()) {
            if (entry.getValue().size() != categories.size()) {
                throw new IllegalArgumentException("series " + entry.getKey() + ": must have one value per category");
            }
            copy.put(entry.getKey(), List.copyOf(entry.getValue()));
        }
        series = copy;
    }

    @Override
    public CategoryChart draw() {
        CategoryChart chart = new CategoryChartBuilder()
                .width(ChartSize.WIDTH)
                .height(ChartSize.HEIGHT)
                .title(axes.title())
                .xAxisTitle(axes.x())
                .yAxisTitle(axes.y())
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        if (axes.isLogarithmic()) {
            chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(magnitudeBelow());
        } else {
            chart.getStyler().setYAxisMin(0.0);
        }
        if (categories.stream().anyMatch(category -> category.length() > LONG_NAME)) {
            chart.getStyler().setXAxisLabelRotation(60);
        }
        chart.getStyler().setAvailableSpaceFill(0.8);
        series.forEach((name, values) -> {
            if (values.stream().anyMatch(BarPlot::isDrawn)) {
                chart.addSeries(name, categories, gaps(values));
            }
        });
        return chart;
    }

    private static boolean isDrawn(double value) {
        return !Double.isNaN(value);
    }

    /** The library has null for them. */
    private static List<@Nullable Double> gaps(List<Double> values) {
        List<@Nullable Double> gaps = new ArrayList<>();
        for (Double value : values) {
            gaps.add(isDrawn(value) ? value : null);
        }
        return gaps;
    }

    /** Where bars of several magnitudes begin: there is no zero. */
    private double magnitudeBelow() {
        double least = series.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .filter(BarPlot::isDrawn)
                .min()
                .orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }
}
