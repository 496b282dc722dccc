/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TableTest {
    private static final List<Row> ROWS = List.of(
            Row.of("setting", "none").with("clients", 8).with("share", 1.0).with("rate", 6543.21),
            Row.of("setting", "confidentiality").with("clients", 16).with("share", 0.91234));
    private static final List<String> COLUMNS = List.of("setting", "clients", "share", "rate", "missing");

    @TempDir
    private Path folder;

    @Test
    void table_isAligned_withoutEmptyColumns() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        new Table(COLUMNS, ROWS).print(new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "setting          clients  share  rate",
                        "none                   8      1  6543",
                        "confidentiality       16  0.912");
    }

    @Test
    void table_isMarkdown() {
        assertThat(new Table(COLUMNS, ROWS).markdown()).isEqualTo("""
                | setting | clients | share | rate |
                | --- | --: | --: | --: |
                | none | 8 | 1 | 6543 |
                | confidentiality | 16 | 0.912 |  |
                """);
    }

    @ParameterizedTest
    @EnumSource(Chart.Kind.class)
    void chart_isDrawn_ifThereAreRowsForIt(Chart.Kind kind) throws IOException {
        List<Chart.Point> published = List.of(new Chart.Point("none", 8, 1), new Chart.Point("none", 81, 0.9));
        Chart chart = new Chart("Title", kind, Map.of(), "clients", "share", published);
        Path file = folder.resolve("charts/chart.png");

        chart.draw(List.of(), file);
        assertThat(file).doesNotExist();
        chart.draw(ROWS, file);

        assertThat(file).isNotEmptyFile();
    }
}
