/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyDifference.ChangedKey;

/** Recovery recipients in a policy document, in differences and in policies of IBM MQ. */
final class RecoveryDocumentTest {
    private static final PolicySet SET =
            PolicySet.EMPTY.withRecovery(List.of("bob")).with(Policy.privacy("A.Q", List.of("alice")));

    private static String document(String recovery) {
        return "{\"schema\": 1, \"version\": 1, \"recovery\": " + recovery + ", \"policies\": []}";
    }

    private static List<String> problems(String json) {
        return catchThrowableOfType(InvalidPolicyException.class, () -> PolicyFile.parse(json, ALICE_AND_BOB))
                .problems()
                .stream()
                .map(PolicyProblem::toString)
                .toList();
    }

    @Test
    void recovery_isWrittenBeforeThePolicies_andReadBack() {
        String text = PolicyFile.format(SET);

        assertThat(text).contains("\"recovery\" : [ \"bob\" ],");
        assertThat(text.indexOf("recovery")).isLessThan(text.indexOf("policies"));
        assertThat(PolicyFile.parse(text, ALICE_AND_BOB)).isEqualTo(SET);
        assertThat(PolicyFile.parse(text, ALICE_AND_BOB).policies()).isEqualTo(SET.policies());
    }

    @Test
    void withoutRecovery_theDocumentHasNoSuchKey() {
        assertThat(PolicyFile.format(SET.withRecovery(List.of()))).doesNotContain("recovery");
        assertThat(PolicyFile.parse(document("[]"), ALICE_AND_BOB).recovery()).isEmpty();
    }

    @Test
    void policyThatIsAdded_keepsTheRecoveryOfItsSet() {
        PolicySet next = PolicyFile.parsePolicy(Map.of("pattern", "b", "quality", "integrity"), SET, ALICE_AND_BOB);

        assertThat(next.recovery()).containsExactly("bob");
    }

    @Test
    void namesThatCannotBeUsed_areAllReported() {
        assertThat(problems(document("[\"alice\", \"mallory\", 7, \"alice\", \"eve\"]")))
                .containsExactlyInAnyOrder(
                        "recovery[1]: unknown recipient \"mallory\"",
                        "recovery[2]: not a name, found 7; write a name, a distinguished name or a key identifier",
                        "recovery[3]: named before, found \"alice\"; remove one of them",
                        "recovery[4]: unknown recipient \"eve\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"bob\"", "null", "{\"a\": 1}", "true"})
    void otherValues_areRejected(String value) {
        assertThat(problems(document(value))).singleElement().asString().startsWith("recovery: not a list");
    }

    @Test
    void tooManyNames_areRejectedBeforeAnyIsLookedUp() {
        String names = IntStream.range(0, 9).mapToObj(i -> "\"n" + i + "\"").collect(Collectors.joining(",", "[", "]"));

        assertThat(problems(document(names)))
                .containsExactly("recovery: more than 8 recovery recipients, found 9; name fewer");
    }

    @Test
    void problemsOfASet_nameItsRecovery() {
        PolicySet unknown = SET.withRecovery(List.of("mallory"));

        assertThat(PolicyFile.problems(unknown, ALICE_AND_BOB))
                .containsExactly(new PolicyProblem("recovery[0]", "unknown recipient \"mallory\""));
        assertThat(PolicyFile.problems(unknown, PartyValidator.acceptAll())).isEmpty();
    }

    @Test
    void changedRecovery_isADifferenceOfTheSettings() {
        PolicyDifference difference = PolicyDifference.between(SET.withRecovery(List.of()), SET);

        assertThat(difference.settings())
                .containsExactly(new ChangedKey("recovery", Optional.empty(), Optional.of("[\"bob\"]")));
        assertThat(difference.changed()).isEmpty();
    }
}
