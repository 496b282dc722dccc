/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.RandomPolicies;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyDifference.ChangedKey;
import org.signetmq.policy.file.PolicyDifference.ChangedPolicy;
import org.signetmq.testkit.Tier;

final class PolicyDifferenceTest {
    private static final Policy A = Policy.integrity("a");
    private static final Policy B = Policy.privacy("b", List.of("alice"));
    private static final Policy C = Policy.confidentiality("c", List.of("alice"), KeyLimits.DEFAULT);

    @Test
    void sameContent_otherVersionAndOrder_isNoDifference() {
        PolicySet before = PolicySet.of(1, UnmatchedAddress.PASS, List.of(A, B, C));
        PolicySet after = PolicySet.of(9, UnmatchedAddress.PASS, List.of(C, A, B));

        assertThat(PolicyDifference.between(before, after).isEmpty()).isTrue();
    }

    @Test
    void addedAndRemovedPolicies_areInTheOrderOfTheirDocuments() {
        PolicyDifference difference = PolicyDifference.between(
                PolicySet.of(1, UnmatchedAddress.PASS, List.of(C, B)),
                PolicySet.of(2, UnmatchedAddress.PASS, List.of(A, Policy.integrity("#"))));

        assertThat(difference.removed()).containsExactly(C, B);
        assertThat(difference.added()).containsExactly(A, Policy.integrity("#"));
        assertThat(difference.changed()).isEmpty();
        assertThat(difference.settings()).isEmpty();
        assertThat(difference.isEmpty()).isFalse();
    }

    @Test
    void changedPolicy_hasItsKeysWithTheirValuesInTheDocument() {
        Policy changed = Policy.confidentiality("b", List.of("alice", "b\"ob"), KeyLimits.DEFAULT)
                .with(new Acceptance(new Toleration(Instant.parse("2026-12-31T00:00:00Z")), SealingPlace.EITHER));

        PolicyDifference difference = PolicyDifference.between(
                PolicySet.of(1, UnmatchedAddress.PASS, List.of(A, B)),
                PolicySet.of(2, UnmatchedAddress.PASS, List.of(changed, A)));

        assertThat(difference.changed())
                .containsExactly(new ChangedPolicy(
                        B,
                        changed,
                        List.of(
                                key("quality", "\"privacy\"", "\"confidentiality\""),
                                new ChangedKey("signature-algorithm", Optional.of("\"SHA-512\""), Optional.empty()),
                                key("recipients", "[\"alice\"]", "[\"alice\",\"b\\\"ob\"]"),
                                new ChangedKey("key-reuse", Optional.empty(), Optional.of("32")),
                                new ChangedKey(
                                        "toleration",
                                        Optional.empty(),
                                        Optional.of("{\"until\":\"2026-12-31T00:00:00Z\"}")))));
        assertThat(difference.changed().get(0).pattern()).isEqualTo("b");
        assertThat(difference.added()).isEmpty();
    }

    @Test
    void enforcementAndUsers_areComparedToo() {
        Policy strict = A.with(new Policy.Enforcement(
                        Policy.SignatureCheck.SIGNATURE, false, true, Duration.ofMinutes(10), List.of("region")))
                .with(new Policy.OpenFailures(Policy.OnFailure.SKIP, "bad"));
        PolicySet before = PolicySet.of(1, UnmatchedAddress.PASS, List.of(A));
        PolicySet after = PolicySet.of(2, before.settings().withUsers(Map.of("u", List.of("alice"))), List.of(strict));

        PolicyDifference difference = PolicyDifference.between(before, after);

        assertThat(difference.changed().get(0).keys())
                .extracting(ChangedKey::key, key -> key.after().orElse(""))
                .containsExactly(
                        tuple("bind-user", "\"certificate\""),
                        tuple("replay-window", "\"PT10M\""),
                        tuple("hide", "[\"region\"]"),
                        tuple("on-failure", "\"skip\""),
                        tuple("quarantine", "\"bad\""));
        assertThat(difference.settings())
                .containsExactly(new ChangedKey("users", Optional.empty(), Optional.of("{\"u\":[\"alice\"]}")));
    }

    @Test
    void settings_areComparedToo() {
        WildcardSyntax mqtt = new WildcardSyntax('/', '#', '+');

        PolicyDifference difference =
                PolicyDifference.between(PolicySet.EMPTY, PolicySet.of(1, UnmatchedAddress.REJECT, mqtt, List.of()));

        assertThat(difference.settings())
                .containsExactly(
                        key("unmatched", "\"pass\"", "\"reject\""),
                        new ChangedKey(
                                "wildcards",
                                Optional.empty(),
                                Optional.of("{\"delimiter\":\"/\",\"any-words\":\"#\",\"single-word\":\"+\"}")));
        assertThat(difference.isEmpty()).isFalse();
    }

    @Test
    void randomSets_differencesLeadFromOneToTheOther() {
        long seed = 60_601;
        RandomPolicies policies = new RandomPolicies(seed);
        Random random = new Random(seed);
        int changed = 0;

        for (int i = 0; i < Tier.rounds(3_000); i++) {
            PolicySet before = policies.set();
            PolicySet after = policies.set();
            if (!before.wildcards().equals(after.wildcards())) {
                continue;
            }
            List<Policy> mixed = new ArrayList<>(before.policies());
            mixed.removeIf(policy -> random.nextBoolean());
            mixed.replaceAll(policy -> random.nextBoolean() ? policies.policy(policy.pattern()) : policy);
            Collections.shuffle(mixed, random);
            after = after.with(mixed);

            PolicyDifference difference = PolicyDifference.between(before, after);
            changed += difference.changed().size();

            List<Policy> patched = new ArrayList<>(difference.added());
            difference.changed().forEach(policy -> patched.add(policy.after()));
            PolicySet result = before.with(patched);
            for (Policy removed : difference.removed()) {
                result = result.without(removed.pattern());
            }
            assertThat(result.policies())
                    .as("seed %d, round %d", seed, i)
                    .containsExactlyInAnyOrderElementsOf(after.policies());
            assertThat(difference.changed())
                    .allSatisfy(policy -> assertThat(policy.keys()).isNotEmpty());
        }

        assertThat(changed).as("changed policies, or the test proves little").isGreaterThan(Tier.rounds(300));
    }

    private static ChangedKey key(String key, String before, String after) {
        return new ChangedKey(key, Optional.of(before), Optional.of(after));
    }
}
