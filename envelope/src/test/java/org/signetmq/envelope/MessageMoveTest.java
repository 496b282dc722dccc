/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** Opens messages that the broker moved. */
final class MessageMoveTest {
    private static final String SIGNED = "signed.a";
    private static final String SECRET = "secret.a";
    private static final String OTHER_SECRET = "secret.b";
    private static final String OPEN = "open.a";
    private static final String DEAD = "DLQ";
    private static final MessageMove DEAD_SECRET = new MessageMove(SECRET, DEAD);
    private static final byte[] CLEAR = "hello".getBytes(UTF_8);

    private static final Policy SIGNING = Policy.integrity("signed.#");
    private static final Policy HIDING = Policy.privacy("secret.#", List.of("bob"));

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity alice = parties.identity("alice");
    private static Identity bob = parties.identity("bob");

    private static byte[] sealed(String address, Policy... policies) {
        return parties.seal(ClearMessage.of(address, ClearMessage.Body.TEXT, CLEAR), Parties.policies(policies), alice);
    }

    private static Opener opener(Policy... policies) {
        return parties.opener(List.of(bob), Parties.policies(policies));
    }

    @Test
    void envelopeForTheFormerAddress_opensUnderItsPolicy() {
        OpenedMessage opened = opener(SIGNING, HIDING).open(sealed(SECRET, HIDING), DEAD_SECRET);

        assertThat(opened.payload()).isEqualTo(CLEAR);
        assertThat(opened.entityIfProtected().orElseThrow().address()).isEqualTo(SECRET);
    }

    @Test
    void envelopeForTheFormerAddress_inSegments_opensUnderItsPolicy() throws Exception {
        byte[] sealed = sealed(SECRET, HIDING);

        assertThat(opener(HIDING)
                        .openSegments(new ByteArrayInputStream(sealed), DEAD_SECRET)
                        .payload()
                        .readAllBytes())
                .isEqualTo(CLEAR);
    }

    @Test
    void envelopeThatBreaksTheFormerAddressesPolicy_isRejected() {
        byte[] weak = sealed(SECRET, Policy.integrity("secret.#"));

        assertThatThrownBy(() -> opener(HIDING).open(weak, DEAD_SECRET)).isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void signerWhomTheFormerAddressDoesNotList_isRejected() {
        Policy bobAlone = HIDING.with(new Policy.Signing(
                HIDING.signing().algorithm(), List.of("bob"), HIDING.signing().certificate()));

        assertThatThrownBy(() -> opener(bobAlone).open(sealed(SECRET, HIDING), DEAD_SECRET))
                .isInstanceOf(SignerNotAuthorizedException.class);
    }

    @Test
    void forgedFormerAddress_isRejected() {
        byte[] sealed = sealed(SECRET, HIDING);

        assertThatThrownBy(() -> opener(SIGNING, HIDING).open(sealed, new MessageMove(OTHER_SECRET, DEAD)))
                .isInstanceOf(AddressMismatchException.class)
                .hasMessageContaining("received from '" + OTHER_SECRET + "'");
        assertThatThrownBy(() -> opener(SIGNING, HIDING).open(sealed, new MessageMove(OPEN, DEAD)))
                .isInstanceOf(AddressMismatchException.class);
    }

    @Test
    void envelopeForTheAddressWhereItLies_isNotTheFormerOnes() {
        byte[] sealed = sealed(DEAD, Policy.privacy(DEAD, List.of("bob")));

        assertThatThrownBy(() -> opener(HIDING).open(sealed, DEAD_SECRET)).isInstanceOf(AddressMismatchException.class);
    }

    @Test
    void formerAddressThatProtectsLess_doesNotCount() {
        Policy strictDead = Policy.privacy(DEAD, List.of("bob"));
        Opener opener = opener(SIGNING, strictDead);

        assertThatThrownBy(() -> opener.open(sealed(SIGNED, SIGNING), new MessageMove(SIGNED, DEAD)))
                .isInstanceOf(PolicyViolationException.class);
        assertThatThrownBy(() ->
                        opener.open(sealed(OPEN, Policy.privacy(OPEN, List.of("bob"))), new MessageMove(OPEN, DEAD)))
                .isInstanceOf(AddressMismatchException.class);
    }

    @Test
    void messageSealedAgain_opensForTheAddressWhereItLies() {
        Policy strictDead = Policy.privacy(DEAD, List.of("bob"));

        assertThat(opener(SIGNING, strictDead)
                        .open(sealed(DEAD, strictDead), new MessageMove(SIGNED, DEAD))
                        .payload())
                .isEqualTo(CLEAR);
    }

    @Test
    void messageInClear_mustBeLetThroughByBoth() {
        assertThat(opener(HIDING).open(CLEAR, new MessageMove(OPEN, DEAD)).payload())
                .isEqualTo(CLEAR);
        assertThatThrownBy(() -> opener(HIDING).open(CLEAR, DEAD_SECRET))
                .isInstanceOf(UnprotectedMessageException.class);
        assertThatThrownBy(() -> opener(HIDING).open(CLEAR, new MessageMove(OPEN, SECRET)))
                .isInstanceOf(UnprotectedMessageException.class);
        PolicySet rejecting = PolicySet.of(17, UnmatchedAddress.REJECT, List.of(HIDING));
        assertThatThrownBy(() -> parties.opener(List.of(bob), rejecting).open(CLEAR, new MessageMove(OPEN, DEAD)))
                .isInstanceOf(UnprotectedMessageException.class);
    }

    @Test
    void messageInClear_inSegments_mustBeLetThroughByBoth() {
        assertThatThrownBy(() -> opener(HIDING)
                        .openSegments(new ByteArrayInputStream(CLEAR), DEAD_SECRET)
                        .next())
                .isInstanceOf(UnprotectedMessageException.class);
    }
}
