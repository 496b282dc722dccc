/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.WildcardSyntax.DEFAULT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.RandomAddresses;
import org.signetmq.policy.Syntaxes;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.testkit.Tier;

/** Compares the tree with a search of all patterns, one after the other. */
final class PatternTreeTest {
    @ParameterizedTest
    @MethodSource("org.signetmq.policy.Syntaxes#all")
    void randomSets_matchesAndTheirOrder_areThoseOfTheLinearSearch(WildcardSyntax syntax) {
        long seed = 4_711_2026;
        RandomAddresses random = new RandomAddresses(seed, syntax);
        int severalMatch = 0;
        int rounds = Tier.isLong() ? 4_000 : 150;

        for (int i = 0; i < rounds; i++) {
            Set<String> patterns = new LinkedHashSet<>();
            int count = 1 + random.number(i % 10 == 0 ? 200 : 15);
            for (int j = 0; j < count; j++) {
                String pattern = random.pattern();
                if (syntax.isWild(pattern) && syntax.problemWithPattern(pattern).isEmpty()) {
                    patterns.add(pattern);
                }
            }
            Searches searches = new Searches(patterns, syntax);
            for (int j = 0; j < 10; j++) {
                // now and then a pattern's own text, and one with empty words and wildcards
                String address = j == 0 && !patterns.isEmpty()
                        ? patterns.iterator().next()
                        : j == 1
                                ? random.pattern() + syntax.delimiter()
                                : j == 2 ? random.hostile(random.pattern()) : random.address();
                List<String> found = searches.assertSame(address, "seed " + seed + ", round " + i);
                severalMatch += found.size() > 1 ? 1 : 0;
            }
        }

        assertThat(severalMatch)
                .as("addresses with several patterns, or the test proves little")
                .isGreaterThan(7 * rounds / 4);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            #,              ``
            #,              a.b
            .#,             ``
            .#,             .a
            .#,             a
            a.# a#,         a
            a.# a#,         a.
            a.# a#,         a..
            a..#,           a.
            *.*,            a.
            *.*,            .
            **,             a
            **,             ab
            a** a*,         ab
            *a*a* *a*,      aaaaa
            *a*b*c *c,      xaxbxc
            *,              *
            a*b.* a.*,      a*b.*
            *.* *.# #,      a.b
            """)
    void edgesOfThePatterns_matchAsInTheLinearSearch(String patterns, String address) {
        new Searches(List.of(patterns.split(" ")), DEFAULT).assertSame(address, "");
    }

    @Test
    void wildcardsInEveryWord_longAddress_noBacktracking() {
        List<String> patterns = new ArrayList<>();
        for (int i = 1; i < 200; i++) {
            patterns.add("*.a.".repeat(i) + "b");
            patterns.add("a.*.".repeat(i) + "#");
            patterns.add("a*a.".repeat(i) + "b.#");
        }
        PatternTree tree = new Searches(patterns, DEFAULT).tree;
        String address = "a.".repeat(30_000) + "c";

        int[] found = Assertions.assertTimeout(Duration.ofMinutes(3), () -> tree.all(address));

        assertThat(found).hasSize(199);
    }

    @Test
    void manyWildcardsInOneWord_longWord_noBacktracking() {
        List<String> patterns = new ArrayList<>();
        for (int i = 1; i < 200; i++) {
            patterns.add("*a".repeat(i) + "b");
            patterns.add("*a*".repeat(i) + "c");
        }
        PatternTree tree = new Searches(patterns, DEFAULT).tree;
        String address = "a".repeat(20_000) + "d";

        int best = Assertions.assertTimeout(Duration.ofMinutes(3), () -> tree.best(address));

        assertThat(best).isEqualTo(PatternTree.NONE);
    }

    /** The attack: each address that a sender invents cost the broker a second. */
    @Test
    void fiveHundredPartialWildcards_longAddress_readsItOnceForEach() {
        List<String> patterns = new ArrayList<>();
        for (char one = 'a'; patterns.size() < 500; one++) {
            for (char other = 'a'; other <= 'z' && patterns.size() < 500; other++) {
                patterns.add("*" + one + "*" + other + "*!");
            }
        }
        PatternTree tree = new Searches(patterns, DEFAULT).tree;
        String letters = "abcdefghijklmnopqrstuvwxyz!".repeat(1_000).substring(0, 20_000);

        for (String address : List.of(letters, "a".repeat(20_000) + "!", "\\." + letters, letters + "!x")) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < (Tier.isLong() ? 50 : 1); i++) { // the first ones run before the compiler has seen them
                long before = System.nanoTime();
                assertThat(tree.steps(address)).isLessThan(2L * 510 * address.length());
                least = Math.min(least, System.nanoTime() - before);
            }
            Tier.report(
                    "address of 20,000 characters under 500 partial wildcards",
                    Duration.ofNanos(least),
                    Duration.ofMillis(20));
        }
        assertThat(new Searches(patterns, DEFAULT).assertSame(letters + "!", ""))
                .isNotEmpty();
    }

    /** Words with one wildcard are looked up, so their number does not count. */
    @Test
    void oneWildcardInAWord_longAddress_isReadOnce() {
        List<String> patterns = IntStream.range(0, 10_000)
                .mapToObj(i -> i % 2 == 0 ? "device" + i + "*" : "*-" + i)
                .toList();
        PatternTree tree = new Searches(patterns, DEFAULT).tree;

        assertThat(tree.steps("device1-".repeat(2_500))).isLessThan(20_200);
    }

    @Test
    void patternOfManyWords_isFoundWithoutRecursion() {
        String pattern = "a.".repeat(1_000) + "*";

        assertThat(new Searches(List.of(pattern), DEFAULT).assertSame("a.".repeat(1_000) + "b", ""))
                .containsExactly(pattern);
    }

    @Test
    void anyWordsBetweenOthers_areNoPattern_soNoneIsSearched() {
        assertThat(DEFAULT.problemWithPattern("a.#.a.#.a.#"))
                .hasValueSatisfying(problem -> assertThat(problem).contains("can only be the last"));
    }

    @Test
    void inventedAddresses_manyPatterns_costNoMoreThanFewPatterns() {
        List<String> patterns = IntStream.range(0, 50_000)
                .mapToObj(i -> switch (i % 4) {
                    case 0 -> "orders.r" + i + ".*";
                    case 1 -> "orders.*.c" + i + ".#";
                    case 2 -> "device" + i + "*";
                    default -> "*.s" + i;
                })
                .toList();
        PatternTree tree = new Searches(patterns, DEFAULT).tree;

        int expected = 0;
        for (int i = 0; i < 50_000; i++) {
            expected += (i % 4 == 0 ? 1 : 0) + (i % 4 == 1 ? 1 : 0) + (hasDevice(i) ? 1 : 0);
        }
        int matched = Assertions.assertTimeout(Duration.ofMinutes(3), () -> {
            int sum = 0;
            for (int i = 0; i < 50_000; i++) {
                sum += tree.best("orders.r" + i + ".x") == PatternTree.NONE ? 0 : 1;
                sum += tree.best("orders.x.c" + i + ".y.z") == PatternTree.NONE ? 0 : 1;
                sum += tree.best("device" + i + "-7") == PatternTree.NONE ? 0 : 1;
                sum += tree.best("a.b.c" + i) == PatternTree.NONE ? 0 : 1;
            }
            return sum;
        });

        assertThat(matched).isEqualTo(expected);
    }

    /** Whether one of the patterns {@code device2*}, {@code device6*}, ... matches this device. */
    private static boolean hasDevice(int number) {
        for (int beginning = number; beginning > 0; beginning /= 10) {
            if (beginning % 4 == 2) {
                return true;
            }
        }
        return false;
    }

    /** The two searches in one set of patterns. */
    private static final class Searches {
        private final List<AddressPattern> patterns;
        private final PatternTree tree;

        Searches(Collection<String> texts, WildcardSyntax syntax) {
            this.patterns = texts.stream()
                    .map(text -> Syntaxes.pattern(text, syntax))
                    .sorted(AddressPattern.MOST_SPECIFIC_FIRST)
                    .toList();
            this.tree = new PatternTree(patterns, Syntaxes.characters(syntax));
        }

        /** Returns the patterns that match. */
        List<String> assertSame(String address, String round) {
            List<Integer> expected = IntStream.range(0, patterns.size())
                    .filter(i -> LinearMatch.matches(patterns.get(i), address))
                    .boxed()
                    .toList();
            assertThat(tree.all(address))
                    .as("%s: %s on \"%s\"", round, patterns, address)
                    .containsExactly(expected.stream().mapToInt(i -> i).toArray());
            assertThat(tree.best(address))
                    .as("%s: %s on \"%s\"", round, patterns, address)
                    .isEqualTo(expected.isEmpty() ? PatternTree.NONE : expected.get(0));
            return expected.stream().map(i -> patterns.get(i).text()).toList();
        }
    }
}
