/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PrintableTextTest {
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
        String shown = PrintableText.of("a" + unfit + "b");

        assertThat(shown).startsWith("a?").endsWith("b").doesNotContain(unfit.substring(0, 1));
    }

    @Test
    void longTexts_areCut_alsoBetweenTheHalvesOfACharacter() {
        assertThat(PrintableText.of("x".repeat(10), 10)).isEqualTo("x".repeat(10));
        assertThat(PrintableText.of("x".repeat(11), 10)).isEqualTo("xxxxxxx...");
        for (int before = 0; before < 2; before++) {
            String cut = PrintableText.of("x".repeat(before) + "\ud83d\ude00".repeat(1000), 100);
            assertThat(cut).hasSizeLessThanOrEqualTo(100);
            assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(cut);
        }
    }
}
