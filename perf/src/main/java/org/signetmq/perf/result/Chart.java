/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.ChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;

/**
 * A chart of rows, drawn as bars or as lines.
 *
 * @param <T> a row
 * @param axes title and axes
 * @param series the name of a row's bars or line
 * @param x the place of a row on the horizontal axis: the category of a bar, the number of a point
 * @param y the height of a row; no bar if it is NaN
 */
public record Chart<T>(Axes axes, Function<T, String> series, Function<T, ?> x, ToDoubleFunction<T> y) {
    /** In pixels; fits a page of documentation. */
    static final int WIDTH = 1000;

    private static final int HEIGHT = 560;
    private static final int LONG_NAME = 12;

    /**
     * The texts and the scale of a chart.
     *
     * @param title above it
     * @param x title of the horizontal axis
     * @param y title of the vertical axis
     * @param scale of both axes; of bars, of the vertical one
     */
    public record Axes(String title, String x, String y, Scale scale) {}

    /** How a value becomes a place. */
    public enum Scale {
        /** From zero on. */
        LINEAR,
        /** For values of several magnitudes. */
        LOGARITHMIC
    }

    /** Draws groups of bars: a group for each x, a bar in it for each series. The first row of a place counts. */
    public CategoryChart bars(List<T> rows) {
        List<String> categories =
                rows.stream().map(row -> x.apply(row).toString()).distinct().toList();
        Map<String, List<@Nullable Double>> barsOf = new LinkedHashMap<>();
        for (T row : rows) {
            List<@Nullable Double> bars = barsOf.computeIfAbsent(
                    series.apply(row), first -> Arrays.asList(new @Nullable Double[categories.size()]));
            int category = categories.indexOf(x.apply(row).toString());
            double height = y.applyAsDouble(row);
            if (bars.get(category) == null && !Double.isNaN(height)) {
                bars.set(category, height);
            }
        }
        barsOf.values().removeIf(bars -> bars.stream().allMatch(Objects::isNull));

        CategoryChart chart = titled(new CategoryChartBuilder());
        if (axes.scale() == Scale.LOGARITHMIC) {
            chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(magnitudeBelow(rows));
        }
        if (categories.stream().anyMatch(category -> category.length() > LONG_NAME)) {
            chart.getStyler().setXAxisLabelRotation(60);
        }
        chart.getStyler().setAvailableSpaceFill(0.8);
        barsOf.forEach((name, bars) -> chart.addSeries(name, categories, bars));
        return chart;
    }

    /** Returns the bottom of bars of several magnitudes: there is no zero. */
    private double magnitudeBelow(List<T> rows) {
        double least = rows.stream()
                .mapToDouble(y)
                .filter(height -> !Double.isNaN(height))
                .min()
                .orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }

    /** Draws a line for each series, through its rows in their order. */
    public XYChart lines(List<T> rows) {
        XYChart chart = titled(new XYChartBuilder());
        if (axes.scale() == Scale.LOGARITHMIC) {
            chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        }
        rows.stream()
                .collect(Collectors.groupingBy(series, LinkedHashMap::new, Collectors.toList()))
                .forEach((name, points) -> chart.addSeries(
                        name,
                        points.stream()
                                .mapToDouble(point ->
                                        Double.parseDouble(x.apply(point).toString()))
                                .toArray(),
                        points.stream().mapToDouble(y).toArray()));
        return chart;
    }

    private <C extends org.knowm.xchart.internal.chartpart.Chart<? extends AxesChartStyler, ?>> C titled(
            ChartBuilder<?, C> builder) {
        builder.width(WIDTH);
        builder.height(HEIGHT);
        C chart = builder.build();
        chart.setTitle(axes.title());
        chart.setXAxisTitle(axes.x());
        chart.setYAxisTitle(axes.y());
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        if (axes.scale() == Scale.LINEAR) {
            chart.getStyler().setYAxisMin(0.0);
        }
        return chart;
    }
}
