/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;

final class PolicyEditTest {
    private static final Policy SIGNED = Policy.privacy("orders.#", List.of("alice"))
            .with(new Signing(
                    SignatureAlgorithm.SHA_512_RSA_PSS,
                    List.of("bob"),
                    CertificateInclusion.REFERENCED,
                    List.of("broker")))
            .with(new Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT, LegacyAlgorithms.ACCEPTED));
    private static final PolicySet SET = PolicySet.of(
            7,
            UnmatchedAddress.REJECT,
            List.of(
                    SIGNED,
                    Policy.integrity("bills"),
                    Policy.confidentiality("cards", List.of("alice", "bob"), KeyLimits.DEFAULT)));

    @Test
    void addedRecipient_isTheLast_andTheRestStays() {
        PolicySet next = PolicyEdit.addRecipient("orders.#", "bob").applyTo(SET, ALICE_AND_BOB);

        Policy expected = Policy.privacy("orders.#", List.of("alice", "bob"))
                .with(SIGNED.signing())
                .with(SIGNED.acceptance());
        assertThat(next).isEqualTo(SET.with(expected));
        assertThat(next.version()).isEqualTo(8);
    }

    @Test
    void removedRecipient_isGone() {
        PolicySet next = PolicyEdit.removeRecipient("cards", "alice").applyTo(SET, ALICE_AND_BOB);

        assertThat(next).isEqualTo(SET.with(Policy.confidentiality("cards", List.of("bob"), KeyLimits.DEFAULT)));
    }

    @Test
    void addedSigner_isTheLast_andTheRestStays() {
        PolicySet next = PolicyEdit.addSigner("orders.#", "alice").applyTo(SET, ALICE_AND_BOB);

        assertThat(next)
                .isEqualTo(SET.with(SIGNED.with(new Signing(
                        SignatureAlgorithm.SHA_512_RSA_PSS,
                        List.of("bob", "alice"),
                        CertificateInclusion.REFERENCED,
                        List.of("broker")))));
        assertThat(PolicyEdit.removeSigner("orders.#", "alice")
                        .applyTo(next, ALICE_AND_BOB)
                        .policies())
                .isEqualTo(SET.policies());
    }

    @Test
    void firstSigner_ofAPolicyThatTakesAll_isAdded() {
        assertThat(PolicyEdit.addSigner("bills", "bob")
                        .applyTo(SET, ALICE_AND_BOB)
                        .named("bills")
                        .orElseThrow()
                        .signing()
                        .signers())
                .containsExactly("bob");
    }

    @Test
    void nameThatIsThereAlready_isRefused() {
        assertRefused(
                PolicyEdit.addRecipient("cards", "bob"), "recipients: \"bob\" is a recipient of \"cards\" already");
        assertRefused(PolicyEdit.addSigner("orders.#", "bob"), "signers: \"bob\" is a signer of \"orders.#\" already");
    }

    @Test
    void nameThatIsNotThere_isRefusedWithTheNearest() {
        assertRefused(
                PolicyEdit.removeRecipient("cards", "alicia"),
                "recipients: \"alicia\" is no recipient of \"cards\"; did you mean \"alice\"?");
        assertRefused(PolicyEdit.removeSigner("bills", "xyzxyz"), "signers: \"xyzxyz\" is no signer of \"bills\"");
    }

    @Test
    void lastName_cannotGo() {
        assertRefused(
                PolicyEdit.removeRecipient("orders.#", "alice"),
                "recipients: \"alice\" is the last recipient of \"orders.#\", and privacy encrypts; "
                        + "add another recipient first");
        assertRefused(
                PolicyEdit.removeSigner("orders.#", "bob"),
                "signers: \"bob\" is the last signer of \"orders.#\", and every trusted signer could sign without it; "
                        + "add another signer first, or set the policy without signers");
    }

    @Test
    void unknownParty_isRefusedWhenItIsAdded_notWhenItIsRemoved() {
        assertRefused(PolicyEdit.addRecipient("cards", "mallory"), "recipients: unknown recipient \"mallory\"");
        assertRefused(PolicyEdit.addSigner("bills", "mallory"), "signers: unknown signer \"mallory\"");
        PolicySet old = SET.with(Policy.privacy("old", List.of("gone", "alice")));

        assertThat(PolicyEdit.removeRecipient("old", "gone")
                        .applyTo(old, ALICE_AND_BOB)
                        .contains(Policy.privacy("old", List.of("alice"))))
                .isTrue();
    }

    @Test
    void qualityWithoutUseForTheList_isRefused() {
        assertRefused(
                PolicyEdit.addRecipient("bills", "bob"),
                "recipients: integrity does not encrypt: every client can read; set privacy or confidentiality first");
        assertRefused(
                PolicyEdit.removeSigner("cards", "bob"),
                "signers: confidentiality does not sign: no signer is checked; set integrity or privacy first");
    }

    @Test
    void patternWithoutPolicy_isRefused_evenIfAnotherMatches() {
        assertRefused(
                PolicyEdit.addRecipient("orders.eu", "bob"),
                "pattern: no policy for exactly \"orders.eu\"; set one first");
        assertRefused(
                PolicyEdit.addSigner("a\u001b[2Jb", "bob"), "pattern: no policy for exactly \"a?[2Jb\"; set one first");
    }

    @Test
    void impossibleNames_areRefused() {
        PartyValidator all = PartyValidator.acceptAll();

        assertThatThrownBy(() -> PolicyEdit.addSigner("bills", " ").applyTo(SET, all))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith("signers: not a name, found \" \"");
        assertThatThrownBy(() -> PolicyEdit.addSigner("bills", "n".repeat(2049)).applyTo(SET, all))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith("signers: longer than 2048 characters");
        PolicySet full = SET.with(Policy.privacy(
                "full", IntStream.range(0, 10_000).mapToObj(i -> "n" + i).toList()));
        assertThatThrownBy(() -> PolicyEdit.addRecipient("full", "n").applyTo(full, all))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("more than 10000 names");
    }

    @Test
    void edit_saysWhatItDoes() {
        assertThat(PolicyEdit.addRecipient("cards", "bob")).hasToString("add recipient \"bob\" of \"cards\"");
        assertThat(PolicyEdit.removeSigner("cards", "bob")).hasToString("remove signer \"bob\" of \"cards\"");
    }

    private static void assertRefused(PolicyEdit edit, String message) {
        assertThatThrownBy(() -> edit.applyTo(SET, ALICE_AND_BOB))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage(message);
    }
}
