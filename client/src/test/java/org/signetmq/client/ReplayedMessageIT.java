/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.RecordingLogs;

/** A message that comes to a consumer a second time, at an address with a replay window. */
final class ReplayedMessageIT extends BrokerTest {
    private static final String TEXT = "pay 100";

    static Stream<Arguments> waysAndClients() {
        return Stream.of(Way.RECEIVE, Way.LISTENER, Way.TRANSACTED_LISTENER)
                .flatMap(way -> Client.oneOrAll()
                        .filter(client -> way != Way.RECEIVE || client != Client.AMQP) // its copies come later
                        .map(client -> Arguments.of(way, client)));
    }

    /** Also the copy that the broker delivers again is refused, until it is a dead letter. */
    @ParameterizedTest
    @MethodSource("waysAndClients")
    void copy_isRefusedAtEachAttempt_othersArrive(Way way, Client client) throws Exception {
        String address = address("once");
        byte[] sealed = keys.sealText(address, TEXT);
        send(address, sealed, sealed, keys.sealText(address, "after"));
        SignetConnectionFactory consumers =
                SignetConnectionFactory.wrap(broker.factoryForPolling(client), keys.opener());

        try (Taking taking = way.open(consumers, address)) {
            assertThat(text(taking.take())).isEqualTo(TEXT);
            assertThat(text(taking.take())).isEqualTo("after");
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
            awaitMessages(address, 0);
        }
        assertThat(RecordingLogs.troubleOf(address))
                .hasSize(TestBroker.ATTEMPTS)
                .allSatisfy(line -> assertThat(line).contains("REPLAYED"));
    }

    /** What an application does with a message that it does not acknowledge. */
    enum Unsettled {
        ROLLBACK(Session.SESSION_TRANSACTED),
        RECOVER(Session.CLIENT_ACKNOWLEDGE),
        CLOSE_TRANSACTED_SESSION(Session.SESSION_TRANSACTED),
        CLOSE_SESSION(Session.CLIENT_ACKNOWLEDGE),
        CLOSE_TRANSACTED_CONNECTION(Session.SESSION_TRANSACTED),
        CLOSE_CONNECTION(Session.CLIENT_ACKNOWLEDGE);

        final int mode;

        Unsettled(int mode) {
            this.mode = mode;
        }

        void end(Connection connection, Session session) throws JMSException {
            switch (this) {
                case ROLLBACK -> session.rollback();
                case RECOVER -> session.recover();
                case CLOSE_SESSION, CLOSE_TRANSACTED_SESSION -> session.close();
                default -> connection.close();
            }
        }
    }

    static Stream<Arguments> unsettled() {
        return Stream.of(Unsettled.values())
                .flatMap(ending -> Client.oneOrAll().map(client -> Arguments.of(ending, client)));
    }

    @ParameterizedTest
    @MethodSource("unsettled")
    void messageThatWentBack_arrivesAgain(Unsettled ending, Client client) throws Exception {
        String address = address("once");
        byte[] sealed = keys.sealText(address, TEXT);
        send(address, sealed);
        SignetConnectionFactory factory = SignetConnectionFactory.wrap(broker.factoryForPolling(client), keys.opener())
                .withOpenFailuresThrown();
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession(ending.mode);
            assertThat(text(take(session, address))).isEqualTo(TEXT);
            ending.end(connection, session);
            if (ending == Unsettled.ROLLBACK || ending == Unsettled.RECOVER) {
                session.close();
            }
        }

        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo(TEXT);
            send(address, sealed);
            assertFails(
                    () -> consumer.receive(Taking.PATIENCE), MessageOpenRuntimeException.class, OpenFailure.REPLAYED);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void messageOfAListenerThatFailed_arrivesAgain(Client client) throws Exception {
        String address = address("once");
        send(address, keys.sealText(address, TEXT));
        AtomicInteger calls = new AtomicInteger();
        try (JMSContext context = signet(client).createContext()) {
            context.createConsumer(context.createQueue(address)).setMessageListener(message -> {
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("the application failed");
                }
            });
            context.start();
            Awaitility.await().until(() -> calls.get() == 2);
            awaitMessages(address, 0);
        }
        assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isZero();
    }

    /** The broker marks a message that a retry moved back as new. */
    @Test
    void deadLetterThatIsSentBack_arrives() throws Exception {
        String address = address("once");
        byte[] sealed = keys.sealText(address, TEXT);
        send(address, sealed);
        SignetConnectionFactory factory = throwing(Client.CORE);
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(address));
            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo(TEXT);
                context.rollback();
            }
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
            send(address, sealed);

            assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo(TEXT);
            context.commit();
        }
    }

    @Test
    void browserAndFailedOpening_doNotCount() throws Exception {
        String address = address("once");
        byte[] sealed = keys.sealText(address, TEXT);
        byte[] flawed = sealed.clone();
        flawed[flawed.length - 20] ^= 1;
        send(address, sealed);
        try (JMSContext context = throwing(Client.CORE).createContext()) {
            Queue queue = context.createQueue(address);
            for (int i = 0; i < 2; i++) {
                try (QueueBrowser browser = context.createBrowser(queue)) {
                    List<?> seen = Collections.list((Enumeration<?>) browser.getEnumeration());
                    assertThat(text((Message) seen.get(0))).isEqualTo(TEXT);
                }
            }
            broker.deleteMessages(address);
            send(address, flawed, sealed);
            JMSConsumer consumer = context.createConsumer(queue);
            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertFails(
                        () -> consumer.receive(Taking.PATIENCE),
                        MessageOpenRuntimeException.class,
                        OpenFailure.AUTHENTICATION_FAILED);
            }
            assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo(TEXT);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachConsumerOfATopic_opensAMessageOnce() throws Exception {
        String address = address("once");
        byte[] sealed = keys.sealText(address, TEXT);
        try (Connection connection = throwing(Client.CORE).createConnection();
                Session one = connection.createSession();
                Session two = connection.createSession();
                MessageConsumer first = one.createConsumer(one.createTopic(address));
                MessageConsumer second = two.createConsumer(two.createTopic(address));
                JMSContext producer = broker.core().createContext()) {
            connection.start();
            for (int i = 0; i < 2; i++) {
                producer.createProducer().send(producer.createTopic(address), sealed);
            }
            for (MessageConsumer consumer : List.of(first, second)) {
                assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo(TEXT);
                assertFails(() -> consumer.receive(Taking.PATIENCE), MessageOpenException.class, OpenFailure.REPLAYED);
            }
        }
    }
}
