/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {
    @TempDir
    private Path folder;

    @Test
    void rows_writtenAndRead_haveTheSameCells_withFiveDigits() throws IOException {
        Row one = Row.of("part", "a b").with("rate", 1234.5678).with("clients", 8);
        Row other = Row.of("part", "").with("share", 1e-7).with("rate", Double.NaN);
        Path file = folder.resolve("rows.csv");

        new ResultFile(List.of("machine: one, with a comma"), List.of(one, other)).write(file);

        assertThat(file).content().isEqualTo("""
                # machine: one, with a comma
                part,rate,clients,share
                a b,1234.6,8,
                ,,,0.0000001
                """);
        ResultFile read = ResultFile.read(file);
        assertThat(read.notes()).containsExactly("machine: one, with a comma");
        assertThat(read.rows().get(0).number("rate")).isEqualTo(1234.6);
        assertThat(read.rows().get(0).text("clients")).isEqualTo("8");
        assertThat(read.rows().get(0).has("share")).isFalse();
        assertThat(read.rows().get(1).number("share")).isEqualTo(1e-7);
        assertThat(read.rows().get(1).number("rate")).isNaN();
        new ResultFile(read.notes(), read.rows()).write(folder.resolve("again.csv"));
        assertThat(ResultFile.read(folder.resolve("again.csv"))).isEqualTo(read);
    }

    @Test
    void cellWithComma_isRefused_andTheFileStays() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.csv"), "before");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ResultFile(List.of(), List.of(Row.of("part", "a,b"))).write(file))
                .withMessage("cell: must have no comma and one line, found 'a,b'");
        assertThat(file).hasContent("before");
    }

    @Test
    void lineWithAnotherNumberOfCells_isReported() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.csv"), "a,b\n1,2,3\n");

        assertThatIOException()
                .isThrownBy(() -> ResultFile.read(file))
                .withMessage(file + ": must have 2 cells a line, found [1, 2, 3]");
    }
}
