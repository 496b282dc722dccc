/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.policy.PolicySet.PolicyExplanation;

final class PolicySetTest {
    @Test
    void wordsWithSeveralWildcards_areAtMostAThousand() {
        List<Policy> most = IntStream.range(0, 500)
                .mapToObj(i -> Policy.integrity("*" + i + "*." + i + ".**.x*"))
                .toList();
        assertThat(PolicySet.of(1, UnmatchedAddress.PASS, most).find("x7x.7.ab.xy"))
                .isPresent();

        assertThatThrownBy(() -> PolicySet.of(1, UnmatchedAddress.PASS, most).with(Policy.integrity("a*b*")))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("more than 1000 words together with several wildcards inside, found 1001");
    }

    private static final Policy ALL = Policy.integrity("#");
    private static final Policy ORDERS = Policy.privacy("orders.#", List.of("alice"));
    private static final Policy EUROPE = Policy.confidentiality("orders.eu", List.of("bob"), KeyLimits.DEFAULT);
    private static final PolicySet SET = PolicySet.of(7, UnmatchedAddress.PASS, List.of(ALL, ORDERS, EUROPE));

    @Nested
    final class Find {
        @Test
        void address_getsTheMostSpecificPolicyOfThisVersion() {
            assertThat(SET.find("orders.eu")).hasValue(new EffectivePolicy(EUROPE, 7));
            assertThat(SET.find("orders.us")).hasValue(new EffectivePolicy(ORDERS, 7));
            assertThat(SET.find("bills")).hasValue(new EffectivePolicy(ALL, 7));
            assertThat(SET.find("orders.eu").orElseThrow().reference()).isEqualTo("orders.eu@7");
        }

        @Test
        void addressesOfOnePolicy_getTheSameInstance() {
            EffectivePolicy first = SET.find("orders.us").orElseThrow();

            assertThat(SET.find("orders.us").orElseThrow()).isSameAs(first);
            assertThat(SET.find("orders.cn").orElseThrow()).isSameAs(first);
            assertThat(SET.explain("orders.jp").effective().orElseThrow()).isSameAs(first);
        }

        private static Policy open(String pattern) {
            return new Policy(
                    pattern,
                    QualityOfProtection.NONE,
                    Policy.Signing.DEFAULT,
                    Policy.Encryption.UNUSED,
                    Policy.Acceptance.DEFAULT);
        }

        /** Such an address goes to the consumers of one pattern, and has the settings of the other. */
        @ParameterizedTest
        @CsvSource({"tenant.x\\.status, tenant.*, tenant.*.status", "tenant.x\\.status, tenant.*.status, tenant.*"})
        void addressOfTwoPatternsByItsBackslash_isOfTheOneThatProtects_andHasAProblem(
                String address, String open, String safe) {
            PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, List.of(open(open), Policy.integrity(safe), ALL));

            EffectivePolicy found = set.find(address).orElseThrow();

