/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.WildcardSyntax.DEFAULT;

import java.time.Duration;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressPatternTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            news.europe.#,   news.europe,             true
            news.europe.#,   news.europe.sport,       true
            news.europe.#,   news.europe.sport.final, true
            news.europe.#,   news.europes,            false
            news.europe.#,   news.usa,                false
            news.europe.#,   news.europe.,            false
            news.europe.#,   news.europe..,           true
            news.*.sport,    news.europe.sport,       true
            news.*.sport,    news.sport,              false
            news.*.sport,    news.a.b.sport,          false
            news.*.sport,    news..sport,             false
            news.*,          news,                    false
            news.*,          news.,                   false
            *,               news,                    true
            *,               news.europe,             false
            #,               news.europe,             true
            #,               '',                      true
            *,               '',                      false
            a#,              a,                       true
            a#,              a.b,                     true
            a#,              ab,                      false
            a.#,             a,                       true
            a..#,            a,                       false
            a..#,            a.,                      true
            a..#,            a..x,                    true
            .#,              '',                      true
            .#,              .a,                      true
            .#,              a,                       false
            *#,              a.b,                     true
            *.#,             a,                       true
            *.#,             '',                      false
            ab*,             ab,                      false
            ab*,             abc,                     true
            ab*,             abc.d,                   false
            *ab,             xab,                     true
            *ab,             ab,                      false
            a*b,             axb,                     true
            a*b,             ab,                      false
            a*b,             axbxb,                   true
            a*b*c,           axbxc,                   true
            a*b*c,           axbc,                    false
            **,              a,                       false
            **,              ab,                      true
            a*.b,            a.b,                     false
            $a.*,            $a.b,                    true
            a$.*,            a$.b,                    true
            a.*,             'a.*',                   true
            a.#,             'a.#',                   true
            queue://a.*,     queue://a.b,             true
            a.b*,            a-b,                     false
            """)
    void pattern_address_matchesAsInArtemis(String pattern, String address, boolean matches) {
        boolean found = AddressPattern.of(pattern, DEFAULT).matches(address);

        assertThat(found).isEqualTo(matches);
        assertThat(artemisMatches(pattern, address)).as("Artemis").isEqualTo(matches);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.policy.Syntaxes#all")
    void randomPatterns_matchAsInArtemis(WildcardSyntax syntax) {
        long seed = 20261121;
        RandomAddresses random = new RandomAddresses(seed, syntax);
        int matches = 0;

        for (int i = 0; i < 40_000; i++) {
            String pattern = random.pattern();
            if (!syntax.isWild(pattern)) {
                continue;
            }
            String address = random.address();
            boolean expected = artemisMatches(pattern, address, syntax);
            matches += expected ? 1 : 0;
            assertThat(AddressPattern.of(pattern, syntax).matches(address))
                    .as("seed %d, round %d: \"%s\" on \"%s\"", seed, i, pattern, address)
                    .isEqualTo(expected);
        }

        assertThat(matches).as("rounds that match, or the test proves little").isGreaterThan(2_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#.a", "a.#.b", "a#b", "##", "a.##"})
    void anyWordsBeforeTheEnd_rejectedByArtemisAndHere(String pattern) {
        var repository = new HierarchicalObjectRepository<String>();

        Assertions.assertThrows(IllegalArgumentException.class, () -> repository.addMatch(pattern, "x"));
        assertThat(AddressPattern.problemWith(pattern, DEFAULT))
                .hasValue("\"#\" before the end, found \"" + pattern
                        + "\"; \"#\" can only be the last character, \"*\" stands for one word");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+.*", "a(b).#", "[ab].*", "a?.#", "a|b.#", "a\\.*", "^a.#", "{a}.#"})
    void charactersOfRegularExpressions_besideWildcard_rejected(String pattern) {
        assertThat(AddressPattern.problemWith(pattern, DEFAULT))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("beside a wildcard, found \"" + pattern
                                + "\"; Artemis takes it for a regular expression"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+b", "a(b)", "queue/a?", "orders.eu", "$sys", "#", "*", "a b"})
    void plainAddressesAndWildcards_accepted(String pattern) {
        assertThat(AddressPattern.problemWith(pattern, DEFAULT)).isEmpty();
    }

    @Test
    void uselessPatterns_rejectedWithReason() {
        assertThat(AddressPattern.problemWith("  ", DEFAULT)).hasValue("blank; name an address, or \"#\" for all");
        assertThat(AddressPattern.problemWith(" a", DEFAULT))
                .hasValue("spaces around it or control characters in it, found \" a\"; write the address alone");
        assertThat(AddressPattern.problemWith("a\nb", DEFAULT))
                .hasValue("spaces around it or control characters in it, found \"a?b\"; write the address alone");
        assertThat(AddressPattern.problemWith("orders::q", DEFAULT))
                .hasValue("a queue, found \"orders::q\"; a policy covers an address with all its queues: "
                        + "write the part before \"::\"");
    }

    /** In Artemis a line break ends the match of a wildcard. Here it does not, so that no address escapes a policy. */
    @ParameterizedTest
    @ValueSource(strings = {"#", "a.#", "a.*"})
    void addressWithLineBreak_stillMatches(String pattern) {
        assertThat(AddressPattern.of(pattern, DEFAULT).matches("a.b\nc")).isTrue();
    }

    @Test
    void manyWildcards_longAddress_takeNoTime() {
        AddressPattern pattern = AddressPattern.of("*a".repeat(200) + ".#", DEFAULT);
        String address = "a".repeat(20_000) + "b." + "a.".repeat(20_000);

        boolean matches = Assertions.assertTimeout(Duration.ofSeconds(10), () -> pattern.matches(address));

        assertThat(matches).isFalse();
    }

    /** Artemis takes these delimiters for regular expressions in its settings, and routes by them as they are. */
    @ParameterizedTest
    @ValueSource(chars = {'|', '$', '^', '?', '(', '+'})
    void delimiterOfRegularExpressions_dividesWords(char delimiter) {
        WildcardSyntax syntax = new WildcardSyntax(delimiter, '#', '*');
        AddressPattern orders = AddressPattern.of("orders" + delimiter + "#", syntax);
        AddressPattern word = AddressPattern.of("orders" + delimiter + "*", syntax);

        assertThat(AddressPattern.problemWith(orders.text(), syntax)).isEmpty();
        assertThat(orders.matches("orders")).isTrue();
        assertThat(orders.matches("orders" + delimiter + "eu" + delimiter + "paris"))
                .isTrue();
        assertThat(orders.matches("orderseu")).isFalse();
        assertThat(word.matches("orders" + delimiter + "eu")).isTrue();
        assertThat(word.matches("orders" + delimiter + "eu" + delimiter + "paris"))
                .isFalse();
    }

    @Test
    void patternOfTheUsualDelimiter_whereWordsEndAtAnother_rejected() {
        assertThat(AddressPattern.problemWith("orders.#", Syntaxes.MQTT))
                .hasValue(
                        "words that end in \".\", found \"orders.#\"; words end at \"/\" here: put it in place of \".\"");
        assertThat(AddressPattern.problemWith("orders/#", Syntaxes.MQTT)).isEmpty();
        assertThat(AddressPattern.problemWith("orders.eu/#", Syntaxes.MQTT)).isEmpty();
        assertThat(AddressPattern.problemWith("orders/*/#", Syntaxes.MQTT))
                .hasValueSatisfying(problem -> assertThat(problem).contains("regular expression: put \"+\""));
    }

    private static boolean artemisMatches(String pattern, String address) {
        return artemisMatches(pattern, address, DEFAULT);
    }

    private static boolean artemisMatches(String pattern, String address, WildcardSyntax syntax) {
        var repository = new HierarchicalObjectRepository<String>(Syntaxes.artemis(syntax));
        repository.addMatch(pattern, "match");
        return repository.getMatch(address) != null;
    }
}
