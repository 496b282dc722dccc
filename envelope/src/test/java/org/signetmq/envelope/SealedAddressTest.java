/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.testkit.Tier;

/** Checks the proof of the address that a message was sealed for. */
final class SealedAddressTest {
    private static final String ADDRESS = "news.europe";
    private static final byte[] PAYLOAD = "hello".getBytes(UTF_8);

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity alice = parties.identity("alice");
    private static Identity bob = parties.identity("bob");
    private static Identity carol = parties.identity("carol");

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
        return parties.seal(message, policy, alice);
    }

    /** Without policies, which count when the message is opened. */
    private static Opener opener(Identity identity) {
        return parties.opener(List.of(identity), Parties.policies());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void severalSegments_sayWhatTheFirstSays(Policy policy) throws Exception {
        byte[] first = segment(policy);
        byte[] cutOff = Arrays.copyOf(first, first.length + 1);
        try (Opener opener = opener(bob)) {
            assertThat(opener.sealedAddress(cutOff)).contains(ADDRESS);
        }
    }

    private static byte[] segment(Policy policy) throws Exception {
        ClearMessage head = ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, new byte[0]);
        return Parties.joined(parties.segments(head, Parties.effective(policy), alice, PAYLOAD));
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
    void envelope_saysItsAddress_andNoOtherWithAnyByteChanged(Policy policy) {
        byte[] sealed = sealed(policy);
        try (Opener opener = opener(bob)) {
            assertThat(opener.sealedAddress(sealed)).contains(ADDRESS);
            for (int i = 0; i < sealed.length; i += Tier.isLong() ? 1 : 7) {
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
