/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlotFolderTest {
    private static final Axes AXES = new Axes("Round trips", "clients", "1/s");

    @TempDir
    private Path folder;

    @Test
    void bars_areWrittenAsSvgAndPng() throws IOException {
        BarPlot plot = new BarPlot(AXES, List.of("1", "32"), Map.of("none", List.of(1.0, 2.0)));

        new PlotFolder(folder.resolve("charts")).write("rate", plot);

        assertThat(folder.resolve("charts/rate.svg")).content().contains("<svg").contains("<path");
        BufferedImage image = ImageIO.read(folder.resolve("charts/rate.png").toFile());
        assertThat(image.getWidth()).isEqualTo(ChartSize.WIDTH);
    }

    @Test
    void lines_areWrittenAsSvgAndPng() throws IOException {
        LinePlot plot =
                new LinePlot(AXES, Map.of("none", new LinePlot.Points(List.of(1.0, 32.0), List.of(100.0, 900.0))));

        new PlotFolder(folder).write("scaling", plot);

        assertThat(folder.resolve("scaling.svg")).content().contains("<svg");
        assertThat(folder.resolve("scaling.png")).isNotEmptyFile();
    }

    @Test
    void missingValues_leaveGaps() throws IOException {
        BarPlot plot = new BarPlot(
                new Axes("Round trips", "clients", "1/s", Axes.Scale.LOGARITHMIC),
                List.of("1", "32"),
                Map.of("none", List.of(Double.NaN, 20.0), "missing", List.of(Double.NaN, Double.NaN)));

        new PlotFolder(folder).write("gaps", plot);

        assertThat(folder.resolve("gaps.svg")).isNotEmptyFile();
        assertThat(plot.draw().getSeriesMap()).containsOnlyKeys("none");
        assertThat(plot.draw().getSeriesMap().values())
                .flatExtracting(series ->
                        series.getYData().stream().map(String::valueOf).toList())
                .containsExactly("null", "20.0");
    }

    @Test
    void seriesOfAnotherLength_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BarPlot(AXES, List.of("1"), Map.of("none", List.of(1.0, 2.0))))
                .withMessageContaining("none");
    }
}
