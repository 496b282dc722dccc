/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.WildcardSyntax.DEFAULT;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.ArtemisMatchers;
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
            news.europe.#,   news.europe.,            true
            news.europe.#,   news.europe..,           true
            news.*.sport,    news.europe.sport,       true
            news.*.sport,    news.sport,              false
            news.*.sport,    news.a.b.sport,          false
            news.*.sport,    news..sport,             true
            news.*,          news,                    false
            news.*,          news.,                   true
            news.*,          news..,                  false
            news.*,          .news,                   false
            *.news,          .news,                   true
            *.*,             .,                       true
            one.*,           one.v1\\.2,              true
            one.*.*,         one.v1\\.2,              true
            one.*,           one.v1\\\\.2,             true
            one.*.*.*,       one.v1\\.2,              false
            one.#,           one\\.v1,                false
            *,               one\\.v1,                true
            *.v1,            one\\.v1,                true
            *.two,           \\.two,                  true
            a#,              'a#',                    true
            *.a#,            'x\\.y.a#',              true
            *,               news,                    true
            *,               news.europe,             false
            #,               news.europe,             true
            #,               '',                      true
            *,               '',                      true
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
            *.#,             '',                      true
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
    void pattern_address_matchesAsInArtemis(String pattern, String address, boolean matches) throws Exception {
        boolean found = matches(Syntaxes.pattern(pattern, DEFAULT), address);

        assertThat(found).isEqualTo(matches);
        assertThat(anyMatches(new ArtemisMatchers(DEFAULT), pattern, address))
                .as("Artemis")
                .isEqualTo(matches);
    }

    /** The attack: the broker delivers a message to a consumer of the pattern, and no policy covers it. */
    @ParameterizedTest
    @MethodSource("org.signetmq.policy.Syntaxes#all")
    void hostileAddresses_matchWhereverAMatcherOfArtemisDoes(WildcardSyntax syntax) throws Exception {
        long seed = new Random().nextLong();
        RandomAddresses random = new RandomAddresses(seed, syntax);
        ArtemisMatchers artemis = new ArtemisMatchers(syntax);
        int matches = 0;
        int rounds = Tier.isLong() ? 60_000 : 2_000;

        for (int i = 0; i < rounds; i++) {
            String pattern = random.pattern();
            if (!syntax.isWild(pattern)) {
                continue;
            }
            String address = random.hostile(pattern);
            if (anyMatches(artemis, pattern, address)) {
                matches++;
                String round = "seed " + seed + ", round " + i + ": \"" + pattern + "\" on \"" + address + '"';
                AddressPattern parsed = Syntaxes.pattern(pattern, syntax);
                assertThat(matches(parsed, address)).as(round).isTrue();
                assertThat(LinearMatch.matches(parsed, address)).as(round).isTrue();
                assertThat(parsed.mayOverlap(parsed)).as(round).isTrue();
            }
        }

        assertThat(matches).as("rounds that match, or the test proves little").isGreaterThan(rounds / 6);
    }

    /** A settings expression of Artemis tries each division of words behind a line break, so it is asked for few. */
    private static boolean anyMatches(ArtemisMatchers artemis, String pattern, String address) throws Exception {
        return artemis.routes(pattern, address)
                || artemis.queries(pattern, address)
                || ((address.length() < 100 || address.indexOf('\n') < 0) && artemis.sets(pattern, address));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.policy.Syntaxes#all")
    void ordinaryAddresses_matchNowhereElse(WildcardSyntax syntax) throws Exception {
        long seed = 20261121;
        RandomAddresses random = new RandomAddresses(seed, syntax);
        ArtemisMatchers artemis = new ArtemisMatchers(syntax);
        int matches = 0;
        int rounds = Tier.isLong() ? 40_000 : 1_300;

        for (int i = 0; i < rounds; i++) {
            String pattern = random.pattern();
            String address = random.address();
            if (!syntax.isWild(pattern) || syntax.routedWords(address).contains("")) {
                continue;
            }
            boolean expected = artemis.sets(pattern, address);
            matches += expected ? 1 : 0;
            assertThat(matches(Syntaxes.pattern(pattern, syntax), address))
                    .as("seed %d, round %d: \"%s\" on \"%s\"", seed, i, pattern, address)
                    .isEqualTo(expected);
        }

        assertThat(matches).as("rounds that match, or the test proves little").isGreaterThan(rounds / 20);
    }

    /** In Artemis a line break ends the match of a wildcard. Here it does not, so that no address escapes a policy. */
    @ParameterizedTest
    @ValueSource(strings = {"#", "a.#", "a.*"})
    void addressWithLineBreak_stillMatches(String pattern) {
        assertThat(matches(Syntaxes.pattern(pattern, DEFAULT), "a.b\nc")).isTrue();
    }

    @Test
    void manyWildcards_longAddress_takeNoTime() {
        AddressPattern pattern = Syntaxes.pattern("*a".repeat(200) + ".#", DEFAULT);
        String address = "a".repeat(20_000) + "b." + "a.".repeat(20_000);

        boolean matches = Assertions.assertTimeout(Duration.ofMinutes(3), () -> matches(pattern, address));

        assertThat(matches).isFalse();
    }

    private static boolean matches(AddressPattern pattern, String address) {
        return new PatternTree(List.of(pattern), pattern.syntax()).best(address) == 0;
    }
}
