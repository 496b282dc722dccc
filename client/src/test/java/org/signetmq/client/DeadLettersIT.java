/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
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

    private final AtomicInteger addresses = new AtomicInteger();

    @BeforeEach
    void clear() {
        broker.clearDeadLetters();
    }

    private String address() {
        return "privacy.a" + addresses.incrementAndGet();
    }

    private SignetConnectionFactory plain(Client client) {
        return SignetConnectionFactory.wrap(broker.factory(client), keys.opener());
    }

    private SignetConnectionFactory asking(Client client) {
        return plain(client).withDeadLettersOn(BOTH);
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
        awaitOne(TestBroker.DEAD_LETTERS);
    }

    private void awaitOne(String queue) {
        Awaitility.await().until(() -> broker.messages(queue) == 1);
    }

    private static void assertIsFrom(String address, Message message, int size) throws Exception {
        assertThat(message.getStringProperty(SignetConnectionFactory.ADDRESS_PROPERTY))
                .isEqualTo(address);
        assertThat(message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                .isEqualTo("privacy");
        assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                .isEqualTo(Keys.SIGNER);
        assertThat(Content.of(message).value().orElseThrow())
                .isEqualTo(Kind.BYTES.content(size).value().orElseThrow());
    }

    private static void assertRejects(SignetConnectionFactory factory, String queue, OpenFailure why) throws Exception {
        try (Taking taking = Way.CONTEXT.open(factory.withOpenFailuresThrown(), queue)) {
            assertThatThrownBy(taking::take)
                    .isInstanceOfSatisfying(
                            MessageOpenRuntimeException.class,
                            e -> assertThat(e.failure()).isEqualTo(why));
        }
    }

    static Stream<Arguments> sendersAndClients() {
        return Tier.cases(2, Sender.values())
                .flatMap(sender -> Client.oneOrAll().map(client -> Arguments.of(sender, client)));
    }

    @ParameterizedTest
    @MethodSource("sendersAndClients")
    void deadLetterOfAnyProducer_whoAsks_getsItAsItWasSent(Sender sender, Client client) throws Exception {
        String address = address();
        giveUp(address, sender, SIZE);

        try (Taking taking = Way.RECEIVE_TIMEOUT.open(asking(client), TestBroker.DEAD_LETTERS)) {
            assertIsFrom(address, taking.take(), SIZE);
        }
    }

    @ParameterizedTest
    @MethodSource("sendersAndClients")
    void deadLetterOfAnyProducer_whoDoesNotAsk_getsNothing(Sender sender, Client client) throws Exception {
        giveUp(address(), sender, SIZE);

        assertRejects(plain(client), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
        assertRejects(
                plain(client).withDeadLettersOn(List.of(TestBroker.EXPIRED)),
                TestBroker.DEAD_LETTERS,
                OpenFailure.ADDRESS_MISMATCH);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void deadLetter_inAContextAndInABrowser_isTheSame(Client client) throws Exception {
        String address = address();
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
            String address = address();
            giveUp(address, Sender.CORE, size);

            try (Taking taking = Way.RECEIVE_TIMEOUT.open(asking(client), TestBroker.DEAD_LETTERS)) {
                assertIsFrom(address, taking.take(), size);
            }
            clear();
        }
    }

    static Stream<Arguments> clientsAndClients() {
        return Tier.cases(1, Client.values())
                .flatMap(sender -> Stream.of(Client.values()).map(client -> Arguments.of(sender, client)));
    }

    @ParameterizedTest
    @MethodSource("clientsAndClients")
    void expiredMessage_whoAsks_getsItAsItWasSent(Client sender, Client client) throws Exception {
        String address = address();
        try (JMSContext context = broker.factory(sender).createContext()) {
            context.createProducer()
                    .setTimeToLive(1)
                    .send(context.createQueue(address), Kind.BYTES.message(context, SIZE));
        }
        awaitOne(TestBroker.EXPIRED);

        assertRejects(plain(client), TestBroker.EXPIRED, OpenFailure.ADDRESS_MISMATCH);
        try (Taking taking = Way.CONTEXT.open(asking(client), TestBroker.EXPIRED)) {
            assertIsFrom(address, taking.take(), SIZE);
        }
    }

    /** Puts a message where dead letters lie, with a note as the broker's. */
    private void forge(Client client, byte[] body, @Nullable String noted) throws Exception {
        try (JMSContext context = broker.factory(client).createContext()) {
            BytesMessage message = context.createBytesMessage();
            message.writeBytes(body);
            if (noted != null) {
                message.setStringProperty("_AMQ_ORIG_ADDRESS", noted);
                Forgery.note(message, noted);
            }
            context.createProducer().send(context.createQueue(TestBroker.DEAD_LETTERS), message);
        }
    }

    @ParameterizedTest
    @MethodSource("clientsAndClients")
    void forgedNote_isRejected(Client forger, Client client) throws Exception {
        byte[] sealed = keys.sealText(address(), "a secret");
        for (String noted : new String[] {address(), "integrity.a", "open", TestBroker.DEAD_LETTERS, null}) {
            forge(forger, sealed, noted);

            assertRejects(asking(client), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
            clear();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void forgedNoteOfAnAddress_doesNotExcuseWhatThatAddressRejects(Client client) throws Exception {
        String address = address();
        forge(client, keys.sealText("integrity." + address, "no secret"), address);
        assertRejects(asking(client), TestBroker.DEAD_LETTERS, OpenFailure.POLICY_VIOLATION);
        clear();

        forge(client, new byte[] {1, 2, 3}, address);
        assertRejects(asking(client), TestBroker.DEAD_LETTERS, OpenFailure.UNPROTECTED);
    }

    /** Why dead-letter addresses should have no limit of attempts. */
    @Tag(Tier.LONG)
    @Test
    void deadLetterThatWasGivenUpAgain_isClosed() throws Exception {
        giveUp(address(), Sender.CORE, SIZE);
        for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
            assertRejects(plain(Client.CORE), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
        }
        awaitOne(TestBroker.DEAD_LETTERS);

        assertRejects(asking(Client.CORE), TestBroker.DEAD_LETTERS, OpenFailure.ADDRESS_MISMATCH);
    }

    /** The facts that a dead letter cannot show, as the documents say. */
    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void copyOfAGenuineMessage_isTakenForADeadLetter(Client client) throws Exception {
        String address = address();
        forge(client, keys.sealText(address, "a secret"), address);

        try (Taking taking = Way.CONTEXT.open(asking(client), TestBroker.DEAD_LETTERS)) {
            assertThat(taking.take().getBody(String.class)).isEqualTo("a secret");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void otherQueues_areAsStrictAsBefore(Client client) throws Exception {
        String address = address();
        try (Producer producer = new Producer(broker.factory(client))) {
            BytesMessage message = producer.context.createBytesMessage();
            message.writeBytes(keys.sealText(address, "a secret"));
            message.setStringProperty("_AMQ_ORIG_ADDRESS", address);
            Forgery.note(message, address);
            producer.context.createProducer().send(producer.context.createQueue("open." + address), message);
        }

        assertRejects(asking(client), "open." + address, OpenFailure.ADDRESS_MISMATCH);
    }

    @Test
    void wildcard_findsNoDeadLetters() throws Exception {
        String address = address();
        try (JMSContext context = asking(Client.CORE).withOpenFailuresThrown().createContext();
                JMSConsumer consumer =
                        context.createConsumer(context.createTopic("#"), "_AMQ_ORIG_ADDRESS IS NOT NULL")) {
            giveUp(address, Sender.CORE, SIZE);

            assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE))
                    .isInstanceOfSatisfying(
                            MessageOpenRuntimeException.class,
                            e -> assertThat(e.failure()).isEqualTo(OpenFailure.ADDRESS_MISMATCH));
        }
    }

    @Test
    void close_closesTheOpenerOfBoth() throws Exception {
        String address = address();
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
        assertThatThrownBy(() -> plain(Client.CORE).withDeadLettersOn(List.of("DLQ", address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + address + "'");
    }
}
