/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;

final class EnvelopeChainTest {
    private static final EffectivePolicy INTEGRITY = new EffectivePolicy(Policy.integrity(Parties.ADDRESS), 17);
    private static final EffectivePolicy PRIVACY =
            new EffectivePolicy(Policy.privacy(Parties.ADDRESS, List.of("alice")), 17);

    @TempDir
    static Path folder;

    private static Parties parties;
    private static Identity alice;
    private static EnvelopeCheck check;
    private static List<byte[]> signed;
    private static List<byte[]> encrypted;

    @BeforeAll
    static void seal() throws IOException {
        parties = new Parties(folder);
        alice = parties.identity("alice", KeyAlgorithm.EC_P256);
        check = EnvelopeCheck.create(
                parties.home.recipientDirectory(), parties.home.certificateTrust(), CryptoProviders.standard());
        signed = segments(INTEGRITY);
        encrypted = segments(PRIVACY);
    }

    @AfterAll
    static void close() {
        parties.close();
    }

    /** Returns three segments. */
    private static List<byte[]> segments(EffectivePolicy policy) throws IOException {
        List<byte[]> envelopes = new ArrayList<>();
        ClearMessage head = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.BYTES, new byte[0]);
        try (SegmentSealer sealer = parties.sealer()
                .segments(
                        head,
                        policy,
                        alice,
                        (bytes, offset, length) -> envelopes.add(Arrays.copyOfRange(bytes, offset, offset + length)))) {
            byte[] payload = new byte[2 * SegmentSealer.SEGMENT_LENGTH + 1];
            sealer.add(payload, 0, payload.length);
            sealer.finish();
        }
        return envelopes;
    }

    private static byte[] joined(List<byte[]> envelopes) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        envelopes.forEach(whole::writeBytes);
        return whole.toByteArray();
    }

    private static boolean satisfies(List<byte[]> envelopes, EffectivePolicy policy) {
        return check.satisfies(joined(envelopes), Parties.ADDRESS, policy, SenderRule.ANY);
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
        byte[] whole = joined(encrypted);

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
