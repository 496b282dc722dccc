/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds the known word that a mistyped one may mean, and none for a word that is far from all. */
final class NearestWordTest {
    private static final List<String> KNOWN = List.of("recipients", "signers", "key-reuse", "where", "max-key-age");

    @ParameterizedTest
    @CsvSource({
        "recipients, recipients",
        "recipient, recipients",
        "recpients, recipients",
        "recipeints, recipients",
        "xrecipients, recipients",
        "RECIPIENTS, recipients",
        "signer, signers",
        "key_reuse, key-reuse",
        "Key_Reuse, key-reuse",
        "maxkeyage, max-key-age",
        "were, where",
        "here, where"
    })
    void mistypedWord_isFound(String written, String meant) {
        assertThat(NearestWord.of(written, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({
        // half of the candidate's letters may differ, and at least two
        "abcd, abxy, abxy",
        "ab, xy, xy",
        "abcdef, abcxyz, abcxyz",
    })
    void wordAtTheLargestDistance_isFound(String written, String candidate, String found) {
        assertThat(NearestWord.of(written, List.of(candidate))).contains(found);
    }

    @ParameterizedTest
    @CsvSource({"abcd, wxyz", "abc, xyz", "abcdef, abwxyz", "colour, recipients", "'', where"})
    void wordBeyondThatDistance_isNotFound(String written, String candidate) {
        assertThat(NearestWord.of(written, List.of(candidate))).isEmpty();
    }

    @Test
    void twoWordsAtTheSameDistance_theFirstIsFound() {
        assertThat(NearestWord.of("cat", List.of("car", "cap"))).contains("car");
        assertThat(NearestWord.of("cat", List.of("cap", "car"))).contains("cap");
    }

    @Test
    void nearerWordBehindAnother_isFound() {
        assertThat(NearestWord.of("signers", List.of("singers", "signer", "signers")))
                .contains("signers");
    }

    @Test
    void wordOf64Letters_isCompared_andOneOf65IsNot() {
        String longest = "a".repeat(64);

        assertThat(NearestWord.of(longest, List.of(longest))).contains(longest);
        assertThat(NearestWord.of(longest + "a", List.of(longest))).isEmpty();
    }

    @Test
    void noKnownWords_findNone() {
        assertThat(NearestWord.of("where", List.of())).isEmpty();
    }

    @Test
    void hint_namesTheNearest_orListsAllInTheirOrder() {
        assertThat(NearestWord.hint("signer", KNOWN)).isEqualTo("; did you mean \"signers\"?");
        assertThat(NearestWord.hint("colour", KNOWN))
                .isEqualTo("; known are recipients, signers, key-reuse, where, max-key-age");
    }
}
