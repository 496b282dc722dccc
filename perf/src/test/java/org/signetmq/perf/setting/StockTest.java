/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.signetmq.perf.setting.Stock.Kind;

final class StockTest {
    @Test
    void stock_isReadFromItsJson() {
        Stock stock = new Stock("a", Kind.PAGED, 7, new byte[] {0, -1, 2});

        Stock read = Stock.of(stock.json());

        assertThat(read).usingRecursiveComparison().isEqualTo(stock);
        assertThat(read.address()).isEqualTo("rr.paged.a");
    }

    @Test
    void stockWithoutMessages_isRejected() {
        assertThatThrownBy(() -> new Stock("a", Kind.JOURNAL, 0, new byte[0]))
                .hasMessage("messages: must be above zero, found 0");
    }
}
