/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.qpid.jms.message.JmsMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Tier;

/** Dead letters and expired messages, for consumers that ask for them and for those that do not. */
final class DeadLettersIT extends ProtectingBrokerTest {
    private static final List<String> BOTH = List.of(TestBroker.DEAD_LETTERS, TestBroker.EXPIRED);
    private static final int SIZE = 2048;

    private SignetConnectionFactory asking(Client client) {
        return signet(client).withDeadLettersOn(BOTH);
    }

    /** Sends a message and has a consumer fail on it until the broker gives it up. */
    private void giveUp(String address, Sender sender, int size) throws Exception {
        try (JMSContext context = broker.core().createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = context.createSharedDurableConsumer(context.createTopic(address), address)) {
            sender.send(broker, address, Kind.BYTES, size);
            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThat(consumer.receive(Taking.PATIENCE)).isNotNull();
                context.rollback();
            }
        }
        awaitMessages(TestBroker.DEAD_LETTERS, 1);
    }

    private static void assertIsFrom(String address, Message message, int size) throws Exception {
        assertThat(message.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY))
                .isEqualTo(address);
        assertThat(message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                .isEqualTo("privacy");
        assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                .isEqualTo(Keys.SIGNER);
        assertThat(Seen.content(message)).isEqualTo(Kind.BYTES.content(size));
    }

    private static void assertRejects(SignetConnectionFactory factory, String queue, OpenFailure why) throws Exception {
        try (Taking taking = Way.CONTEXT.open(factory.withOpenFailuresThrown(), queue)) {
            assertFails(taking::take, MessageOpenRuntimeException.class, why);
        }
    }

    static Stream<Arguments> sendersAndClients() {
        return Tier.cases(2, Sender.values())
                .flatMap(sender -> Client.oneOrAll().map(client -> Arguments.of(sender, client)));
    }

    @ParameterizedTest
    @MethodSource("sendersAndClients")
    void deadLetterOfAnyProducer_whoAsks_getsItAsItWasSent(Sender sender, Client client) throws Exception {
        String address = address("privacy");
        giveUp(address, sender, SIZE);

        try (Taking taking = Way.RECEIVE_TIMEOUT.open(asking(client), TestBroker.DEAD_LETTERS)) {
            assertIsFrom(address, taking.take(), SIZE);
        }
    }

    @ParameterizedTest
    @MethodSource("sendersAndClients")
    void deadLetterOfAnyProducer_whoDoesNotAsk_getsNothing(Sender sender, Client client) throws Exception {
        giveUp(address("privacy"), sender, SIZE);

        assertRejects(signet(client), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
        assertRejects(
                signet(client).withDeadLettersOn(List.of(TestBroker.EXPIRED)),
                TestBroker.DEAD_LETTERS,
                OpenFailure.ADDRESS_MISMATCH);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void deadLetter_inAContextAndInABrowser_isTheSame(Client client) throws Exception {
        String address = address("privacy");
        giveUp(address, Sender.CORE, SIZE);

        try (JMSContext context = asking(client).createContext()) {
            QueueBrowser browser = context.createBrowser(context.createQueue(TestBroker.DEAD_LETTERS));
            assertIsFrom(address, (Message) browser.getEnumeration().nextElement(), SIZE);
            browser.close();
            JMSConsumer consumer = context.createConsumer(context.createQueue("DLQ::" + TestBroker.DEAD_LETTERS));
            assertIsFrom(address, consumer.receive(Taking.PATIENCE), SIZE);
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(ints = {400_000, 9_000_000})
    void deadLetter_large_isTheSame(int size) throws Exception {
        for (Client client : Client.values()) {
            String address = address("privacy");
            giveUp(address, Sender.CORE, size);

            try (Taking taking = Way.RECEIVE_TIMEOUT.open(asking(client), TestBroker.DEAD_LETTERS)) {
                assertIsFrom(address, taking.take(), size);
            }
            broker.clearDeadLetters();
        }
    }

    static Stream<Arguments> clientsAndClients() {
        return Tier.cases(1, Client.values())
                .flatMap(sender -> Stream.of(Client.values()).map(client -> Arguments.of(sender, client)));
    }

    @ParameterizedTest
    @MethodSource("clientsAndClients")
    void expiredMessage_whoAsks_getsItAsItWasSent(Client sender, Client client) throws Exception {
        String address = address("privacy");
        try (JMSContext context = broker.factory(sender).createContext()) {
            context.createProducer()
                    .setTimeToLive(1)
                    .send(context.createQueue(address), Kind.BYTES.message(context, SIZE));
        }
        awaitMessages(TestBroker.EXPIRED, 1);

        assertRejects(signet(client), TestBroker.EXPIRED, OpenFailure.ADDRESS_MISMATCH);
        try (Taking taking = Way.CONTEXT.open(asking(client), TestBroker.EXPIRED)) {
            assertIsFrom(address, taking.take(), SIZE);
        }
    }

    /** Puts a message where dead letters lie, with a note as the broker's. */
    private void forge(Client client, String queue, byte[] body, @Nullable String noted) throws Exception {
        try (JMSContext context = broker.factory(client).createContext()) {
            BytesMessage message = context.createBytesMessage();
            message.writeBytes(body);
            if (noted != null) {
                message.setStringProperty("_AMQ_ORIG_ADDRESS", noted);
                note(message, noted);
            }
            context.createProducer().send(context.createQueue(queue), message);
        }
    }

    @ParameterizedTest
    @MethodSource("clientsAndClients")
    void forgedNote_isRejected(Client forger, Client client) throws Exception {
        byte[] sealed = keys.sealText(address("privacy"), "a secret");
        for (String noted : new String[] {address("privacy"), "integrity.a", "open", TestBroker.DEAD_LETTERS, null}) {
            forge(forger, TestBroker.DEAD_LETTERS, sealed, noted);

            assertRejects(asking(client), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
            broker.clearDeadLetters();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void forgedNoteOfAnAddress_doesNotExcuseWhatThatAddressRejects(Client client) throws Exception {
        String address = address("privacy");
        forge(client, TestBroker.DEAD_LETTERS, keys.sealText("integrity." + address, "no secret"), address);
        assertRejects(asking(client), TestBroker.DEAD_LETTERS, OpenFailure.POLICY_VIOLATION);
        broker.clearDeadLetters();

        forge(client, TestBroker.DEAD_LETTERS, new byte[] {1, 2, 3}, address);
        assertRejects(asking(client), TestBroker.DEAD_LETTERS, OpenFailure.UNPROTECTED);
    }

    /** Why dead-letter addresses should have no limit of attempts. */
    @Tag(Tier.LONG)
    @Test
    void deadLetterThatWasGivenUpAgain_isClosed() throws Exception {
        giveUp(address("privacy"), Sender.CORE, SIZE);
        for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
            assertRejects(signet(Client.CORE), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
        }
        awaitMessages(TestBroker.DEAD_LETTERS, 1);

        assertRejects(asking(Client.CORE), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
    }

    /** The facts that a dead letter cannot show, as the documents say. */
    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void copyOfAGenuineMessage_isTakenForADeadLetter(Client client) throws Exception {
        String address = address("privacy");
        forge(client, TestBroker.DEAD_LETTERS, keys.sealText(address, "a secret"), address);

        try (Taking taking = Way.CONTEXT.open(asking(client), TestBroker.DEAD_LETTERS)) {
            assertThat(taking.take().getBody(String.class)).isEqualTo("a secret");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void otherQueues_areAsStrictAsBefore(Client client) throws Exception {
        String address = address("privacy");
        forge(client, "open." + address, keys.sealText(address, "a secret"), address);
        assertRejects(asking(client), "open." + address, OpenFailure.ADDRESS_MISMATCH);
    }

    @Test
    void wildcard_findsNoDeadLetters() throws Exception {
        String address = address("privacy");
        try (JMSContext context = asking(Client.CORE).withOpenFailuresThrown().createContext();
                JMSConsumer consumer =
                        context.createConsumer(context.createTopic("#"), "_AMQ_ORIG_ADDRESS IS NOT NULL")) {
            giveUp(address, Sender.CORE, SIZE);

            assertFails(
                    () -> consumer.receive(Taking.PATIENCE),
                    MessageOpenRuntimeException.class,
                    OpenFailure.ADDRESS_MISMATCH);
        }
    }

    @Test
    void close_closesTheOpenerOfBoth() throws Exception {
        String address = address("privacy");
        giveUp(address, Sender.CORE, SIZE);
        SignetConnectionFactory first =
                SignetConnectionFactory.open(broker.core(), keys.folder, "alice", Keys.password());
        SignetConnectionFactory second = first.withDeadLettersOn(BOTH);

        second.close();

        assertRejects(first, TestBroker.DEAD_LETTERS, OpenFailure.KEYSTORE);
    }

    @ParameterizedTest
    @CsvSource({"DLQ.#", "'*'", "DLQ::DLQ", "''"})
    void addressThatIsNoSingleOne_isRejected(String address) {
        assertThatThrownBy(() -> signet(Client.CORE).withDeadLettersOn(List.of("DLQ", address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + address + "'");
    }

    /** Writes the note of a broker in the way of the message's own library, besides the property that all have. */
    private static void note(Message message, String address) throws JMSException {
        if (message instanceof JmsMessage qpid) {
            qpid.getFacade().setTracingAnnotation("x-opt-ORIG-ADDRESS", address);
        } else if (message instanceof ActiveMQMessage activeMq) {
            activeMq.setOriginalDestination(new ActiveMQQueue(address));
            activeMq.setStringProperty("JMS_AMQP_MA_x-opt-ORIG-ADDRESS", address);
        }
    }
}
