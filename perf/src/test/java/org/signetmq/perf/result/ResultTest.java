/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultTest {
    @Test
    void fields_keepTheirOrder_andObjectsTheirs() throws Exception {
        Result row = Result.EMPTY
                .with("name", "none")
                .with("cold.cpu.broker", 0.5)
                .with("count", 3)
                .with("cold.cpu.client", 1.5);

        assertThat(new ObjectMapper().writeValueAsString(row))
                .isEqualTo("{\"name\":\"none\",\"cold\":{\"cpu\":{\"broker\":0.5,\"client\":1.5}},\"count\":3}");
        assertThat(row.number("cold.cpu.client")).isEqualTo(1.5);
        assertThat(row.is("count", 3)).isTrue();
        assertThat(Result.EMPTY.json()).isEmpty();
    }

    @Test
    void row_isNotChangedByRowsMadeOfIt() {
        Result row = Result.EMPTY.with("cold.rate", 1.0);

        Result more = row.with("cold.rate", 2.0).with("cold.share", 0.5);

        assertThat(row.number("cold.rate")).isEqualTo(1);
        assertThat(row.has("cold.share")).isFalse();
        assertThat(more.number("cold.rate")).isEqualTo(2);
        assertThat(Result.EMPTY.has("cold")).isFalse();
    }

    @Test
    void rowOfAnArray_isTheSameAsOneMadeOfItsFields() throws Exception {
        JsonNode array = new ObjectMapper().readTree("[{\"name\":\"a\",\"cold\":{\"rate\":1.5}},{}]");

        assertThat(Result.list(array))
                .containsExactly(Result.EMPTY.with("name", "a").with("cold.rate", 1.5), Result.EMPTY);
        assertThat(Result.list(array.path("missing"))).isEmpty();
    }

    @Test
    void numberAsText_isThatOfJson() {
        Result row = Result.EMPTY.with("count", 3).with("rate", 0.5).with("name", "3");

        assertThat(row.text("count")).isEqualTo("3");
        assertThat(row.text("rate")).isEqualTo("0.5");
        assertThat(row.is("name", 3)).isTrue();
        assertThat(row.is("count", 4)).isFalse();
        assertThat(row.is("missing", "")).isTrue();
    }

    @Test
    void missingNumber_isNaN_andNaNIsLeftOut() {
        Result row = Result.EMPTY.with("rate", Double.NaN).with("name", "none");

        assertThat(row.has("rate")).isFalse();
        assertThat(row.number("rate")).isNaN();
        assertThat(row.number("name")).isNaN();
        assertThat(row.text("rate")).isEmpty();
    }

    @Test
    void markdown_hasAColumnForEachFieldOfAnyRow() {
        List<Result> rows = List.of(
                Result.EMPTY.with("name", "a").with("cold.rate", 12.34),
                Result.EMPTY.with("name", "b").with("count", 1200).with("cold.rate", 1.0));

        assertThat(MarkdownTable.of(rows, field -> true))
                .isEqualTo(
                        "| name | cold.rate | count |\n| --- | --- | --- |\n| a | 12.3 |  |\n| b | 1.000 | 1200 |\n");
        assertThat(MarkdownTable.of(rows, field -> field.equals("count")))
                .isEqualTo("| count |\n| --- |\n|  |\n| 1200 |\n");
    }
}
