/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;

/** Checks the proof of the address that a message was sealed for. */
final class SealedAddressTest {
    private static final String ADDRESS = "news.europe";
    private static final byte[] PAYLOAD = "hello".getBytes(UTF_8);

    @TempDir
    static Path folder;

    private static Parties parties;
    private static Identity alice;
    private static Identity bob;
    private static Identity carol;

    @BeforeAll
    static void createIdentities() {
        parties = new Parties(folder);
        alice = parties.identity("alice", KeyAlgorithm.EC_P256);
        bob = parties.identity("bob", KeyAlgorithm.EC_P256);
        carol = parties.identity("carol", KeyAlgorithm.EC_P256);
    }

    @AfterAll
    static void close() {
        parties.close();
    }

    private static final Policy SECRET = Policy.privacy("news.#", List.of("bob"));

    /** One of each quality that seals. */
    static List<Policy> policies() {
        return List.of(
                Policy.integrity("news.#"),
                Policy.confidentiality("news.#", List.of("bob"), KeyLimits.DEFAULT),
                SECRET);
    }

    private static byte[] sealed(Policy policy) {
        ClearMessage message = ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, PAYLOAD);
        return parties.seal(message, Parties.policies(policy), alice);
    }

    /** Without policies, which count when the message is opened. */
    private static Opener opener(Identity identity) {
        return parties.opener(List.of(identity), Parties.policies());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void envelope_saysItsAddress(Policy policy) {
        try (Opener opener = opener(bob)) {
            assertThat(opener.sealedAddress(sealed(policy))).contains(ADDRESS);
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void severalSegments_sayWhatTheFirstSays(Policy policy) throws Exception {
        byte[] first = segment(policy);
        byte[] cutOff = new byte[first.length + 1];
        System.arraycopy(first, 0, cutOff, 0, first.length);
        try (Opener opener = opener(bob)) {
            assertThat(opener.sealedAddress(cutOff)).contains(ADDRESS);
        }
    }

    private static byte[] segment(Policy policy) throws Exception {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        ClearMessage head = ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, new byte[0]);
        EffectivePolicy effective = Parties.policies(policy).find(ADDRESS).orElseThrow();
        try (SegmentSealer segments = parties.sealer().segments(head, effective, alice, sealed::write)) {
            segments.add(PAYLOAD, 0, PAYLOAD.length);
            segments.finish();
        }
        return sealed.toByteArray();
    }

    @Test
    void messageInClear_saysNothing() {
        try (Opener opener = opener(bob)) {
            assertThat(opener.sealedAddress(PAYLOAD)).isEmpty();
            assertThat(opener.sealedAddress(new byte[0])).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void envelope_withAnyByteChanged_saysNoOtherAddress(Policy policy) {
        byte[] sealed = sealed(policy);
        try (Opener opener = opener(bob)) {
            for (int i = 0; i < sealed.length; i++) {
                byte[] changed = sealed.clone();
                changed[i] ^= 1;
                assertThat(addressOrRejection(opener, changed)).as("byte " + i).isIn(ADDRESS, "rejected", "in clear");
            }
        }
    }

    private static String addressOrRejection(Opener opener, byte[] envelope) {
        try {
            return opener.sealedAddress(envelope).orElse("in clear");
        } catch (EnvelopeException rejected) {
            return "rejected";
        }
    }

    @Test
    void envelopeForOthers_isRejected() {
        try (Opener opener = opener(carol)) {
            assertThatThrownBy(() -> opener.sealedAddress(sealed(SECRET))).isInstanceOf(NotARecipientException.class);
        }
    }

    @Test
    void closedOpener_isRejected() {
        Opener opener = opener(bob);
        opener.close();

        assertThatThrownBy(() -> opener.sealedAddress(sealed(SECRET))).isInstanceOf(IllegalStateException.class);
    }
}