            assertThat(found.policy().pattern()).isEqualTo(safe);
            assertThat(found.problem())
                    .hasValueSatisfying(
                            problem -> assertThat(problem).contains("'" + open + "'", "'" + safe + "'", "backslash"));
            assertThat(set.with(Policy.integrity(address))
                            .find(address)
                            .orElseThrow()
                            .problem())
                    .isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"one.v1\\.2, one.*", "one.v1\\.2, one.*.2", "one.v1\\.2, one.v1\\.2", "one.v1\\.2, one.#"})
        void addressOfOnePatternByOneDivision_hasNoProblem(String address, String pattern) {
            PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, List.of(Policy.integrity(pattern), ALL));

            EffectivePolicy found = set.find(address).orElseThrow();

            assertThat(found.policy().pattern()).isEqualTo(pattern);
            assertThat(found.problem()).isEmpty();
        }

        @Test
        void noPattern_findsNothing() {
            assertThat(SET.without("#").find("bills")).isEmpty();
            assertThat(PolicySet.EMPTY.find("bills")).isEmpty();
        }

        @Test
        void moreAddressesThanTheCacheHolds_stillTheSameInstance() {
            EffectivePolicy first = SET.find("orders.0").orElseThrow();

            for (int i = 0; i < 50_000; i++) {
                assertThat(SET.find("orders." + i).orElseThrow()).isSameAs(first);
            }
        }
    }

    @Nested
    final class Explain {
        @Test
        void exactAddress_saysSo() {
            PolicyExplanation explanation = SET.explain("orders.eu");

            assertThat(explanation.effective()).hasValue(new EffectivePolicy(EUROPE, 7));
            assertThat(explanation.overruled()).containsExactly(ORDERS, ALL);
            assertThat(explanation.reason())
                    .isEqualTo("\"orders.eu\" is this address exactly, which overrules every wildcard");
        }

        @Test
        void severalWildcards_saysHowMany() {
            PolicyExplanation explanation = SET.explain("orders.us");

            assertThat(explanation.overruled()).containsExactly(ALL);
            assertThat(explanation.reason())
                    .isEqualTo("\"orders.#\" is the most specific of the 2 patterns that match");
        }

        @Test
        void onePattern_saysThatItIsTheOnlyOne() {
            assertThat(SET.explain("bills").reason()).isEqualTo("\"#\" is the only pattern that matches");
            assertThat(SET.without("#").without("orders.#").explain("orders.eu").reason())
                    .isEqualTo("\"orders.eu\" is this address exactly");
        }

        @Test
        void noPattern_saysWhatHappens() {
            PolicySet rejecting = PolicySet.of(1, UnmatchedAddress.REJECT, List.of());

            assertThat(PolicySet.EMPTY.explain("a"))
                    .isEqualTo(new PolicyExplanation(
                            "a",
                            java.util.Optional.empty(),
                            List.of(),
                            "no pattern matches, and messages of addresses without a policy pass as they are"));
            assertThat(rejecting.explain("a").reason())
                    .isEqualTo(
                            "no pattern matches, and messages of addresses without a policy are rejected, also those to"
                                    + " temporary queues and so replies, unless a pattern such as \"#\" matches these");
        }
    }

    @Nested
    final class Change {
        @Test
        void with_newPattern_isAddedLast() {
            Policy added = Policy.integrity("bills");

            PolicySet next = SET.with(added);

            assertThat(next.version()).isEqualTo(8);
            assertThat(next.policies()).containsExactly(ALL, ORDERS, EUROPE, added);
            assertThat(SET.policies()).hasSize(3);
        }

        @Test
        void with_knownPattern_takesItsPlace() {
            Policy other = Policy.integrity("orders.#");

            assertThat(SET.with(other).policies()).containsExactly(ALL, other, EUROPE);
            assertThat(SET.with(other).find("orders.us")).hasValue(new EffectivePolicy(other, 8));
        }

        @Test
        void without_knownPattern_isTheNextVersion() {
            PolicySet next = SET.without("orders.#");

            assertThat(next.version()).isEqualTo(8);
            assertThat(next.policies()).containsExactly(ALL, EUROPE);
        }

        @Test
        void without_unknownPattern_isTheSameSet() {
            assertThat(SET.without("bills")).isSameAs(SET);
        }

        @Test
        void unmatched_staysAsItWas() {
            PolicySet rejecting = PolicySet.of(1, UnmatchedAddress.REJECT, List.of(ALL));

            assertThat(rejecting.with(ORDERS).unmatched()).isEqualTo(UnmatchedAddress.REJECT);
            assertThat(rejecting.without("#").unmatched()).isEqualTo(UnmatchedAddress.REJECT);
        }

        @Test
        void policies_areCopied_laterChangesDoNotLeakIn() {
            List<Policy> policies = new ArrayList<>(List.of(ALL));
            PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, policies);

            policies.clear();

            assertThat(set.policies()).containsExactly(ALL);
        }
    }

    @Test
    void patternsThatCannotBe_areRejectedTogether() {
        List<Policy> policies =
                List.of(Policy.integrity("a"), Policy.integrity("a.#.b"), Policy.integrity("a"), Policy.integrity(""));

        assertThatThrownBy(() -> PolicySet.of(1, UnmatchedAddress.PASS, policies))
                .isInstanceOf(InvalidPolicyException.class)
                .extracting("problems", InstanceOfAssertFactories.list(PolicyProblem.class))
                .extracting(PolicyProblem::toString)
                .containsExactly(
                        "policies[1].pattern: \"#\" before the end, found \"a.#.b\"; \"#\" can only be the last "
                                + "character, \"*\" stands for one word",
                        "policies[2].pattern: a second policy for \"a\", the first is policies[0]; keep one of them",
                        "policies[3].pattern: blank; name an address, or \"#\" for all");
    }

    @Test
    void versionBelowZero_rejected() {
        assertThatThrownBy(() -> PolicySet.of(-1, UnmatchedAddress.PASS, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("version: below zero: -1");
    }

    @Test
    void equalContent_isEqual() {
        PolicySet same = PolicySet.of(7, UnmatchedAddress.PASS, List.of(ALL, ORDERS, EUROPE));

        assertThat(same).isEqualTo(SET).hasSameHashCodeAs(SET);
        assertThat(SET)
                .isNotEqualTo(PolicySet.of(8, UnmatchedAddress.PASS, SET.policies()))
                .isNotEqualTo(PolicySet.of(7, UnmatchedAddress.REJECT, SET.policies()))
                .isNotEqualTo(PolicySet.of(7, UnmatchedAddress.PASS, List.of(ALL, ORDERS)));
        assertThat(SET).hasToString("PolicySet[version 7, 3 policies, unmatched pass]");
    }

    @Test
    void otherRuleForUnmatchedAddresses_makesTheNextVersion_theSameRuleDoesNot() {
        assertThat(SET.with(UnmatchedAddress.PASS)).isSameAs(SET);
        assertThat(SET.with(UnmatchedAddress.REJECT))
                .isEqualTo(PolicySet.of(8, UnmatchedAddress.REJECT, SET.policies()));
    }

    @Test
    void set_containsEqualPolicies_butNoOthersWithTheSamePattern() {
        assertThat(SET.contains(Policy.integrity("#"))).isTrue();
        assertThat(SET.contains(Policy.privacy("#", List.of("alice")))).isFalse();
    }

    @Test
    void sets_ofOtherVersionsOrPolicies_haveOtherHashCodes() {
        assertThat(List.of(
                                SET,
                                PolicySet.of(8, UnmatchedAddress.PASS, SET.policies()),
                                PolicySet.of(7, UnmatchedAddress.PASS, List.of(ALL, ORDERS)))
                        .stream()
                        .map(PolicySet::hashCode))
                .doesNotHaveDuplicates();
    }

    @Test
    void otherAcceptance_keepsTheRestOfAPolicy() {
        Policy plain = Policy.integrity("a");

        assertThat(plain.with(ORDERS.acceptance())).isEqualTo(plain);
        assertThat(plain.with(ORDERS.encryption()).encryption()).isEqualTo(ORDERS.encryption());
    }
}
