/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** The addresses for messages that cannot be opened. */
final class QuarantineIT extends OneBroker {
    private static final String QUARANTINE = Policy.OpenFailures.QUARANTINE;
    private static final String TEXT = "words that were sealed for another address ".repeat(8);

    private PolicySet policies = PolicySet.EMPTY;

    @BeforeEach
    void protectAll() throws Exception {
        policies = homes.policies(
                1,
                TestHomes.privacy("#"),
                Policy.integrity("signed"),
                LargeBodies.sealedByClients(TestHomes.privacy("strict")));
    }

    private byte[] sealed(String text) {
        ClearMessage message = ClearMessage.of("signed", ClearMessage.Body.TEXT, Producers.utf8(text));
        return homes.sealed(message, policies, homes.brokerIdentity());
    }

    /** The properties of a consumer's note for a message with this body. */
    static Map<String, String> note(byte[] body) {
        Map<String, String> note = new HashMap<>(Map.of(
                QuarantineNote.REASON, "policy-violation",
                QuarantineNote.ADDRESS, "signed",
                QuarantineNote.QUEUE, "signed",
                QuarantineNote.MESSAGE, "ID:1"));
        note.put(
                QuarantineNote.DUPLICATE_ID,
                QuarantineNote.duplicateId(
                        note::get, CryptoProviders.digest("SHA-256").digest(body)));
        return note;
    }

    static void send(TestBroker broker, Producers producer, String address, byte[] body, Map<String, String> note)
            throws Exception {
        Map<String, String> all = new HashMap<>(note);
        all.put("signet_signer", "CN=someone");
        if (producer == Producers.OPENWIRE) {
            OpenWire.inSession(broker, session -> {
                javax.jms.BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                for (Map.Entry<String, String> property : all.entrySet()) {
                    message.setStringProperty(property.getKey(), property.getValue());
                }
                session.createProducer(session.createQueue(address)).send(message);
            });
            return;
        }
        ConnectionFactory factory = producer == Producers.AMQP ? Producers.amqp(broker) : Producers.core(broker);
        Producers.jms(factory, address, session -> {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(body);
            for (Map.Entry<String, String> property : all.entrySet()) {
                message.setStringProperty(property.getKey(), property.getValue());
            }
            return message;
        });
    }

    /** The body of the message in quarantine. */
    private static byte[] body(TestBroker broker) throws Exception {
        Awaitility.await().until(() -> broker.waiting(QUARANTINE) == 1);
        return broker.nextBody(QUARANTINE);
    }

    private static ClientMessage stored(TestBroker broker) throws Exception {
        Awaitility.await().until(() -> broker.waiting(QUARANTINE) == 1);
        return broker.next(QUARANTINE);
    }

    private static void assertNote(ClientMessage message, Map<String, String> note) {
        note.forEach(
                (name, value) -> assertThat(message.getStringProperty(name)).isEqualTo(value));
    }

    @Test
    void addresses_ofPoliciesThatComeIntoForce_haveDurableQueues() throws Exception {
        homes.policies(2, withQuarantine(TestHomes.privacy("orders"), "BAD.ORDERS"));
        TestBroker broker = start();

        assertThat(broker.queue(QUARANTINE).isDurable()).isTrue();
        assertThat(broker.queue("BAD.ORDERS").isAutoDelete()).isFalse();

        homes.policies(3, withQuarantine(TestHomes.privacy("orders"), "WORSE"));
        Awaitility.await().until(() -> broker.server().locateQueue("WORSE") != null);
    }

