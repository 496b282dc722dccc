/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** The user alice sends envelopes that she sealed herself, or that a trusted partner did. */
final class NamedSenderIT extends OneBroker {
    private static final byte[] PAYLOAD = Producers.utf8("transfer 100 to mallory");
    private static final int LARGE = 1_500_000;

    private static Policy designating(Policy policy, String... brokers) {
        return policy.with(new Policy.Signing(
                SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of(brokers)));
    }

    private static byte[] sealed(TestHomes homes, PolicySet policies, @Nullable String sender, Identity signer) {
        ClearMessage message = new ClearMessage("orders", ClearMessage.Body.BYTES, PAYLOAD, sender, Map.of());
        try (Sealer sealer = homes.sealer()) {
            return sealer.seal(message, policies.find("orders").orElseThrow(), signer);
        }
    }

    private static byte[] large(TestHomes homes, PolicySet policies, String sender, Identity signer) throws Exception {
        ClearMessage head = new ClearMessage("orders", ClearMessage.Body.BYTES, new byte[0], sender, Map.of());
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (Sealer sealer = homes.sealer();
                SegmentSealer segments =
                        sealer.segments(head, policies.find("orders").orElseThrow(), signer, whole::write)) {
            segments.add(new byte[LARGE], 0, LARGE);
            segments.finish();
        }
        return whole.toByteArray();
    }

    private static void send(TestBroker broker, JmsClient client, byte[] bytes) throws JMSException {
        Producers.jms(client.factory(broker), "orders", Producers.bytes(bytes));
    }

    static Stream<Arguments> clientsAndPlaces() {
        return Tier.cases(
                1,
                Arguments.of(JmsClient.CORE, SealingPlace.EITHER),
                Arguments.of(JmsClient.AMQP, SealingPlace.CLIENT),
                Arguments.of(JmsClient.AMQP, SealingPlace.EITHER),
                Arguments.of(JmsClient.CORE, SealingPlace.CLIENT));
    }

    @ParameterizedTest
    @MethodSource("clientsAndPlaces")
    void envelopeThatNamesAnotherUser_isRejected_smallAndLarge(JmsClient client, SealingPlace where) throws Exception {
        setup.secured();
        Identity partner = homes.createUser("partner");
        PolicySet policies = homes.policies(
                1,
                designating(Policy.integrity("orders"), "broker")
                        .with(new Policy.Acceptance(Toleration.ENFORCE, where)));
        TestBroker broker = start("orders");
        for (String forged : List.of("root", "Alice", "alice ", "broker", "")) {
            byte[] small = sealed(broker.homes, policies, forged, partner);
            assertThatThrownBy(() -> send(broker, client, small))
                    .as(forged)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("sender")
                    .hasMessageNotContaining("root");
        }
        byte[] large = large(broker.homes, policies, "root", partner);
        assertThatThrownBy(() -> send(broker, client, large)).isInstanceOf(JMSException.class);

        assertThat(broker.poll("orders")).isNull();
        assertThat(broker.rejected()).isEqualTo(6);
        assertThat(broker.disk().largeFiles()).isEmpty();
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void envelopeThatNamesTheUserOrNoneOrIsVouchedFor_passesUnchanged(JmsClient client) throws Exception {
        setup.secured();
        Identity partner = homes.createUser("partner");
        Identity other = homes.createUser("other-broker");
        PolicySet policies = homes.policies(1, designating(Policy.integrity("orders"), "other-broker"));
        TestBroker broker = start("orders");
        Identity own = broker.homes.brokerIdentity();
        List<byte[]> right = List.of(
                sealed(broker.homes, policies, "alice", partner),
                sealed(broker.homes, policies, null, partner),
                sealed(broker.homes, policies, "partner", partner),
                sealed(broker.homes, policies, "root", other),
                sealed(broker.homes, policies, "root", own),
                large(broker.homes, policies, "alice", partner),
                large(broker.homes, policies, "root", other));
        for (byte[] envelope : right) {
            send(broker, client, envelope);

            assertThat(broker.nextBody("orders")).isEqualTo(envelope);
        }
        assertThat(broker.sealed()).isZero();
    }

    /** Without security the broker authenticates no user. */
    @Test
    void envelopeThatNamesAUser_withoutSecurity_isRejected() throws Exception {
        Identity partner = homes.createUser("partner");
        PolicySet policies = homes.policies(1, Policy.integrity("orders"));
        TestBroker broker = start("orders");
        byte[] forged = sealed(broker.homes, policies, "alice", partner);

        assertThatThrownBy(() -> send(broker, JmsClient.CORE, forged)).isInstanceOf(JMSException.class);

        assertThat(broker.poll("orders")).isNull();
    }

    /** The broker cannot read an encrypted body: the consumer does not show it. */
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"broker, true", "partner, false"})
    void sealedPrivacy_passes_andTheConsumerShowsTheSenderOfABrokerAlone(String signer, boolean shown)
            throws Exception {
        setup.secured();
        Identity partner = homes.createUser("partner");
        PolicySet policies = homes.policies(1, designating(TestHomes.privacy("orders"), "broker"));
        TestBroker broker = start("orders");
        Identity signing = signer.equals("broker") ? broker.homes.brokerIdentity() : partner;

        send(broker, JmsClient.CORE, sealed(broker.homes, policies, "root", signing));

        OpenedMessage opened = broker.homes.open(broker.nextBody("orders"), "orders", policies);
        assertThat(opened.payload()).isEqualTo(PAYLOAD);
        assertThat(opened.sender().isPresent()).isEqualTo(shown);
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void clearMessage_isSealedByTheBroker_andShowsItsUser(Producers producer) throws Exception {
        setup.secured();
        PolicySet policies = homes.policies(1, designating(Policy.integrity("orders"), "broker"));
        TestBroker broker = start("orders");

        producer.send(broker, "orders", "text");

        assertThat(broker.homes
                        .open(broker.nextBody("orders"), "orders", policies)
                        .sender())
                .contains("alice");
    }
}
