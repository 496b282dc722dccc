/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;

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
