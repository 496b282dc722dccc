/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Tier;

/** Closed sessions, and those for queues or topics alone, refuse the calls that the plain client's refuse. */
@SuppressWarnings("ImmutableEnumChecker") // the calls have no state
final class RefusedCallsIT extends BrokerTest {
    /** A session of a connection. */
    private interface Making {
        Session of(Connection connection, boolean transacted, int mode) throws JMSException;
    }

    /** A call of a session, with a queue and a topic that exist. */
    private interface Calling {
        void on(Session session, Queue queue, Topic topic) throws JMSException;
    }

    /** Which session the connection makes. */
    enum Kind {
        ANY(Connection::createSession),
        QUEUES((connection, transacted, mode) -> ((QueueConnection) connection).createQueueSession(transacted, mode)),
        TOPICS((connection, transacted, mode) -> ((TopicConnection) connection).createTopicSession(transacted, mode));

        private final Making making;

        Kind(Making making) {
            this.making = making;
        }
    }

    /** What is closed before the calls. */
    enum Closed {
        NOTHING,
        SESSION,
        CONNECTION;

        private void close(Session session, Connection connection) throws JMSException {
            if (this == SESSION) {
                session.close();
            } else if (this == CONNECTION) {
                connection.close();
            }
        }
    }

    enum Call {
        CONSUMER_OF_QUEUE((session, queue, topic) -> session.createConsumer(queue)),
        CONSUMER_OF_TOPIC((session, queue, topic) -> session.createConsumer(topic)),
        SELECTING_CONSUMER((session, queue, topic) -> session.createConsumer(queue, "colour = 'blue'")),
        SHARED_CONSUMER((session, queue, topic) -> session.createSharedConsumer(topic, unique())),
        DURABLE_CONSUMER((session, queue, topic) -> session.createDurableConsumer(topic, unique())),
        SHARED_DURABLE_CONSUMER((session, queue, topic) -> session.createSharedDurableConsumer(topic, unique())),
        DURABLE_SUBSCRIBER((session, queue, topic) -> session.createDurableSubscriber(topic, unique())),
        BROWSER((session, queue, topic) -> session.createBrowser(queue)),
        PRODUCER((session, queue, topic) -> session.createProducer(queue)),
        RECOVER((session, queue, topic) -> session.recover());

        private final Calling calling;

        Call(Calling calling) {
            this.calling = calling;
        }
    }

    private static String unique() {
        return "s" + UUID.randomUUID();
    }

    static Stream<Arguments> sessions() {
        return Tier.cases(1, Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED)
                .flatMap(mode -> Stream.of(Client.values())
                        .flatMap(client -> Stream.of(Kind.values()).map(kind -> Arguments.of(client, kind, mode))));
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void session_openOrClosedOrOfAClosedConnection_refusesWhatThePlainClientRefuses(Client client, Kind kind, int mode)
            throws Exception {
        for (Closed closed : Closed.values()) {
            assertThat(outcomes(signet(client), kind, mode, closed))
                    .as("%s", closed)
                    .isEqualTo(outcomes(broker.factory(client), kind, mode, closed));
        }
    }

    /** The results of all calls, in a session that has a consumer. */
    private Map<Call, String> outcomes(ConnectionFactory factory, Kind kind, int mode, Closed closed)
            throws JMSException {
        Map<Call, String> outcomes = new EnumMap<>(Call.class);
        try (Connection connection = factory.createConnection();
                Connection other = factory.createConnection()) {
            connection.setClientID(unique());
            Session any = other.createSession();
            Queue queue = any.createQueue(address("open"));
            Topic topic = any.createTopic(address("open"));
            Session session = kind.making.of(connection, mode == Session.SESSION_TRANSACTED, mode);
            session.createConsumer(kind == Kind.TOPICS ? topic : queue);
            closed.close(session, connection);
            for (Call call : Call.values()) {
                outcomes.put(call, outcome(() -> call.calling.on(session, queue, topic)));
            }
        }
        return outcomes;
    }

    /** Something that may be refused. */
    private interface Attempt {
        void run() throws JMSException;
    }

    private static String outcome(Attempt attempt) {
        try {
            attempt.run();
            return "done";
        } catch (JMSException | RuntimeException e) {
            return e.getClass().getName();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void recoverOfAClosedContext_isAsThePlainClientHasIt(Client client) {
        assertThat(recovered(signet(client))).isEqualTo(recovered(broker.factory(client)));
    }

    private String recovered(ConnectionFactory factory) {
        JMSContext context = factory.createContext();
        context.createConsumer(context.createQueue(address("open")));
        context.close();
        return outcome(context::recover);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(Kind.values()).flatMap(kind -> Client.oneOrAll().map(client -> Arguments.of(kind, client)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sessionThatIsNotTransacted_inTheModeOfTransactedOnes_isAsThePlainClientHasIt(Kind kind, Client client) {
        assertThat(contradiction(kind, signet(client))).isEqualTo(contradiction(kind, broker.factory(client)));
    }

    private static String contradiction(Kind kind, ConnectionFactory factory) {
        try (Connection connection = factory.createConnection()) {
            Session session = kind.making.of(connection, false, Session.SESSION_TRANSACTED);
            return session.getTransacted() + " " + session.getAcknowledgeMode();
        } catch (JMSException | RuntimeException e) {
            return e.getClass().getName();
        }
    }
}
