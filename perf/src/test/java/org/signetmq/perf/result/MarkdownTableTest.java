/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MarkdownTableTest {
    @ParameterizedTest
    @CsvSource({
        "9.9994, 9.999",
        "9.9996, 10.000",
        "10.0, 10.0",
        "-9.5, -9.500",
        "-123.45, -123.5",
        "0.0, 0.000",
        "12, 12",
        "1234567, 1234567",
        "true, true",
        "null, ''"
    })
    void cell_hasThreeDigitsBelowTenAndOneAbove(String json, String cell) throws Exception {
        assertThat(cellOf(json)).isEqualTo(cell);
    }

    @Test
    void cell_hasAPointInEveryLanguage() throws Exception {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(cellOf("1.5")).isEqualTo("1.500");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void fieldsOfObjects_standWhereTheirObjectStands() {
        List<Result> rows = List.of(
                Result.EMPTY.with("runs.count", 3).with("name", "a").with("runs.rate.min", 1),
                Result.EMPTY.with("name", "b").with("runs.rate.max", 2));

        assertThat(MarkdownTable.of(rows, field -> true).lines())
                .containsExactly(
                        "| runs.count | runs.rate.min | name | runs.rate.max |",
                        "| --- | --- | --- | --- |",
                        "| 3 | 1 | a |  |",
                        "|  |  | b | 2 |");
    }

    @Test
    void fieldsNotShown_haveNoColumn() {
        List<Result> rows = List.of(Result.EMPTY.with("name", "a").with("cold.rate", 1));

        assertThat(MarkdownTable.of(rows, field -> !field.startsWith("cold."))).isEqualTo("| name |\n| --- |\n| a |\n");
    }

    private static String cellOf(String json) throws Exception {
        Result row = new Result(new ObjectMapper().readTree("{\"value\":" + json + "}"));
        String line =
                MarkdownTable.of(List.of(row), field -> true).lines().toList().get(2);
        return line.substring(2, line.length() - 2);
    }
}