    private static Policy withQuarantine(Policy policy, String address) {
        return new Policy(
                policy.pattern(),
                policy.quality(),
                policy.signing(),
                policy.encryption(),
                policy.acceptance(),
                policy.enforcement(),
                new Policy.OpenFailures(null, address));
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "OPENWIRE"})
    void note_ofAConsumer_liesUnchangedUnderAPolicyThatDoesNotAcceptIt(Producers producer) throws Exception {
        TestBroker broker = start();
        byte[] body = sealed(TEXT);

        send(broker, producer, QUARANTINE, body, note(body));

        ClientMessage stored = stored(broker);
        assertThat(QueueReader.body(stored)).isEqualTo(body);
        assertNote(stored, note(body));
        assertThat(broker.sealed()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "OPENWIRE"})
    void largeNote_evenOfADamagedEnvelope_liesUnchanged(Producers producer) throws Exception {
        TestBroker broker = start();
        byte[] body = large();
        body[body.length / 2] ^= 1;
        byte[] cut = Arrays.copyOf(body, body.length - 1000);

        send(broker, producer, QUARANTINE, cut, note(cut));

        broker.queue(QUARANTINE)
                .forEach(stored -> note(cut)
                        .forEach((name, value) -> assertThat(stored.getMessage().getObjectProperty(name))
                                .hasToString(value)));
        assertThat(body(broker)).isEqualTo(cut);
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void largeNote_withoutAPolicyForTheQuarantine_isCheckedToo(Producers producer) throws Exception {
        byte[] body = large();
        byte[] other = sealed(TEXT);
        homes.policies(PolicySet.of(2, UnmatchedAddress.REJECT, List.of(TestHomes.privacy("orders"))));
        TestBroker broker = start();

        assertThatThrownBy(() -> send(broker, producer, QUARANTINE, body, note(other)))
                .hasMessageContaining("is not that of this message");
        assertThatThrownBy(() -> send(broker, producer, QUARANTINE, Producers.utf8(LargeBodies.TEXT), Map.of()))
                .hasMessageContaining("no policy covers");
        send(broker, producer, QUARANTINE, body, note(body));

        assertThat(body(broker)).isEqualTo(body);
        broker.awaitNoLargeFiles();
    }

    private byte[] large() throws IOException {
        ClearMessage head = ClearMessage.of("signed", ClearMessage.Body.TEXT, new byte[0]);
        return homes.sealed(head, Producers.utf8(LargeBodies.TEXT), policies, homes.brokerIdentity());
    }

    @Test
    void repeatedNote_isDropped() throws Exception {
        TestBroker broker = start();
        byte[] body = sealed(TEXT);

        send(broker, Producers.CORE, QUARANTINE, body, note(body));
        send(broker, Producers.CORE, QUARANTINE, body, note(body));

        assertThat(broker.waiting(QUARANTINE)).isOne();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP", "OPENWIRE"})
    void identifierOfAnothersMessage_sentBeforeIt_isRejected(Producers stranger) throws Exception {
        TestBroker broker = start();
        byte[] body = sealed(TEXT);
        byte[] other = sealed("other words");
        Map<String, String> bare =
                Map.of(QuarantineNote.DUPLICATE_ID, note(body).get(QuarantineNote.DUPLICATE_ID));

        assertThatThrownBy(() -> send(broker, stranger, QUARANTINE, other, note(body)))
                .hasMessageContaining("is not that of this message");
        assertThatThrownBy(() -> send(broker, stranger, QUARANTINE, Producers.utf8("clear"), bare))
                .hasMessageContaining("is not that of this message");
        assertThatThrownBy(() -> send(broker, stranger, QUARANTINE + "::" + QUARANTINE, other, bare))
                .hasMessageContaining("is not that of this message");

        send(broker, Producers.CORE, QUARANTINE, body, note(body));
        assertThat(body(broker)).isEqualTo(body);
    }

    @Test
    void identifierOfAnothersMessage_thatADivertBrings_isRejected() throws Exception {
        homes.policies(2, TestHomes.privacy("orders"));
        setup.with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("open", QUARANTINE)));
        TestBroker broker = start("open");
        byte[] body = sealed(TEXT);

        assertThatThrownBy(() -> send(broker, Producers.CORE, "open", sealed("other"), note(body)))
                .hasMessageContaining("is not that of this message");

        assertThat(broker.waiting("open")).isZero();
        send(broker, Producers.CORE, QUARANTINE, body, note(body));
    }

    @Test
    void clearMessage_inQuarantine_isSealedByThePolicyThatCoversIt() throws Exception {
        TestBroker broker = start();

        Producers.CORE.send(broker, QUARANTINE, TEXT);

        broker.assertNext(QUARANTINE, TEXT);
    }

    @Test
    void unmatchedAddressesRejected_onlySealedMessagesPass() throws Exception {
        homes.policies(PolicySet.of(2, UnmatchedAddress.REJECT, List.of(TestHomes.privacy("orders"))));
        TestBroker broker = start();
        byte[] body = sealed(TEXT);

        assertThatThrownBy(() -> Producers.CORE.send(broker, QUARANTINE, TEXT))
                .hasMessageContaining("no policy covers");
        send(broker, Producers.CORE, QUARANTINE, body, note(body));

        assertThat(broker.waiting(QUARANTINE)).isOne();
    }

    @ParameterizedTest
    @EnumSource(
            value = Producers.class,
            names = {"CORE", "AMQP"})
    void movedMessage_thatDoesNotSatisfyThePolicyThere_goesIntoQuarantine(Producers producer) throws Exception {
        TestBroker broker = start("open", "signed", "strict");
        byte[] body = sealed(TEXT);
        send(broker, producer, "signed", body, Map.of());

        assertThat(broker.control("signed").moveMessages(null, "strict")).isOne();

        assertThat(broker.waiting("signed")).isZero();
        assertThat(broker.waiting("strict")).isZero();
        ClientMessage stored = stored(broker);
        assertThat(QueueReader.body(stored)).isEqualTo(body);
        assertNote(
                stored,
                Map.of(
                        QuarantineNote.REASON, "policy-violation",
                        QuarantineNote.ADDRESS, "signed",
                        QuarantineNote.QUEUE, "signed",
                        QuarantineNote.POLICY, "strict@1",
                        QuarantineNote.EXPECTED, "privacy"));
        assertThat(AuditLines.of("message-quarantined")).hasSize(1);
    }

    @Test
    void largeMovedMessage_goesIntoQuarantine() throws Exception {
        TestBroker broker = start("signed", "strict");
        byte[] body = large();
        send(broker, Producers.CORE, "signed", body, Map.of());

        assertThat(broker.control("signed").moveMessages(null, "strict")).isOne();

        assertThat(body(broker)).isEqualTo(body);
        broker.awaitNoLargeFiles();
    }

    @Test
    void deadLetter_thatDoesNotSatisfyThePolicyThere_goesIntoQuarantine_overARestart() throws Exception {
        setup.own()
                .with(configuration -> configuration.addAddressSetting(
                        "signed", new AddressSettings().setDeadLetterAddress(SimpleString.of("strict"))));
        byte[] body = sealed(TEXT);
        try (TestBroker broker = setup.start()) {
            broker.createQueue("signed");
            broker.createQueue("strict");
            send(broker, Producers.CORE, "signed", body, Map.of());
            assertThat(broker.control("signed").sendMessagesToDeadLetterAddress(null))
                    .isOne();
            assertThat(broker.waiting("signed")).isZero();
        }
        TestBroker broker = start();

        assertThat(broker.waiting("strict")).isZero();
        assertThat(body(broker)).isEqualTo(body);
    }

    @Test
    void divertedMessage_thatDoesNotSatisfyThePolicyThere_goesIntoQuarantine_andTheSendGoesOn() throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("signed", "strict")));
        TestBroker broker = start("signed", "strict");
        byte[] body = sealed(TEXT);

        send(broker, Producers.CORE, "signed", body, Map.of());

        assertThat(QueueReader.body(broker.next("signed"))).isEqualTo(body);
        ClientMessage copy = stored(broker);
        assertThat(QueueReader.body(copy)).isEqualTo(body);
        assertNote(copy, Map.of(QuarantineNote.ADDRESS, "strict", QuarantineNote.QUEUE, ""));
        assertThat(broker.waiting("strict")).isZero();
    }

    @Test
    void clearMessage_movedWhereItsProducerMustSeal_staysInItsQueue() throws Exception {
        homes.policies(2, LargeBodies.sealedByClients(TestHomes.privacy("strict")));
        TestBroker broker = start("open", "strict");
        Producers.CORE.send(broker, "open", TEXT);

        assertThatThrownBy(() -> broker.control("open").moveMessages(null, "strict"))
                .hasMessageContaining("sealed by their producer");

        assertThat(broker.poll("open")).isNotNull();
        assertThat(broker.waiting(QUARANTINE)).isZero();
    }
}
