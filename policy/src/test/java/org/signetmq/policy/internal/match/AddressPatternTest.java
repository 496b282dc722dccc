/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

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
import org.signetmq.policy.RandomAddresses;
import org.signetmq.policy.Syntaxes;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.testkit.Tier;

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
        boolean found = Syntaxes.pattern(pattern, DEFAULT).matches(address);

        assertThat(found).isEqualTo(matches);
        assertThat(artemisMatches(pattern, address)).as("Artemis").isEqualTo(matches);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.policy.Syntaxes#all")
    void randomPatterns_matchAsInArtemis(WildcardSyntax syntax) {
        long seed = 20261121;
        RandomAddresses random = new RandomAddresses(seed, syntax);
        int matches = 0;

        for (int i = 0; i < Tier.rounds(40_000); i++) {
            String pattern = random.pattern();
            if (!syntax.isWild(pattern)) {
                continue;
            }
            String address = random.address();
            boolean expected = artemisMatches(pattern, address, syntax);
            matches += expected ? 1 : 0;
            assertThat(Syntaxes.pattern(pattern, syntax).matches(address))
                    .as("seed %d, round %d: \"%s\" on \"%s\"", seed, i, pattern, address)
                    .isEqualTo(expected);
        }

        assertThat(matches).as("rounds that match, or the test proves little").isGreaterThan(Tier.rounds(2_000));
    }

    /** In Artemis a line break ends the match of a wildcard. Here it does not, so that no address escapes a policy. */
    @ParameterizedTest
    @ValueSource(strings = {"#", "a.#", "a.*"})
    void addressWithLineBreak_stillMatches(String pattern) {
        assertThat(Syntaxes.pattern(pattern, DEFAULT).matches("a.b\nc")).isTrue();
    }

    @Test
    void manyWildcards_longAddress_takeNoTime() {
        AddressPattern pattern = Syntaxes.pattern("*a".repeat(200) + ".#", DEFAULT);
        String address = "a".repeat(20_000) + "b." + "a.".repeat(20_000);

        boolean matches = Assertions.assertTimeout(Duration.ofMinutes(3), () -> pattern.matches(address));

        assertThat(matches).isFalse();
    }

    /** Artemis takes these delimiters for regular expressions in its settings, and routes by them as they are. */
    @ParameterizedTest
    @ValueSource(chars = {'|', '$', '^', '?', '(', '+'})
    void delimiterOfRegularExpressions_dividesWords(char delimiter) {
        WildcardSyntax syntax = new WildcardSyntax(delimiter, '#', '*');
        AddressPattern orders = Syntaxes.pattern("orders" + delimiter + "#", syntax);
        AddressPattern word = Syntaxes.pattern("orders" + delimiter + "*", syntax);

        assertThat(syntax.problemWithPattern(orders.text())).isEmpty();
        assertThat(orders.matches("orders")).isTrue();
        assertThat(orders.matches("orders" + delimiter + "eu" + delimiter + "paris"))
                .isTrue();
        assertThat(orders.matches("orderseu")).isFalse();
        assertThat(word.matches("orders" + delimiter + "eu")).isTrue();
        assertThat(word.matches("orders" + delimiter + "eu" + delimiter + "paris"))
                .isFalse();
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
