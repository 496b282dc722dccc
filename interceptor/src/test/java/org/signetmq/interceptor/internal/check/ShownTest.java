/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShownTest {
    @Test
    void name_isQuoted() {
        assertThat(Shown.name("orders.#")).isEqualTo("'orders.#'");
        assertThat(Shown.name("a\u202eb")).isEqualTo("'a?b'");
    }

    @Test
    void longTexts_areCut() {
        assertThat(Shown.name("x".repeat(10_000)))
                .hasSize(Shown.LONGEST_NAME + 2)
                .endsWith("...'");
        assertThat(Shown.text("x".repeat(10_000))).hasSize(Shown.LONGEST_TEXT);
    }
}
