/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;

final class EnvelopeChainTest {
    private static final EffectivePolicy INTEGRITY = Parties.effective(Policy.integrity(Parties.ADDRESS));
    private static final EffectivePolicy PRIVACY = Parties.effective(Policy.privacy(Parties.ADDRESS, List.of("alice")));

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity alice;
    private static EnvelopeCheck check;
    private static List<byte[]> signed;
    private static List<byte[]> encrypted;

    @BeforeAll
    static void seal() throws IOException {
        alice = parties.identity("alice");
        check = parties.check();
        signed = segments(INTEGRITY);
        encrypted = segments(PRIVACY);
    }

    /** Returns three segments. */
    private static List<byte[]> segments(EffectivePolicy policy) throws IOException {
        ClearMessage head = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[0]);
        return parties.segments(head, policy, alice, new byte[2 * SegmentSealer.SEGMENT_LENGTH + 1]);
    }

    private static boolean satisfies(List<byte[]> envelopes, EffectivePolicy policy) {
        return check.satisfies(Parties.joined(envelopes), Parties.ADDRESS, policy, SenderRule.ANY);
    }

    private static List<byte[]> picked(List<byte[]> from, int... places) {
        return Arrays.stream(places).mapToObj(from::get).toList();
    }

    @Test
    void allSegmentsInOrder_satisfy() {
        assertThat(satisfies(signed, INTEGRITY)).isTrue();
        assertThat(satisfies(encrypted, PRIVACY)).isTrue();
    }

    @Test
    void signedSegments_missingSwappedOrTwice_doNot() {
        assertThat(satisfies(picked(signed, 0, 1), INTEGRITY)).isFalse();
        assertThat(satisfies(picked(signed, 0, 2), INTEGRITY)).isFalse();
        assertThat(satisfies(picked(signed, 1, 2), INTEGRITY)).isFalse();
        assertThat(satisfies(picked(signed, 2), INTEGRITY)).isFalse();
        assertThat(satisfies(picked(signed, 1, 0, 2), INTEGRITY)).isFalse();
        assertThat(satisfies(picked(signed, 0, 0, 1, 2), INTEGRITY)).isFalse();
        assertThat(satisfies(picked(signed, 0, 1, 2, 2), INTEGRITY)).isFalse();
    }

    @Test
    void signedSegmentsOfAnotherMessage_doNot() throws IOException {
        List<byte[]> other = segments(INTEGRITY);

        assertThat(satisfies(List.of(signed.get(0), other.get(1), signed.get(2)), INTEGRITY))
                .isFalse();
    }

    @Test
    void wholeMessageBehindAnother_doesNot() {
        byte[] alone = parties.seal(
                ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[10]),
                Parties.policies(INTEGRITY.policy()),
                alice);

        assertThat(satisfies(List.of(alone), INTEGRITY)).isTrue();
        assertThat(satisfies(List.of(alone, alone), INTEGRITY)).isFalse();
        assertThat(satisfies(List.of(signed.get(0), alone), INTEGRITY)).isFalse();
    }

    @Test
    void bytesBehindTheLast_doNot() {
        assertThat(satisfies(List.of(encrypted.get(0), new byte[] {'x'}), PRIVACY))
                .isFalse();
        assertThat(satisfies(List.of(encrypted.get(0), new byte[100_000]), PRIVACY))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 1 << 20})
    void cutShort_doesNot(int missing) {
        byte[] whole = Parties.joined(encrypted);

        assertThat(check.satisfies(
                        Arrays.copyOf(whole, whole.length - missing), Parties.ADDRESS, PRIVACY, SenderRule.ANY))
                .isFalse();
    }

    @Test
    void anotherPolicysEnvelope_doesNot() {
        assertThat(satisfies(List.of(encrypted.get(0), signed.get(1)), PRIVACY)).isFalse();
        assertThat(satisfies(signed, PRIVACY)).isFalse();
    }

    @Test
    void afterTheFirstThatIsWrong_noneIsAccepted() {
        EnvelopeChain chain = check.chain(Parties.ADDRESS, INTEGRITY, SenderRule.ANY);

        assertThat(chain.isComplete()).isFalse();
        assertThat(chain.accepts(signed.get(1), 0, signed.get(1).length)).isFalse();
        assertThat(chain.accepts(signed.get(0), 0, signed.get(0).length)).isFalse();
        assertThat(chain.isComplete()).isFalse();
    }

    @Test
    void lengthOf_isThatOfTheEnvelope_orNone() {
        byte[] envelope = encrypted.get(0);

        assertThat(EnvelopeChain.lengthOf(envelope, EnvelopeChain.HEAD_LENGTH)).isEqualTo(envelope.length);
        assertThat(EnvelopeChain.lengthOf(new byte[EnvelopeChain.HEAD_LENGTH], EnvelopeChain.HEAD_LENGTH))
                .isNegative();
        assertThat(EnvelopeChain.lengthOf(envelope, 3)).isNegative();
    }
}
