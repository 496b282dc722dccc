/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.internal.seal.SealingPlanCache;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.KeyEpochs;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** Messages by a set of policies with recovery recipients. */
final class RecoveryTest {
    private static final int IN_MEMORY = 1_000;
    private static final int SEGMENTED = SegmentSealer.SEGMENT_LENGTH + 1_000;

    @RegisterExtension
    static Parties parties = new Parties("safe", "bob");

    private static Identity alice = parties.identity("alice");
    private static Identity vault = parties.identity("vault", KeyAlgorithm.RSA_2048);

    private static List<Policy> encrypting() {
        return List.of(
                Policy.privacy(Parties.ADDRESS, List.of("alice")),
                Policy.confidentiality(Parties.ADDRESS, List.of("alice"), KeyLimits.FRESH_KEY),
                Policy.confidentiality(Parties.ADDRESS, List.of("alice"), KeyLimits.DEFAULT));
    }

    static Stream<Arguments> messages() {
        return encrypting().stream()
                .flatMap(policy -> Stream.of(IN_MEMORY, SEGMENTED).map(length -> Arguments.of(policy, length)));
    }

    private static PolicySet set(Policy policy, String... recovery) {
        return PolicySet.of(17, PolicySet.Settings.DEFAULT.withRecovery(Arrays.asList(recovery)), List.of(policy));
    }

    private static byte[] sealed(PolicySet set, byte[] payload) throws IOException {
        EffectivePolicy policy = set.find(Parties.ADDRESS).orElseThrow();
        return payload.length <= SegmentSealer.SEGMENT_LENGTH
                ? parties.sealer().seal(Parties.text(payload), policy, alice)
                : Parties.joined(parties.segments(Parties.text(new byte[0]), policy, alice, payload));
    }

    private static byte[] opened(byte[] sealed, PolicySet set, Identity reader) throws IOException {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        var unused = parties.opener(List.of(reader), set)
                .openSegments(new ByteArrayInputStream(sealed), Parties.ADDRESS)
                .transferTo(payload, written -> {});
        return payload.toByteArray();
    }

    private static boolean satisfies(byte[] sealed, PolicySet set) {
        return parties.check()
                .satisfies(sealed, Parties.ADDRESS, set.find(Parties.ADDRESS).orElseThrow(), SenderRule.ANY);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void message_opensByTheRecoveryKey_andByThatOfTheRecipient(Policy policy, int length) throws IOException {
        PolicySet set = set(policy, "vault", "safe");
        byte[] payload = Parties.payload(length);

        byte[] sealed = sealed(set, payload);

        assertThat(opened(sealed, set, vault)).isEqualTo(payload);
        assertThat(opened(sealed, set, parties.identity("safe"))).isEqualTo(payload);
        assertThat(opened(sealed, set, alice)).isEqualTo(payload);
    }

    /** A producer that seals by an earlier set must not get around the recovery. */
    @ParameterizedTest
    @MethodSource("messages")
    void envelopeWithoutARecoveryRecipient_doesNotSatisfy(Policy policy, int length) throws IOException {
        byte[] payload = Parties.payload(length);
        PolicySet both = set(policy, "vault", "safe");
        PolicySet one = set(policy, "vault");

        assertThat(satisfies(sealed(both, payload), both)).isTrue();
        assertThat(satisfies(sealed(set(policy), payload), both)).isFalse();
        assertThat(satisfies(sealed(one, payload), both)).isFalse();
        assertThat(satisfies(sealed(both, payload), one))
                .as("a party could read it that is no longer among them")
                .isFalse();
    }

    @Test
    void recoveryRecipientWithoutACertificate_letsNoMessageBeSealed() {
        byte[] payload = "a payload".getBytes(UTF_8);

        for (Policy policy : encrypting()) {
            assertThatThrownBy(() -> sealed(set(policy, "vault", "gone"), payload))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageContaining("recipient 'gone': no such certificate");
        }
        assertThat(satisfies(payload, set(encrypting().get(0), "gone"))).isFalse();
    }

    @Test
    void recipientUnderAnotherName_isEncryptedForOnce() throws IOException {
        PolicySet set = set(encrypting().get(2), "ski:" + alice.keyIdentifier(), "CN=alice,O=Example");

        byte[] sealed = sealed(set, Parties.payload(IN_MEMORY));

        assertThat(EnvelopeDescription.of(sealed).recipients()).hasSize(1);
        assertThat(satisfies(sealed, set)).isTrue();
    }

    @Test
    void changedRecovery_takesANewDataKey_andWipesTheOthersWithoutAnotherMessage() {
        Policy policy = encrypting().get(2);
        PolicySet before = set(policy, "vault");
        EffectivePolicy applied = before.find(Parties.ADDRESS).orElseThrow();
        try (SealingPlanCache plans = parties.plans()) {
            KeyEpochs epochs = plans.of(applied, alice).epochs();

            plans.retain(before);
            assertThat(plans.of(applied, alice).epochs()).isSameAs(epochs);

            PolicySet after = before.withRecovery(List.of("safe"));
            plans.retain(after);
            assertThat(epochs.next(1)).isNull();
            assertThat(plans.of(after.find(Parties.ADDRESS).orElseThrow(), alice)
                            .epochs())
                    .isNotSameAs(epochs);
        }
    }
}
