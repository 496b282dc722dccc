/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class TextTableTest {
    @Test
    void columns_areAsWideAsTheirWidestCell_numbersToTheRight() {
        TextTable table =
                TextTable.of("NAME", "N").row("a", "1").row("longer", "-").row("b", "1000");

        assertThat(table.lines()).containsExactly("NAME       N", "a          1", "longer     -", "b       1000");
    }

    @Test
    void row_ofAnotherLength_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextTable.of("A", "B").row("a"));
    }
}
