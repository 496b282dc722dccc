/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A chart of an experiment: our rows, and published points beside them.
 *
 * @param kind lines need numbers on the x axis
 * @param where the rows that are drawn
 * @param x the column of the x axis
 * @param y the column of the y axis
 */
public record Chart(String title, Kind kind, Map<String, String> where, String x, String y, List<Point> published) {
    private static final int WIDTH = 800; // in pixels
    private static final int HEIGHT = 420;
    private static final BasicStroke OURS = new BasicStroke(2.5f);
    private static final BasicStroke DASHED =
            new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {9, 6}, 0);
    /** All are apart for colour-blind readers too. */
    private static final List<Color> COLORS = List.of(
            new Color(0x0072B2),
            new Color(0xE69F00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0x56B4E9),
            new Color(0xD55E00),
            new Color(0x8C8C00),
            new Color(0x000000));

    private static final List<Color> GRAYS = List.of(new Color(0x8A8A8A), new Color(0xBDBDBD), new Color(0x5A5A5A));

    /** How the values of a series are drawn. */
    public enum Kind {
        LINES,
        BARS
    }

    /** A published value. Its series is drawn dashed or gray. */
    public record Point(String series, Object x, double y) {}

    /** Writes the chart as a picture; nothing if there are no rows for it. */
    public void draw(List<Row> rows, Path file) throws IOException {
        Map<String, List<Point>> series = rows.stream()
                .filter(row -> row.matches(where)
                        && row.has(y)
                        && !row.text("setting").equals("none")) // all are relative to it
                .map(row -> new Point(row.text("setting"), row.text(x), row.number(y)))
                .collect(Collectors.groupingBy(Point::series, LinkedHashMap::new, Collectors.toList()));
        if (series.isEmpty()) {
            return;
        }
        published.forEach(point -> series.computeIfAbsent("published " + point.series, first -> new ArrayList<>())
                .add(point));
        System.setProperty("java.awt.headless", "true"); // before AWT is loaded: servers have no screen
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        BitmapEncoder.saveBitmap(kind == Kind.LINES ? lines(series) : bars(series), file.toString(), BitmapFormat.PNG);
    }

    private static @Nullable Color gray(String series, int number) {
        return series.startsWith("published ") ? GRAYS.get(number % GRAYS.size()) : null;
    }

    private XYChart lines(Map<String, List<Point>> series) {
        XYChart chart = new XYChart(WIDTH, HEIGHT);
        series.forEach((name, points) -> {
            int number = chart.getSeriesMap().size();
            XYSeries line = chart.addSeries(
                    name,
                    points.stream()
                            .mapToDouble(point -> Double.parseDouble(point.x.toString()))
                            .toArray(),
                    points.stream().mapToDouble(Point::y).toArray());
            Color gray = gray(name, number);
            line.setLineColor(gray == null ? COLORS.get(number % COLORS.size()) : gray)
                    .setLineStyle(gray == null ? OURS : DASHED);
            line.setMarkerColor(line.getLineColor());
            line.setMarker(gray == null ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
        });
        style(chart);
        return chart;
    }

    private CategoryChart bars(Map<String, List<Point>> series) {
        CategoryChart chart = new CategoryChart(WIDTH, HEIGHT);
        List<String> categories = series.values().stream()
                .flatMap(points -> points.stream().map(point -> point.x.toString()))
                .distinct()
                .toList();
        series.forEach((name, points) -> {
            Map<String, Double> heights = points.stream()
                    .collect(Collectors.toMap(point -> point.x.toString(), Point::y, (first, later) -> first));
            int number = chart.getSeriesMap().size();
            Color gray = gray(name, number);
            chart.addSeries(
                            name,
                            categories,
                            categories.stream().map(heights::get).toList())
                    .setFillColor(gray == null ? COLORS.get(number % COLORS.size()) : gray);
        });
        if (categories.stream().anyMatch(category -> category.length() > 12)) {
            chart.getStyler().setXAxisLabelRotation(30);
        }
        style(chart);
        return chart;
    }

    private void style(org.knowm.xchart.internal.chartpart.Chart<?, ?> chart) {
        chart.setTitle(title);
        chart.setXAxisTitle(x);
        chart.setYAxisTitle(y);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        if (chart.getStyler() instanceof org.knowm.xchart.style.AxesChartStyler axes) {
            axes.setYAxisMin(0.0);
        }
    }
}
