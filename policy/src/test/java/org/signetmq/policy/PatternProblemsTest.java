/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.WildcardSyntax.DEFAULT;

import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PatternProblemsTest {
    @ParameterizedTest
    @ValueSource(strings = {"#.a", "a.#.b", "a#b", "##", "a.##"})
    void anyWordsBeforeTheEnd_rejectedByArtemisAndHere(String pattern) {
        var repository = new HierarchicalObjectRepository<String>();

        Assertions.assertThrows(IllegalArgumentException.class, () -> repository.addMatch(pattern, "x"));
        assertThat(DEFAULT.problemWithPattern(pattern))
                .hasValue("\"#\" before the end, found \"" + pattern
                        + "\"; \"#\" can only be the last character, \"*\" stands for one word");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+.*", "a(b).#", "[ab].*", "a?.#", "a|b.#", "a\\.*", "^a.#", "a{b}.#"})
    void charactersOfRegularExpressions_besideWildcard_rejected(String pattern) {
        assertThat(DEFAULT.problemWithPattern(pattern))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("beside a wildcard, found \"" + pattern
                                + "\"; Artemis takes it for a regular expression"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+b", "a(b)", "queue/a?", "orders.eu", "$sys", "#", "*", "a b"})
    void plainAddressesAndWildcards_accepted(String pattern) {
        assertThat(DEFAULT.problemWithPattern(pattern)).isEmpty();
    }

    @Test
    void uselessPatterns_rejectedWithReason() {
        assertThat(DEFAULT.problemWithPattern("  ")).hasValue("blank; name an address, or \"#\" for all");
        assertThat(DEFAULT.problemWithPattern(" a"))
                .hasValue("spaces around it or control characters in it, found \" a\"; write the address alone");
        assertThat(DEFAULT.problemWithPattern("a\nb"))
                .hasValue("spaces around it or control characters in it, found \"a?b\"; write the address alone");
        assertThat(DEFAULT.problemWithPattern("orders::q"))
                .hasValue("a queue, found \"orders::q\"; a policy covers an address with all its queues: "
                        + "write the part before \"::\"");
    }

    @Test
    void patternOfTheUsualDelimiter_whereWordsEndAtAnother_rejected() {
        assertThat(Syntaxes.MQTT.problemWithPattern("orders.#"))
                .hasValue(
                        "words that end in \".\", found \"orders.#\"; words end at \"/\" here: put it in place of \".\"");
        assertThat(Syntaxes.MQTT.problemWithPattern("orders/#")).isEmpty();
        assertThat(Syntaxes.MQTT.problemWithPattern("orders.eu/#")).isEmpty();
        assertThat(Syntaxes.MQTT.problemWithPattern("orders/*/#"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("regular expression: put \"+\""));
    }
}
