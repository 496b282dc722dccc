/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.EncryptionAlgorithm;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;

/** Policies that do not come from a document: from the options of a command, or from code. */
final class PolicyOptionsTest {
    private static final PolicySet BASE = PolicySet.of(4, UnmatchedAddress.REJECT, List.of(Policy.integrity("a")));

    @Test
    void fields_areReadAsInTheDocument_andReplaceThePolicyOfTheirPattern() {
        Map<String, Object> fields = Map.of(
                "pattern", "a",
                "quality", "confidentiality",
                "recipients", List.of("alice", "bob"),
                "key-reuse", 5,
                "max-key-age", "2h");

        PolicySet set = PolicyFile.parsePolicy(fields, BASE, ALICE_AND_BOB);

        Policy expected = Policy.confidentiality(
                "a", List.of("alice", "bob"), new KeyLimits(5, KeyLimits.MOST_BYTES, Duration.ofHours(2)));
        assertThat(set).isEqualTo(PolicySet.of(5, UnmatchedAddress.REJECT, List.of(expected)));
    }

    @Test
    void numbersAsText_areTaken() {
        Map<String, Object> fields = Map.of(
                "pattern", "b",
                "quality", "confidentiality",
                "recipients", List.of("alice"),
                "key-reuse", "5",
                "max-bytes-per-key", "1000",
                "toleration", Map.of("until", "2026-12-31T00:00:00Z"));

        Policy policy =
                PolicyFile.parsePolicy(fields, BASE, ALICE_AND_BOB).policies().get(1);

        assertThat(policy.encryption().limits()).isEqualTo(new KeyLimits(5, 1000, KeyLimits.DEFAULT_AGE));
        assertThat(policy.acceptance().toleration().until()).hasToString("2026-12-31T00:00:00Z");
    }

    @Test
    void fieldsThatCannotWork_areRejectedTogether_byTheirNames() {
        Map<String, Object> fields =
                Map.of("quality", "privacy", "recipients", List.of("mallory"), "key-reuse", "many");

        InvalidPolicyException rejected = catchThrowableOfType(
                InvalidPolicyException.class, () -> PolicyFile.parsePolicy(fields, BASE, ALICE_AND_BOB));

        assertThat(rejected.problems())
                .extracting(PolicyProblem::path)
                .containsExactlyInAnyOrder("pattern", "recipients[0]", "key-reuse", "key-reuse");
    }

    @Test
    void policiesMadeInCode_haveTheProblemsTheirDocumentWouldHave() {
        PolicySet set = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                List.of(
                        Policy.integrity("a"),
                        Policy.privacy("b", List.of()),
                        Policy.privacy("c", List.of("mallory")),
                        Policy.privacy("d", List.of("alice"))
                                .with(new Encryption(EncryptionAlgorithm.AES_256, List.of("bob"), KeyLimits.DEFAULT)),
                        Policy.confidentiality("e", List.of("bob"), KeyLimits.DEFAULT)
                                .with(new Signing(
                                        SignatureAlgorithm.SHA_512, List.of("bob"), CertificateInclusion.INCLUDED)),
                        Policy.confidentiality(
                                "f", List.of("bob"), new KeyLimits(1, 1, PolicyReader.MOST_AGE.plusNanos(1)))));

        assertThat(PolicyFile.problems(set, ALICE_AND_BOB))
                .extracting(PolicyProblem::path)
                .containsExactly(
                        "policies[1].recipients",
                        "policies[2].recipients[0]",
                        "policies[3].key-reuse",
                        "policies[4].signers",
                        "policies[5].max-key-age");
        assertThat(PolicyFile.problems(BASE, ALICE_AND_BOB)).isEmpty();
    }

    @Test
    void onePolicy_isShownAsInTheDocument() {
        assertThat(PolicyFile.format(Policy.confidentiality("a", List.of("alice"), KeyLimits.FRESH_KEY)))
                .isEqualToNormalizingNewlines("""
                        {
                          "pattern" : "a",
                          "quality" : "confidentiality",
                          "encryption-algorithm" : "AES-256",
                          "recipients" : [ "alice" ],
                          "key-reuse" : 0
                        }
                        """);
    }
}
