/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.internal.text.DocumentLimits;

/** The parties to which all policies of a set encrypt. */
final class RecoveryRecipientsTest {
    private static final Policy PRIVACY = Policy.privacy("orders.#", List.of("alice", "vault"));
    private static final Policy CONFIDENTIALITY = Policy.confidentiality("cards", List.of("alice"), KeyLimits.DEFAULT);
    private static final Policy INTEGRITY = Policy.integrity("prices");
    private static final PolicySet SET =
            set(List.of("vault", "CN=safe,O=Example"), PRIVACY, CONFIDENTIALITY, INTEGRITY);

    private static PolicySet set(List<String> recovery, Policy... policies) {
        return PolicySet.of(7, PolicySet.Settings.DEFAULT.withRecovery(recovery), List.of(policies));
    }

    private static List<String> recipients(PolicySet set, String address) {
        return set.find(address).orElseThrow().policy().encryption().recipients();
    }

    @Test
    void policyThatEncrypts_appliesWithTheRecoveryRecipientsBehindItsOwn_eachNameOnce() {
        assertThat(recipients(SET, "cards")).containsExactly("alice", "vault", "CN=safe,O=Example");
        assertThat(recipients(SET, "orders.eu")).containsExactly("alice", "vault", "CN=safe,O=Example");
        assertThat(SET.explain("orders.eu").effective()).isEqualTo(SET.find("orders.eu"));
        assertThat(SET.find("orders.eu").orElseThrow())
                .isSameAs(SET.find("orders.us").orElseThrow());
        assertThat(SET.find("orders.eu").orElseThrow().reference()).isEqualTo("orders.#@7");
    }

    @Test
    void policyThatDoesNotEncrypt_appliesUnchanged() {
        assertThat(SET.find("prices").orElseThrow().policy()).isSameAs(INTEGRITY);
        assertThat(SET.applied(INTEGRITY)).isSameAs(INTEGRITY);
    }

    /** The recovery key alone must not make a policy work that names no reader. */
    @Test
    void policyWithoutRecipients_getsNone() {
        Policy empty = Policy.privacy("a", List.of());

        assertThat(set(List.of("vault"), empty).applied(empty)).isSameAs(empty);
    }

    @Test
    void policiesOfTheSet_stayAsTheyWereWritten() {
        assertThat(SET.policies()).containsExactly(PRIVACY, CONFIDENTIALITY, INTEGRITY);
        assertThat(SET.named("cards")).hasValue(CONFIDENTIALITY);
        assertThat(SET.contains(CONFIDENTIALITY)).isTrue();
        assertThat(SET.deciding("cards")).containsExactly(CONFIDENTIALITY);
        assertThat(SET.deciding("orders.#")).containsExactly(PRIVACY);
        assertThat(SET.with(Policy.integrity("#")).explain("cards").overruled()).containsExactly(Policy.integrity("#"));
        PolicySet covered = SET.with(Policy.privacy("#", List.of("alice")));
        assertThat(covered.explain("cards").overruled()).containsExactly(Policy.privacy("#", List.of("alice")));
    }

    @Test
    void withRecovery_isTheNextVersion_andTheSameSetIfNothingChanges() {
        PolicySet changed = SET.withRecovery(List.of("other"));

        assertThat(changed.version()).isEqualTo(8);
        assertThat(recipients(changed, "cards")).containsExactly("alice", "other");
        assertThat(changed).isNotEqualTo(SET.with(UnmatchedAddress.REJECT));
        assertThat(SET.withRecovery(SET.recovery())).isSameAs(SET);
        assertThat(SET.withRecovery(List.of()).recovery()).isEmpty();
    }

    @Test
    void otherChanges_keepTheRecoveryRecipients() {
        for (PolicySet changed : List.of(
                SET.with(Policy.integrity("b")),
                SET.without("cards"),
                SET.with(UnmatchedAddress.REJECT),
                SET.with(new WildcardSyntax('.', '#', '+')))) {
            assertThat(changed.recovery()).isEqualTo(SET.recovery());
        }
    }

    @Test
    void setsThatDifferInRecoveryAlone_areNotEqual() {
        assertThat(set(List.of("vault"), INTEGRITY)).isNotEqualTo(set(List.of(), INTEGRITY));
        assertThat(set(List.of("vault"), INTEGRITY)).isEqualTo(set(List.of("vault"), INTEGRITY));
    }

    /** The keys of a policy are kept while the set applies it unchanged. */
    @Test
    void changedRecovery_changesWhatIsApplied_ofPoliciesThatEncryptAlone() {
        EffectivePolicy encrypting = SET.find("cards").orElseThrow();
        EffectivePolicy signing = SET.find("prices").orElseThrow();
        PolicySet other = SET.withRecovery(List.of("vault"));

        assertThat(SET.with(UnmatchedAddress.REJECT).applies(encrypting)).isTrue();
        assertThat(other.applies(encrypting)).isFalse();
        assertThat(other.applies(signing)).isTrue();
        assertThat(SET.without("cards").applies(encrypting)).isFalse();
    }

    @Test
    void namesThatCannotBe_areRejectedWithTheirPlaces() {
        assertThat(problems(List.of("a", " ", "a", "b".repeat(DocumentLimits.LONGEST_TEXT + 1))))
                .hasSize(3)
                .satisfiesExactly(
                        blank -> assertThat(blank).startsWith("recovery[1]: not a name"),
                        again -> assertThat(again).startsWith("recovery[2]: named before"),
                        longer -> assertThat(longer).startsWith("recovery[3]: longer than"));
        assertThat(problems(IntStream.rangeClosed(0, DocumentLimits.MOST_RECOVERY)
                        .mapToObj(i -> "n" + i)
                        .toList()))
                .singleElement()
                .asString()
                .startsWith("recovery: more than 8 recovery recipients, found 9");
    }

    /** A policy that is shown or sent with all recipients must be readable again. */
    @Test
    void limitOfRecipients_holdsForAllTogether() {
        List<String> most = IntStream.range(0, DocumentLimits.MOST_NAMES)
                .mapToObj(i -> "n" + i)
                .toList();
        Policy full = Policy.privacy("a", most);

        assertThat(set(List.of(), full).policies()).hasSize(1);
        assertThat(catchThrowableOfType(InvalidPolicyException.class, () -> set(List.of("vault"), full))
                        .problems())
                .singleElement()
                .asString()
                .startsWith("policies[0].recipients: more than 10000 names, found 10001");
    }

    private static List<String> problems(List<String> recovery) {
        return catchThrowableOfType(InvalidPolicyException.class, () -> set(recovery, INTEGRITY)).problems().stream()
                .map(PolicyProblem::toString)
                .toList();
    }
}
