/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
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
                "\udc00",
                "\u2066",
                "\ufe0f",
                "\u2800",
                "\u3164",
                "\u200d",
                "\u00a0",
                "\u2003",
                "\ue000",
                "\udb40\udd00",
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

    @Test
    void joinersOfScriptsThatNeedThem_stay() {
        String word = "\u0645\u06cc\u200c\u062e \ud83d\ude00";

        assertThat(PrintableText.of(word)).isEqualTo(word);
        assertThat(PrintableText.of("\u0645\u200c\u200c")).isEqualTo("\u0645\u200c?");
    }

    @Test
    void wordsAndQuotedNames_haveOneEnd() {
        assertThat(PrintableText.word("orders.eu::q")).isEqualTo("orders.eu::q");
        assertThat(PrintableText.word(null)).isEqualTo("-");
        assertThat(PrintableText.word("x, user root")).isEqualTo("'x, user root'");
        assertThat(PrintableText.quoted("a'b\"c\\")).isEqualTo("'a\\'b\\\"c\\\\'");
        assertThat(PrintableText.word("{\"event\":\"x\"}")).doesNotContain("\"event\"");
        assertThat(PrintableText.word("x".repeat(10_000))).hasSize(PrintableText.LONGEST_NAME);
    }

    @Test
    void exceptions_haveFitTextsOfALimitedLength() {
        String hostile = "a\nb\u001b[31m\u202e" + "x".repeat(10_000);

        for (Exception made : List.of(
                new KeystoreUnusableException(hostile),
                new CertificateRejectedException(CertificateRejectedException.Reason.EXPIRED, hostile))) {
            assertThat(made.getMessage()).startsWith("a?b?[31m?").hasSize(PrintableText.LONGEST_REASON);
        }
    }
}
