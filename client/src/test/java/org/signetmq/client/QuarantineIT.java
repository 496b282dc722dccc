/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** A message that cannot be opened goes to the quarantine once, unchanged, and is never lost. */
final class QuarantineIT extends BrokerTest {
    private static final String QUARANTINE = "SIGNET.QUARANTINE";

    @BeforeEach
    void clear() {
        try (JMSContext context = broker.core().createContext()) {
            for (String queue : List.of(QUARANTINE, Keys.EVIDENCE)) {
                context.createConsumer(context.createQueue(queue)).close(); // makes it
                broker.deleteMessages(queue);
            }
        }
    }

    static Stream<Arguments> listeners() {
        return Stream.of(
                        Way.LISTENER,
                        Way.CLIENT_ACKNOWLEDGE_LISTENER,
                        Way.TRANSACTED_LISTENER,
                        Way.CONTEXT_LISTENER)
                .flatMap(way -> Stream.of(Client.values()).map(client -> Arguments.of(way, client)));
    }

    @ParameterizedTest
    @MethodSource("listeners")
    void listener_badMessageBetweenGoodOnes_isInQuarantineUnchanged_othersArriveOnce(Way way, Client client)
            throws Exception {
        String address = address("usual");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        List<String> texts = new ArrayList<>();
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "before"), flawed, keys.sealText(address, "after"));

            try (Taking taking = way.open(signet(client), address)) {
                while (texts.size() < 2) {
                    texts.add(text(taking.take()));
                }
                awaitMessages(QUARANTINE, 1);
                awaitMessages(address, 0);
            }
        }
        assertThat(texts).containsExactly("before", "after");
        assertThat(RecordingLogs.troubleOf(address))
                .singleElement()
                .asString()
                .contains("AUTHENTICATION_FAILED", QUARANTINE);
        assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isZero();
        Message message = fromQuarantine(QUARANTINE);
        assertThat(message.getBody(byte[].class)).isEqualTo(flawed);
        assertThat(message.getJMSType()).isEqualTo("order");
        assertThat(message.getJMSCorrelationID()).isEqualTo("correlation-1");
        assertThat(message.getJMSReplyTo()).isNotNull();
        assertThat(message.getJMSPriority()).isEqualTo(6);
        assertThat(message.getJMSExpiration()).isZero();
        assertThat(message.getJMSDeliveryMode()).isEqualTo(jakarta.jms.DeliveryMode.PERSISTENT);
        assertThat(message.getStringProperty("region")).isEqualTo("eu");
        assertThat(message.getIntProperty("weight")).isEqualTo(7);
        assertThat(message.getStringProperty(QuarantineNote.REASON)).isEqualTo("authentication-failed");
        assertThat(message.getStringProperty(QuarantineNote.ADDRESS)).isEqualTo(address);
        assertThat(message.getStringProperty(QuarantineNote.QUEUE)).isEqualTo(address);
        assertThat(message.getStringProperty(QuarantineNote.MESSAGE)).startsWith("ID:");
        assertThat(message.getStringProperty(QuarantineNote.POLICY)).isEqualTo("usual.#@17");
        assertThat(message.getStringProperty(QuarantineNote.EXPECTED)).isEqualTo("privacy");
        assertThat(message.getStringProperty(QuarantineNote.FOUND)).isEqualTo("privacy or confidentiality");
        assertThat(message.getStringProperty(QuarantineNote.KEY)).matches("(ski|issuer-serial):[0-9a-f]+");
        assertThat(message.getStringProperty(QuarantineNote.SIGNER)).isNull();
        assertThat(message.getLongProperty(QuarantineNote.TIME)).isCloseTo(System.currentTimeMillis(), within());
        assertThat(message.getLongProperty(QuarantineNote.SENT)).isCloseTo(System.currentTimeMillis(), within());
        assertDuplicateId(message, flawed, way != Way.TRANSACTED_LISTENER);
    }

    private static org.assertj.core.data.Offset<Long> within() {
        return org.assertj.core.data.Offset.offset(600_000L);
    }

    private static void assertDuplicateId(Message message, byte[] body, boolean has) throws JMSException {
        Map<String, String> note = new HashMap<>();
        for (String name : List.of(QuarantineNote.ADDRESS, QuarantineNote.QUEUE, QuarantineNote.MESSAGE)) {
            note.put(name, message.getStringProperty(name));
        }
        assertThat(message.getStringProperty(QuarantineNote.DUPLICATE_ID))
                .isEqualTo(
                        has
                                ? QuarantineNote.duplicateId(
                                        note::get,
                                        CryptoProviders.digest("SHA-256").digest(body))
                                : null);
    }

    private Message fromQuarantine(String queue) {
        JMSContext context = broker.core().createContext();
        Message message = take(context, queue);
        context.close();
        return message;
    }

    /** The broker may die after it has the message in quarantine, and before it has the acknowledgement. */
    @ParameterizedTest
    @EnumSource(Client.class)
    void quarantine_ofAMessageThatComesAgain_isDroppedAsADuplicate(Client client) throws Exception {
        String address = address("usual");
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = broker.factory(client).createConnection();
                Connection cut = signet(client).createConnection()) {
            producer.send(address, FailureIT.Flaw.TAMPERED.body(keys, address));
            Session session = cut.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(address)).setMessageListener(message -> {});
            cut.start();
            awaitMessages(QUARANTINE, 1);
            awaitMessages(address, 0);
            assertThat(connection).isNotNull();
        }
        // filled in by the crash tests
    }
}
