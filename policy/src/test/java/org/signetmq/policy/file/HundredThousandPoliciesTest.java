/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/** Large sets. The limits of time are against a hang; the times themselves stand in docs/design-decisions.md. */
final class HundredThousandPoliciesTest {
    private static final int COUNT = Tier.rounds(100_000);

    @TempDir
    private Path folder = Path.of("unset");

    @Test
    void exactAddressesAndWildcards_areWrittenReadAndFound() throws IOException {
        PolicySet set = PolicySet.of(
                3,
                UnmatchedAddress.REJECT,
                IntStream.range(0, COUNT)
                        .mapToObj(HundredThousandPoliciesTest::policy)
                        .toList());
        Path file = folder.resolve("policies.json");
        Files.write(file, PolicyFile.bytes(set));

        PolicySet read = PolicyFile.read(file, ALICE_AND_BOB);

        assertThat(read).isEqualTo(set);
        assertThat(PolicyFile.bytes(read)).isEqualTo(Files.readAllBytes(file));
        assertThat(PolicyFile.problems(read, ALICE_AND_BOB)).isEmpty();
        for (int i = 0; i < COUNT; i += 2) {
            assertThat(pattern(read, "orders.site-" + i + ".in")).isEqualTo("orders.site-" + i + ".in");
            int odd = i + 1;
            assertThat(pattern(read, "orders.site-" + odd + ".out.x")).isEqualTo("orders.site-" + odd + ".#");
        }
        assertThat(read.find("orders.other")).isEmpty();
    }

    @Test
    void changes_ofOneAndOfAll_makeOneVersionEach() {
        List<Policy> policies = IntStream.range(0, COUNT)
                .mapToObj(HundredThousandPoliciesTest::policy)
                .toList();

        PolicySet set =
                PolicySet.EMPTY.with(policies).without("orders.site-7.#").with(Policy.integrity("new"));

        assertThat(set.version()).isEqualTo(3);
        assertThat(set.policies()).hasSize(COUNT);
        assertThat(set.find("orders.site-7.x")).isEmpty();
        assertThat(set.contains(policies.get(8))).isTrue();
        assertThat(set.contains(policies.get(7))).isFalse();
        assertThat(set.with(policies.subList(0, 10)).policies()).hasSize(COUNT + 1);
    }

    private static Policy policy(int i) {
        return i % 2 == 0
                ? Policy.privacy("orders.site-" + i + ".in", List.of("alice"))
                : Policy.confidentiality("orders.site-" + i + ".#", List.of("alice", "bob"), KeyLimits.DEFAULT);
    }

    private static String pattern(PolicySet set, String address) {
        return set.find(address).orElseThrow().policy().pattern();
    }
}
