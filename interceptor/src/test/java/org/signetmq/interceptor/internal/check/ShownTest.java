/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShownTest {
    @Test
    void name_isQuoted() {
        assertThat(Shown.name("orders.#")).isEqualTo("'orders.#'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2J",
                "\r\n",
                "\u0000",
                "\u009b",
                "\u2028",
                "\u202e",
                "\u200b",
                "\ud800",
                "\u007f",
                "\ufeff"
            })
    void unfitCharacters_areReplaced(String unfit) {
        String shown = Shown.text("a" + unfit + "b");

        assertThat(shown).startsWith("a?").endsWith("b").doesNotContain(unfit.substring(0, 1));
    }

    @Test
    void longTexts_areCut_alsoBetweenTheHalvesOfACharacter() {
        assertThat(Shown.name("x".repeat(10_000)))
                .hasSize(Shown.LONGEST_NAME + 2)
                .endsWith("...'");
        assertThat(Shown.text("x".repeat(10_000))).hasSize(Shown.LONGEST_TEXT);
        for (int before = 0; before < 2; before++) {
            String cut = Shown.text("x".repeat(before) + "\ud83d\ude00".repeat(1000));
            assertThat(cut).hasSizeLessThanOrEqualTo(Shown.LONGEST_TEXT);
            assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(cut);
        }
    }
}
