/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.RandomPolicies;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.testkit.Tier;

final class RoundTripTest {
    @Test
    void randomSets_formattedAndParsed_areEqual() {
        long seed = 417;
        RandomPolicies random = new RandomPolicies(seed);

        for (int i = 0; i < (Tier.isLong() ? 3_000 : 100); i++) {
            PolicySet set = random.set();
            String json = PolicyFile.format(set);

            assertThat(PolicyFile.parse(json, ALICE_AND_BOB))
                    .as("seed %d, round %d: %s", seed, i, json)
                    .isEqualTo(set);
            assertThat(json).as("seed %d, round %d", seed, i).isEqualTo(asOneTree(set));
            assertThat(PolicyFile.problems(set, ALICE_AND_BOB)).isEmpty();
        }
    }

    /** The text of a document that was written from a tree of all policies. */
    private static String asOneTree(PolicySet set) {
        ObjectNode document = PolicyWriter.keys(set);
        ArrayNode policies = document.putArray(PolicyKeys.POLICIES);
        set.policies().forEach(policy -> policies.add(PolicyWriter.policy(policy)));
        return document.toPrettyString() + '\n';
    }

    @Test
    void randomlyBrokenDocuments_areReadOrRejected_nothingElse() {
        long seed = 90_125;
        Random random = new Random(seed);
        RandomPolicies policies = new RandomPolicies(seed);
        int rejected = 0;
        int rounds = Tier.isLong() ? 20_000 : 600;

        for (int i = 0; i < rounds; i++) {
            String json = broken(PolicyFile.format(policies.set()), random);
            try {
                PolicySet set = PolicyFile.parse(json, ALICE_AND_BOB);
                assertThat(PolicyFile.parse(PolicyFile.format(set), ALICE_AND_BOB))
                        .isEqualTo(set);
            } catch (InvalidPolicyException e) {
                rejected++;
                assertThat(e.problems())
                        .as("seed %d, round %d: %s", seed, i, json)
                        .isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + i + ": " + json, e);
            }
        }

        assertThat(rejected).as("documents rejected, or the test proves little").isBetween(rounds / 4, rounds - 1);
    }

    /** Characters lost, doubled or replaced; values of another type; keys exchanged. */
    private static String broken(String json, Random random) {
        StringBuilder text = new StringBuilder(json);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, text.charAt(at));
                case 2 -> text.setCharAt(at, (char) random.nextInt(random.nextBoolean() ? 128 : 0x10000));
                case 3 -> replaceValue(text, random);
                default -> replaceKey(text, random);
            }
        }
        return text.toString();
    }

    private static void replaceValue(StringBuilder text, Random random) {
        String[] values = {"null", "-1", "1e999", "{}", "[]", "\"\"", "\"MD5\"", "true", "[[null]]", "{\"until\":7}"};
        int colon = text.indexOf(" : ", random.nextInt(text.length()));
        int end = colon < 0 ? -1 : text.indexOf("\n", colon);
        if (end > 0) {
            boolean more = text.charAt(end - 1) == ',';
            text.replace(colon + 3, more ? end - 1 : end, values[random.nextInt(values.length)]);
        }
    }

    private static void replaceKey(StringBuilder text, Random random) {
        String key = PolicyKeys.OF_POLICY.get(random.nextInt(PolicyKeys.OF_POLICY.size()));
        int end = text.indexOf("\" : ", random.nextInt(text.length()));
        int start = end < 0 ? -1 : text.lastIndexOf("\"", end - 1);
        if (start >= 0) {
            text.replace(start + 1, end, key);
        }
    }
}
