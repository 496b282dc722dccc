/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.policy.mq.MqTexts.limits;
import static org.signetmq.policy.mq.MqTexts.signers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.testkit.Tier;

final class MqExportTest {
    @Test
    void everyQuality_isWritten() {
        MqExport export = MqPolicies.export(
                set(
                        Policy.privacy("A.Q", List.of("CN=a,O=x", "cn=b, o=y")).with(signers("CN=\"$`\\\"")),
                        Policy.integrity("B").with(signers("CN=a")),
                        Policy.confidentiality("C", List.of("CN=a"), limits(1)),
                        Policy.confidentiality("D", List.of("CN=a"), limits(9_999_999)),
                        Policy.confidentiality("E", List.of("CN=a"), limits(KeyLimits.MOST_MESSAGES)),
                        none("F")),
                "QM1");

        assertThat(export.text().lines())
                .containsExactly(
                        "# \"A.Q\": no distinguished name, found \"CN=\"$`\\\"\": it has a \"\"\" without a backslash "
                                + "before it; write such as CN=alice,O=Example,C=GB",
                        "setmqspl -m QM1 -p B -s SHA512 -e NONE -a \"CN=a\" -t 0",
                        "setmqspl -m QM1 -p C -s NONE -e AES256 -r \"CN=a\" -t 0 -c 0",
                        "setmqspl -m QM1 -p D -s NONE -e AES256 -r \"CN=a\" -t 0 -c 9999999",
                        "setmqspl -m QM1 -p E -s NONE -e AES256 -r \"CN=a\" -t 0 -c \"*\"",
                        "setmqspl -m QM1 -p F -s NONE -e NONE -t 0");
        assertThat(MqPolicies.export(set(Policy.privacy("A", List.of("cn=b, o=y$"))), "QM1")
                        .text())
                .isEqualTo("setmqspl -m QM1 -p A -s SHA512 -e AES256 -r \"CN=b,O=y\\$\" -t 0\n");
    }

    @Test
    void policiesThatMqCannotExpress_becomeCommentsWithTheReason() {
        Policy signed = Policy.integrity("Q");
        Instant end = Instant.parse("2027-01-01T00:00:00Z");
        List<Policy> policies = List.of(
                Policy.integrity("A.*"),
                Policy.integrity("name with spaces"),
                named("B", signed.with(new Acceptance(new Toleration(end), SealingPlace.EITHER))),
                named(
                        "C",
                        signed.with(new Signing(
                                SignatureAlgorithm.SHA_512_RSA_PSS, List.of(), CertificateInclusion.INCLUDED))),
                named(
                        "D",
                        signed.with(new Signing(
                                SignatureAlgorithm.SHA_512,
                                List.of(),
                                CertificateInclusion.INCLUDED,
                                List.of("CN=b")))),
                named(
                        "E",
                        signed.with(
                                new Signing(SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.REFERENCED))),
                named("F", signed.with(new Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT))),
                named(
                        "G",
                        signed.with(
                                new Acceptance(Toleration.ENFORCE, SealingPlace.EITHER, LegacyAlgorithms.ACCEPTED))),
                Policy.confidentiality("H", List.of("CN=a"), limits(10_000_000)),
                Policy.confidentiality(
                        "I", List.of("CN=a"), new KeyLimits(32, KeyLimits.MOST_BYTES, Duration.ofMinutes(1))),
                Policy.privacy("J", List.of("alice")),
                Policy.privacy("K", List.of("CN=\u20ac")));

        MqExport export = MqPolicies.export(PolicySet.of(1, UnmatchedAddress.REJECT, policies), "QM1");

        assertThat(export.refused())
                .extracting(PolicyProblem::toString)
                .containsExactly(
                        "A.*: a pattern with wildcards, and MQ knows names of queues only",
                        "name with spaces: no name of a queue in MQ, found \"name with spaces\"; "
                                + "it has 1 to 48 letters, digits and . _ / %",
                        "B: tolerates messages in clear until 2027-01-01T00:00:00Z, and MQ knows no end",
                        "C: signs by SHA-512-RSA-PSS, which MQ does not know",
                        "D: names brokers that vouch for senders, which MQ does not know",
                        "E: it has settings that MQ does not know",
                        "F: it has settings that MQ does not know",
                        "G: it has settings that MQ does not know",
                        "H: uses a key for 10000000 messages, and MQ for at most 9999999, or any number",
                        "I: it has settings that MQ does not know",
                        "J: no distinguished name, found \"alice\": each part is TYPE=value; write such as "
                                + "CN=alice,O=Example,C=GB",
                        "K: the name \"CN=\u20ac\" has characters outside of Latin-1");
        assertThat(export.text().lines()).hasSize(13).allMatch(line -> line.startsWith("# "));
        assertThat(MqPolicies.read(export.text(), WildcardSyntax.DEFAULT, Toleration.ENFORCE)
                        .statements())
                .isEmpty();
    }

    @Test
    void hostilePattern_staysInItsComment() {
        MqExport export = MqPolicies.export(set(Policy.integrity("a; rm -rf / '\"`$(id)\\")), "QM1");

        assertThat(export.text().lines()).singleElement().asString().startsWith("# \"a; rm");
    }

    @Test
    void queueManagerThatIsNone_isRejected() {
        for (String name : List.of("", "QM 1", "QM1; id", "Q".repeat(49))) {
            assertThatThrownBy(() -> MqPolicies.export(PolicySet.EMPTY, name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("queue manager: no name of one, found \"");
        }
    }

    @Test
    void randomPolicies_exportedAndRead_areTheSame() {
        long seed = 1_402_661;
        Random random = new Random(seed);

        for (int i = 0; i < Tier.rounds(2_000); i++) {
            Map<String, Policy> policies = new LinkedHashMap<>();
            for (int j = random.nextInt(8); j > 0; j--) {
                String name = name(random);
                policies.put(name, policy(name, random));
            }
            PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, new ArrayList<>(policies.values()));
            MqExport export = MqPolicies.export(set, "QM1");

            MqImport read = MqPolicies.read(export.text(), WildcardSyntax.DEFAULT, Toleration.ENFORCE);

            assertThat(export.refused()).isEmpty();
            assertThat(read.policies())
                    .as("seed %d, round %d: %s", seed, i, export.text())
                    .isEqualTo(set.policies());
            assertThat(read.count(MqImport.Outcome.TAKEN))
                    .isEqualTo(set.policies().size());
        }
    }

    private static Policy policy(String name, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> none(name);
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

    private static PolicySet set(Policy... policies) {
        return PolicySet.of(1, UnmatchedAddress.PASS, List.of(policies));
    }

    private static Policy named(String name, Policy policy) {
        return new Policy(name, policy.quality(), policy.signing(), policy.encryption(), policy.acceptance());
    }

    private static Policy none(String name) {
        return new Policy(
                name, QualityOfProtection.NONE, Signing.DEFAULT, Policy.Encryption.UNUSED, Acceptance.DEFAULT);
    }
}
