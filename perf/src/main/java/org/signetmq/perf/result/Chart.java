/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static java.util.stream.Collectors.filtering;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

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
    static final int WIDTH = 1000; // in pixels; fits a page of documentation
    private static final int HEIGHT = 560;
    private static final int LONG_NAME = 12;
    /** Degrees of long labels; many of them need more. */
    private static final int SLANT = 30;

    private static final int STEEP = 60;
    private static final int MANY = 8;
    private static final Color GRID = new Color(0xE4E4E4);
    private static final BasicStroke SOLID = new BasicStroke(1); // each dash would be a shape

    /** The title of a chart, those of both axes, and their scale; that of bars is only vertical. */
    public record Axes(String title, String x, String y, Scale scale) {}

    /** The scale of an axis: from zero on, or for values of several magnitudes. */
    public enum Scale {
        LINEAR,
        LOGARITHMIC
    }

    /** Draws groups of bars: a group for each x, a bar in it for each series. The first row of a place counts. */
    public CategoryChart bars(List<T> rows) {
        CategoryChart chart = titled(new CategoryChart(WIDTH, HEIGHT));
        chart.getStyler().setAvailableSpaceFill(0.8);
        if (axes.scale == Scale.LOGARITHMIC) {
            chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(magnitudeBelow(rows));
        }
        List<String> categories = rows.stream().map(this::category).distinct().toList();
        if (categories.stream().anyMatch(category -> category.length() > LONG_NAME)) {
            chart.getStyler().setXAxisLabelRotation(categories.size() > MANY ? STEEP : SLANT);
        }
        Map<String, Map<String, Double>> bars = rows.stream()
                .collect(groupingBy(
                        series,
                        LinkedHashMap::new,
                        filtering(this::hasHeight, toMap(this::category, y::applyAsDouble, (first, later) -> first))));
        bars.values().removeIf(Map::isEmpty);
        bars.forEach((name, heights) -> chart.addSeries(
                        name, categories, categories.stream().map(heights::get).toList())
                .setFillColor(SeriesStyle.ofBars(name, chart.getSeriesMap().size() - 1)
                        .color()));
        return chart;
    }

    private String category(T row) {
        return x.apply(row).toString();
    }

    private boolean hasHeight(T row) {
        return !Double.isNaN(y.applyAsDouble(row));
    }

    /** Returns the bottom of bars of several magnitudes: there is no zero. */
    private double magnitudeBelow(List<T> rows) {
        double least =
                rows.stream().filter(this::hasHeight).mapToDouble(y).min().orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }

    /** Draws a line for each series, through its rows in their order. */
    public XYChart lines(List<T> rows) {
        XYChart chart = titled(new XYChart(WIDTH, HEIGHT));
        if (axes.scale == Scale.LOGARITHMIC) {
            chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        }
        rows.stream().collect(groupingBy(series, LinkedHashMap::new, toList())).forEach((name, points) -> {
            ToDoubleFunction<T> number = point -> Double.parseDouble(category(point));
            SeriesStyle style = SeriesStyle.ofLine(name, chart.getSeriesMap().size());
            XYSeries line = chart.addSeries(
                    name,
                    points.stream().mapToDouble(number).toArray(),
                    points.stream().mapToDouble(y).toArray());
            line.setLineColor(style.color()).setLineStyle(style.stroke());
            line.setMarkerColor(style.color());
            line.setMarker(SeriesStyle.isPublished(name) ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
        });
        return chart;
    }

    private <C extends org.knowm.xchart.internal.chartpart.Chart<? extends AxesChartStyler, ?>> C titled(C chart) {
        chart.setTitle(axes.title);
        chart.setXAxisTitle(axes.x);
        chart.setYAxisTitle(axes.y);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE).setLegendBorderColor(Color.WHITE);
        chart.getStyler()
                .setPlotGridLinesColor(GRID)
                .setPlotGridLinesStroke(SOLID)
                .setPlotBorderColor(GRID);
        if (axes.scale == Scale.LINEAR) {
            chart.getStyler().setYAxisMin(0.0);
        }
        return chart;
    }
}
