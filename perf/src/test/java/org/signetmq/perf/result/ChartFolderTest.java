/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChartFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void check_makesTheFolder_andLeavesNothingInIt() throws IOException {
        Path charts = folder.resolve("deep/charts");

        new ChartFolder(charts).check();

        assertThat(charts).isEmptyDirectory();
    }

    @Test
    void fileInItsPlace_isNoFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("charts"));

        assertThatIOException().isThrownBy(new ChartFolder(file)::check).withMessage("is not a folder");
    }

    @Test
    void fileInThePlaceOfAParent_keepsTheFolderFromBeingMade() throws IOException {
        Path charts = Files.createFile(folder.resolve("file")).resolve("charts");

        assertThatIOException().isThrownBy(new ChartFolder(charts)::check).withMessage("the folder cannot be made");
    }

    @Test
    void secondChartOfOneName_getsANumber_andTheFirstStays() throws IOException {
        Chart<Result> chart = new Chart<>(
                new Chart.Axes("losses", "bytes", "percent", Chart.Scale.LINEAR),
                row -> row.text("setting"),
                row -> row.text("bytes"),
                row -> row.number("loss"));
        ChartFolder charts = ChartFolder.ofVectors(folder);

        charts.bars("one", chart, List.of(loss("gocryptfs")));
        String first = Files.readString(folder.resolve("one.svg"));
        charts.bars("one", chart, List.of(loss("fscrypt")));

        assertThat(charts.written()).containsExactly("one", "one-2");
        assertThat(folder.resolve("one.svg")).hasContent(first);
        assertThat(Files.readString(folder.resolve("one-2.svg")).equals(first)).isFalse(); // its legend differs
    }

    private static Result loss(String setting) {
        return Result.EMPTY.with("setting", setting).with("bytes", "2048").with("loss", 22.0);
    }
}
