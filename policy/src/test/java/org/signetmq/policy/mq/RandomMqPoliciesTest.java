/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.mq.MqTexts.limits;
import static org.signetmq.policy.mq.MqTexts.read;
import static org.signetmq.policy.mq.MqTexts.signers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.mq.MqPolicies.MqImport;
import org.signetmq.testkit.Tier;

/** Writes random policies in both forms of MQ, and reads them. */
final class RandomMqPoliciesTest {
    @Test
    void randomPolicies_asMqWritesThem_areReadAsTheyAre() {
        long seed = 1_402_661;
        Random random = new Random(seed);

        for (int i = 0; i < Tier.rounds(2_000); i++) {
            Map<String, Policy> policies = new LinkedHashMap<>();
            for (int j = random.nextInt(8); j > 0; j--) {
                String name = name(random);
                policies.put(name, policy(name, random));
            }
            List<Policy> all = List.copyOf(policies.values());
            for (Function<Policy, String> form :
                    List.<Function<Policy, String>>of(MqTexts::setmqspl, MqTexts::setPolicy)) {
                String text = all.stream().map(form).collect(Collectors.joining("\n"));

                MqImport read = read(text);

                assertThat(read.policies())
                        .as("seed %d, round %d: %s", seed, i, text)
                        .isEqualTo(all);
                assertThat(read.count(MqImport.Outcome.TAKEN)).isEqualTo(all.size());
            }
        }
    }

    private static Policy policy(String name, Random random) {
        return switch (random.nextInt(4)) {
            case 0 ->
                new Policy(
                        name, QualityOfProtection.NONE, Signing.DEFAULT, Policy.Encryption.UNUSED, Acceptance.DEFAULT);
            case 1 -> Policy.integrity(name).with(signers(names(random, 0)));
            case 2 -> Policy.privacy(name, List.of(names(random, 1))).with(signers(names(random, 0)));
            default ->
                Policy.confidentiality(
                        name,
                        List.of(names(random, 1)),
                        limits(random.nextBoolean() ? KeyLimits.MOST_MESSAGES : 1 + random.nextInt(9_999_999)));
        };
    }

    private static String name(Random random) {
        String letters = "ABcd09._/%";
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(48); i >= 0; i--) {
            name.append(letters.charAt(random.nextInt(letters.length())));
        }
        return name.toString();
    }

    private static String[] names(Random random, int least) {
        String[] parts = {"a", "B c", "\\,", "\\\"", "$x", "`", "\\\\", "'", "\u00e9", "(", "#", "\\;", "+", "=", "*"};
        List<String> names = new ArrayList<>();
        for (int i = least + random.nextInt(3); i > 0; i--) {
            StringBuilder name = new StringBuilder("CN=n" + names.size());
            for (int j = random.nextInt(4); j > 0; j--) {
                name.append(parts[random.nextInt(parts.length)]);
            }
            names.add(name.append(random.nextBoolean() ? ",O=Example,C=GB" : "").toString());
        }
        return names.toArray(String[]::new);
    }
}
