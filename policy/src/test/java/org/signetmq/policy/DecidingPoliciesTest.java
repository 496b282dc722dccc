/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.internal.match.AddressPattern;
import org.signetmq.policy.internal.match.LinearMatch;

/** The policies that decide about the addresses of a pattern. */
final class DecidingPoliciesTest {
    private static final List<String> PATTERNS = List.of(
            "#", "a", "a.#", "a#", "a.*", "*.b", "a.b", "a.b.#", "*.*.c", "a.b.c", "b.#", "*", "a*.b", "a.b*.c",
            "a.b\\.c", "b#");
    private static final List<String> WORDS = List.of("a", "b", "c", "ab", "bb", "", "a\\", "b#", "\\");

    private static PolicySet all() {
        return PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                PATTERNS.stream().map(Policy::integrity).toList());
    }

    private static Stream<String> addresses() {
        return WORDS.stream()
                .flatMap(one -> Stream.concat(
                        Stream.of(one),
                        WORDS.stream()
                                .flatMap(two -> Stream.concat(
                                        Stream.of(one + "." + two),
                                        WORDS.stream().map(three -> one + "." + two + "." + three)))));
    }

    @Test
    void eachAddressOfAPattern_hasTheSamePolicyAmongThem() {
        PolicySet all = all();
        for (String pattern : PATTERNS) {
            AddressPattern wanted = WildcardSyntax.DEFAULT.pattern(pattern);
            PolicySet some = PolicySet.of(1, UnmatchedAddress.PASS, all.deciding(pattern));

            addresses()
                    .filter(address -> LinearMatch.matches(wanted, address))
                    .forEach(address -> assertThat(some.find(address))
                            .as("%s by %s", address, pattern)
                            .isEqualTo(all.find(address)));
        }
    }

    @Test
    void policiesOfOtherAddresses_areNotAmongThem() {
        assertThat(all().deciding("b.*")).extracting(Policy::pattern).containsExactly("#", "*.b", "*.*.c", "b.#", "b#");
        assertThat(all().deciding("a.b")).extracting(Policy::pattern).containsExactly("a.b");
        assertThat(PolicySet.EMPTY.deciding("a.b")).isEmpty();
    }

    @Test
    void textThatIsNoPattern_isRejected() {
        assertThatThrownBy(() -> all().deciding("a.#.b")).isInstanceOf(InvalidPolicyException.class);
        assertThatThrownBy(() -> all().deciding(" ")).isInstanceOf(InvalidPolicyException.class);
    }
}
