/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.internal.match.LinearMatch;
import org.signetmq.testkit.Tier;

final class PrecedenceTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            news.europe.sport, news.europe.sport news.europe.* news.#,  news.europe.sport
            news.europe.sport, news.europe.# news.*.sport,              news.*.sport
            news.europe.sport, news.# news.europe.# #,                  news.europe.#
            news.europe.sport, news.*.sport news.europe.*,              news.europe.*
            news.europe.sport, *.europe.sport news.*.*,                 news.*.*
            news.europe,       news.* *.europe,                         news.*
            abc,               a* ab* *,                                a*
            ab.c,              ab.# a*.#,                               ab.#
            a.b,               a.# a.*.# *.*,                           *.*
            x,                 # *,                                     *
            a.*,               a.* a.#,                                 a.*
            a.,                a.# #,                                   a.#
            a.,                a.# a.* #,                               a.*
            a..b,              a.*.b a.# #,                             a.*.b
            a.v1\\.2,          a.* a.*.* a.# #,                          a.*.*
            """)
    void address_severalPatterns_firstIsAsExpected(String address, String patterns, String winner) {
        List<String> together = Arrays.asList(patterns.split(" "));

        assertThat(winner(together, address)).isEqualTo(winner);
        assertThat(winner(together.stream().sorted().toList(), address)).isEqualTo(winner);
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.policy.Syntaxes#all")
    void randomPatternSets_precedenceAsInArtemis(WildcardSyntax syntax) throws Exception {
        long seed = 8_613_047;
        RandomAddresses random = new RandomAddresses(seed, syntax);
        int contested = 0;
        int rounds = Tier.isLong() ? 25_000 : 800;

        for (int i = 0; i < rounds; i++) {
            Set<String> patterns = new LinkedHashSet<>();
            int count = 2 + random.number(12);
            for (int j = 0; j < count; j++) {
                String pattern = random.pattern();
                if (syntax.problemWithPattern(pattern).isEmpty()) {
                    patterns.add(pattern);
                }
            }
            String address = random.address();
            String expected = syntax.routedWords(address).contains("")
                    ? firstOfMatching(patterns, address, syntax)
                    : artemisWinner(patterns, address, syntax);
            String found = winner(patterns, address, syntax);
            if (expected == null || found == null || !isTie(expected, found, syntax)) {
                assertThat(found)
                        .as("seed %d, round %d: %s on \"%s\"", seed, i, patterns, address)
                        .isEqualTo(expected);
            }
            contested += patterns.stream()
                                    .filter(pattern -> matches(pattern, address, syntax))
                                    .count()
                            > 1
                    ? 1
                    : 0;
        }

        assertThat(contested)
                .as("rounds with a choice, or the test proves little")
                .isGreaterThan(rounds / 10);
    }

    /**
     * Whether Artemis prefers neither pattern, and uses the order of its hash table. It shares no code with the tested
     * class.
     */
    private static boolean isTie(String one, String other, WildcardSyntax syntax) {
        if (one.length() != other.length() || one.equals(other) || !syntax.isWild(one)) {
            return false;
        }
        String any = String.valueOf(syntax.anyWords());
        if (one.endsWith(any) || other.endsWith(any)) {
            return one.endsWith(any) && other.endsWith(any);
        }
        return wholeWordWildcards(one, syntax).equals(wholeWordWildcards(other, syntax));
    }

    private static List<Boolean> wholeWordWildcards(String pattern, WildcardSyntax syntax) {
        return Arrays.stream(pattern.split(Pattern.quote(String.valueOf(syntax.delimiter())), -1))
                .map(String.valueOf(syntax.singleWord())::equals)
                .toList();
    }

    /** The address settings do not match empty words, which Artemis routes. The order of the patterns is theirs. */
    private static @Nullable String firstOfMatching(Set<String> patterns, String address, WildcardSyntax syntax)
            throws ReflectiveOperationException {
        return patterns.contains(address)
                ? address
                : patterns.stream()
                        .filter(pattern -> matches(pattern, address, syntax))
                        .min(new ArtemisMatchers(syntax).order())
                        .orElse(null);
    }

    private static boolean matches(String pattern, String address, WildcardSyntax syntax) {
        return syntax.isWild(pattern)
                ? LinearMatch.matches(Syntaxes.pattern(pattern, syntax), address)
                : pattern.equals(address);
    }

    private static @Nullable String winner(Iterable<String> patterns, String address) {
        return winner(patterns, address, WildcardSyntax.DEFAULT);
    }

    private static @Nullable String winner(Iterable<String> patterns, String address, WildcardSyntax syntax) {
        List<Policy> policies = new ArrayList<>();
        patterns.forEach(pattern -> policies.add(Policy.integrity(pattern)));
        return PolicySet.of(1, UnmatchedAddress.PASS, syntax, policies)
                .find(address)
                .map(effective -> effective.policy().pattern())
                .orElse(null);
    }

    private static @Nullable String artemisWinner(Iterable<String> patterns, String address, WildcardSyntax syntax) {
        var repository = new HierarchicalObjectRepository<String>(Syntaxes.artemis(syntax));
        patterns.forEach(pattern -> repository.addMatch(pattern, pattern));
        return repository.getMatch(address);
    }
}
