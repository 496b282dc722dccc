/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            """)
    void address_severalPatterns_firstIsAsExpected(String address, String patterns, String winner) {
        List<String> together = Arrays.asList(patterns.split(" "));

        assertThat(winner(together, address)).isEqualTo(winner);
        assertThat(winner(together.stream().sorted().toList(), address)).isEqualTo(winner);
    }

    @Test
    void randomPatternSets_precedenceAsInArtemis() {
        long seed = 8_613_047;
        RandomAddresses random = new RandomAddresses(seed);
        int contested = 0;

        for (int i = 0; i < 25_000; i++) {
            Set<String> patterns = new LinkedHashSet<>();
            int count = 2 + random.number(12);
            for (int j = 0; j < count; j++) {
                patterns.add(random.pattern());
            }
            String address = random.address();
            String expected = artemisWinner(patterns, address);
            String found = winner(patterns, address);
            if (expected == null || found == null || !isTie(expected, found)) {
                assertThat(found)
                        .as("seed %d, round %d: %s on \"%s\"", seed, i, patterns, address)
                        .isEqualTo(expected);
            }
            contested += patterns.stream()
                                    .filter(pattern -> matches(pattern, address))
                                    .count()
                            > 1
                    ? 1
                    : 0;
        }

        assertThat(contested)
                .as("rounds with a choice, or the test proves little")
                .isGreaterThan(3_000);
    }

    /** Whether Artemis prefers neither and goes by the order of its hash table: written apart from the code tested. */
    private static boolean isTie(String one, String other) {
        if (one.length() != other.length() || one.equals(other) || !AddressPattern.isWild(one)) {
            return false;
        }
        if (one.endsWith("#") || other.endsWith("#")) {
            return one.endsWith("#") && other.endsWith("#");
        }
        return wholeWordWildcards(one).equals(wholeWordWildcards(other));
    }

    private static List<Boolean> wholeWordWildcards(String pattern) {
        return Arrays.stream(pattern.split("\\.", -1)).map("*"::equals).toList();
    }

    private static boolean matches(String pattern, String address) {
        return AddressPattern.isWild(pattern) ? AddressPattern.of(pattern).matches(address) : pattern.equals(address);
    }

    private static @Nullable String winner(Iterable<String> patterns, String address) {
        List<Policy> policies = new ArrayList<>();
        patterns.forEach(pattern -> {
            if (!pattern.isEmpty()) { // Artemis takes it; a policy for no address is refused
                policies.add(Policy.integrity(pattern));
            }
        });
        return PolicySet.of(1, UnmatchedAddress.PASS, policies)
                .find(address)
                .map(effective -> effective.policy().pattern())
                .orElse(null);
    }

    private static @Nullable String artemisWinner(Iterable<String> patterns, String address) {
        var repository = new HierarchicalObjectRepository<String>();
        patterns.forEach(pattern -> {
            if (!pattern.isEmpty()) {
                repository.addMatch(pattern, pattern);
            }
        });
        return repository.getMatch(address);
    }
}
