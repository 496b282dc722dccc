/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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

/** The sender that a message names: clear messages of users, and envelopes that they or trusted partners sealed. */
final class NamedSenderIT extends OneBroker {
    private static final byte[] PAYLOAD = Producers.utf8("transfer 100 to mallory");
    private static final int LARGE = 1_500_000;

    private static Policy designating(Policy policy, String... brokers) {
        return policy.with(new Policy.Signing(
                SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of(brokers)));
    }

    private byte[] sealed(PolicySet policies, @Nullable String sender, Identity signer) {
        ClearMessage message = new ClearMessage("orders", ClearMessage.Body.BYTES, PAYLOAD, sender, Map.of());
        return homes.sealed(message, policies, signer);
    }

    private byte[] large(PolicySet policies, String sender, Identity signer) throws Exception {
        ClearMessage head = new ClearMessage("orders", ClearMessage.Body.BYTES, new byte[0], sender, Map.of());
        return homes.sealed(head, new byte[LARGE], policies, signer);
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
            byte[] small = sealed(policies, forged, partner);
            assertThatThrownBy(() -> send(broker, client, small))
                    .as(forged)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("sender")
                    .hasMessageNotContaining("root");
        }
        byte[] large = large(policies, "root", partner);
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
                sealed(policies, "alice", partner),
                sealed(policies, null, partner),
                sealed(policies, "partner", partner),
                sealed(policies, "root", other),
                sealed(policies, "root", own),
                large(policies, "alice", partner),
                large(policies, "root", other));
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
        byte[] forged = sealed(policies, "alice", partner);

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

        send(broker, JmsClient.CORE, sealed(policies, "root", signing));

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

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"AMQP", "MQTT_5", "CORE", "MQTT_3", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void authenticatedUser_withAnIdentity_signsAndIsNamed(Producers producer) throws Exception {
        setup.secured();
        setup.homes().createUser("alice");

        OpenedMessage opened = sendAndOpen(setup, producer);

        assertThat(opened.signer().orElseThrow()).contains("CN=alice");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .contains("alice");
    }

    @Test
    void authenticatedUser_withoutAnIdentity_isNamedAndTheBrokerSigns() throws Exception {
        OpenedMessage opened = sendAndOpen(setup.secured(), Producers.CORE);

        assertThat(opened.signer().orElseThrow()).contains("CN=broker");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .contains("alice");
    }

    @Test
    void claimedUser_withoutSecurity_isNotBelieved() throws Exception {
        setup.homes().createUser("alice");

        OpenedMessage opened = sendAndOpen(setup, Producers.CORE);

        assertThat(opened.signer().orElseThrow()).contains("CN=broker");
        assertThat(opened.entityIfProtected().flatMap(entity -> entity.sender()))
                .isEmpty();
    }

    @Test
    void userWhoseIdentityCannotBeLoaded_isRejected() throws Exception {
        setup.secured();
        homes.policies(1, TestHomes.privacy("orders"));
        Files.writeString(homes.broker.identities().resolve("alice.p12"), "no key store");
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", "hello"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("Signet cannot use its keys or policies at the moment");

        assertThat(broker.poll("orders")).isNull();
    }

    private OpenedMessage sendAndOpen(TestBroker.Setup setup, Producers producer) throws Exception {
        PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
        TestBroker broker = start("orders");
        producer.send(broker, "orders", "hello");
        return broker.homes.open(broker.nextBody("orders"), "orders", policies);
    }
}
