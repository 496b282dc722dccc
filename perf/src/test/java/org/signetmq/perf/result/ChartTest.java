/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;

final class ChartTest {
    private static final Axes AXES = new Axes("Round trips", "clients", "1/s", Scale.LINEAR);
    private static final Chart<Result> CHART = chart(AXES);
    private static final List<Result> ROWS = List.of(row("none", 1, 100), row("none", 32, 900));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void bars_areWrittenAsSvgAndPng() throws IOException {
        new ChartFolder(folder.resolve("charts")).write("rate", CHART.bars(ROWS));

        assertThat(folder.resolve("charts/rate.svg")).content().contains("<svg").contains("<path");
        BufferedImage image = ImageIO.read(folder.resolve("charts/rate.png").toFile());
        assertThat(image.getWidth()).isEqualTo(Chart.WIDTH);
    }

    @Test
    void lines_areWrittenAsSvgAndPng() throws IOException {
        XYChart chart = CHART.lines(ROWS);
        new ChartFolder(folder).write("scaling", chart);

        assertThat(folder.resolve("scaling.svg")).content().contains("<svg");
        assertThat(folder.resolve("scaling.png")).isNotEmptyFile();
        assertThat(Objects.requireNonNull(chart.getSeriesMap().get("none")).getXData())
                .containsExactly(1, 32);
        assertThat(chart.getSeriesMap().get("none").getYData()).containsExactly(100, 900);
    }

    @Test
    void missingValues_leaveGaps() throws IOException {
        CategoryChart chart = chart(new Axes("Round trips", "clients", "1/s", Scale.LOGARITHMIC))
                .bars(List.of(row("none", 1, Double.NaN), row("none", 32, 20), row("missing", 1, Double.NaN)));
        new ChartFolder(folder).write("gaps", chart);

        assertThat(folder.resolve("gaps.svg")).isNotEmptyFile();
        assertThat(chart.getSeriesMap()).containsOnlyKeys("none");
        assertThat(heights(chart, "none")).containsExactly("null", "20.0");
        assertThat(chart.getStyler().getYAxisMin()).isEqualTo(10);
    }

    @Test
    void severalRowsOfOnePlace_theFirstIsDrawn() {
        CategoryChart chart = CHART.bars(List.of(row("none", 1, 5), row("none", 1, 6), row("other", 1, 7)));

        assertThat(heights(chart, "none")).containsExactly("5.0");
        assertThat(heights(chart, "other")).containsExactly("7.0");
    }

    @Test
    void series_standInTheOrderOfTheirFirstRows() {
        CategoryChart chart = CHART.bars(
                List.of(row("late", 1, Double.NaN), row("early", 1, 5), row("late", 32, 6), row("early", 32, 7)));

        assertThat(chart.getSeriesMap().keySet()).containsExactly("late", "early");
        assertThat(heights(chart, "late")).containsExactly("null", "6.0");
    }

    @Test
    void longCategories_areWrittenAslant() {
        Chart<Result> names = new Chart<>(AXES, row -> "us", row -> row.text("name"), row -> row.number("rate"));

        assertThat(names.bars(List.of(row("twelve chars", 1, 1))).getStyler().getXAxisLabelRotation())
                .isZero();
        assertThat(names.bars(List.of(row("thirteen char", 1, 1))).getStyler().getXAxisLabelRotation())
                .isEqualTo(30);
    }

    @Test
    void logarithmicScale_isThatOfBothAxesOfLines_andOfTheHeightOfBars() {
        Chart<Result> chart = chart(new Axes("Round trips", "clients", "1/s", Scale.LOGARITHMIC));

        assertThat(chart.lines(ROWS).getStyler().isXAxisLogarithmic()).isTrue();
        assertThat(chart.lines(ROWS).getStyler().isYAxisLogarithmic()).isTrue();
        assertThat(chart.bars(ROWS).getStyler().isXAxisLogarithmic()).isFalse();
        assertThat(chart.bars(ROWS).getStyler().isYAxisLogarithmic()).isTrue();
        assertThat(CHART.bars(ROWS).getStyler().isYAxisLogarithmic()).isFalse();
        assertThat(CHART.lines(ROWS).getStyler().getYAxisMin()).isZero();
    }

    @Test
    void noRows_writeNoFile() throws IOException {
        ChartFolder charts = new ChartFolder(folder.resolve("none"));

        charts.bars("bars", CHART, List.of());
        charts.lines("lines", CHART, List.of());

        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void rows_areWrittenUnderTheNameOfTheChart() throws IOException {
        ChartFolder charts = new ChartFolder(folder);

        charts.bars("bars", CHART, ROWS);
        charts.lines("lines", CHART, ROWS);

        assertThat(folder).isDirectoryContaining("glob:**/bars.svg").isDirectoryContaining("glob:**/bars.png");
        assertThat(folder).isDirectoryContaining("glob:**/lines.svg").isDirectoryContaining("glob:**/lines.png");
    }

    private static Chart<Result> chart(Axes axes) {
        return new Chart<>(axes, row -> row.text("name"), row -> row.text("clients"), row -> row.number("rate"));
    }

    private static List<String> heights(CategoryChart chart, String series) {
        return Objects.requireNonNull(chart.getSeriesMap().get(series)).getYData().stream()
                .map(String::valueOf)
                .toList();
    }

    private static Result row(String name, int clients, double rate) {
        return Result.EMPTY.with("name", name).with("clients", clients).with("rate", rate);
    }
}
