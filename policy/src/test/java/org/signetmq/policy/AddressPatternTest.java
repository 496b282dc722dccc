/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        boolean found = AddressPattern.of(pattern).matches(address);

        assertThat(found).isEqualTo(matches);
        assertThat(artemisMatches(pattern, address)).as("Artemis").isEqualTo(matches);
    }

    @Test
    void randomPatterns_matchAsInArtemis() {
        long seed = 20261121;
        RandomAddresses random = new RandomAddresses(seed);
        int matches = 0;

        for (int i = 0; i < 40_000; i++) {
            String pattern = random.pattern();
            if (!AddressPattern.isWild(pattern)) {
                continue;
            }
            String address = random.address();
            boolean expected = artemisMatches(pattern, address);
            matches += expected ? 1 : 0;
            assertThat(AddressPattern.of(pattern).matches(address))
                    .as("seed %d, round %d: \"%s\" on \"%s\"", seed, i, pattern, address)
                    .isEqualTo(expected);
        }

        assertThat(matches).as("rounds that match, or the test proves little").isGreaterThan(2_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#.a", "a.#.b", "a#b", "##", "a.##"})
    void anyWordsBeforeTheEnd_refusedByArtemisAndHere(String pattern) {
        var repository = new HierarchicalObjectRepository<String>();

        Assertions.assertThrows(IllegalArgumentException.class, () -> repository.addMatch(pattern, "x"));
        assertThat(AddressPattern.problemWith(pattern))
                .hasValue("\"#\" before the end, found \"" + pattern
                        + "\"; \"#\" can only be the last character, \"*\" stands for one word");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+.*", "a(b).#", "[ab].*", "a?.#", "a|b.#", "a\\.*", "^a.#", "{a}.#"})
    void charactersOfRegularExpressions_besideWildcard_refused(String pattern) {
        assertThat(AddressPattern.problemWith(pattern))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("beside a wildcard, found \"" + pattern
                                + "\"; Artemis takes it for a regular expression"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+b", "a(b)", "queue/a?", "orders.eu", "$sys", "#", "*", "a b"})
    void plainAddressesAndWildcards_accepted(String pattern) {
        assertThat(AddressPattern.problemWith(pattern)).isEmpty();
    }

    @Test
    void uselessPatterns_refusedWithReason() {
        assertThat(AddressPattern.problemWith("  ")).hasValue("blank; name an address, or \"#\" for all");
        assertThat(AddressPattern.problemWith(" a"))
                .hasValue("spaces around it or control characters in it, found \" a\"; write the address alone");
        assertThat(AddressPattern.problemWith("a\nb"))
                .hasValue("spaces around it or control characters in it, found \"a?b\"; write the address alone");
        assertThat(AddressPattern.problemWith("orders::q"))
                .hasValue("a queue, found \"orders::q\"; a policy covers an address with all its queues: "
                        + "write the part before \"::\"");
    }

    /** In Artemis a line break ends what a wildcard takes; here it does not, so that it cannot escape a policy. */
    @ParameterizedTest
    @ValueSource(strings = {"#", "a.#", "a.*"})
    void addressWithLineBreak_stillMatches(String pattern) {
        assertThat(AddressPattern.of(pattern).matches("a.b\nc")).isTrue();
    }

    @Test
    void manyWildcards_longAddress_takeNoTime() {
        AddressPattern pattern = AddressPattern.of("*a".repeat(200) + ".#");
        String address = "a".repeat(20_000) + "b." + "a.".repeat(20_000);

        boolean matches = Assertions.assertTimeout(Duration.ofSeconds(10), () -> pattern.matches(address));

        assertThat(matches).isFalse();
    }

    private static boolean artemisMatches(String pattern, String address) {
        var repository = new HierarchicalObjectRepository<String>();
        repository.addMatch(pattern, "match");
        return repository.getMatch(address) != null;
    }
}
