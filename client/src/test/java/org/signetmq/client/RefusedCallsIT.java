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
final class RefusedCallsIT extends BrokerTest {
    /** Which session the connection makes. */
    enum Kind {
        ANY {
            @Override
            Session of(Connection connection, int mode) throws JMSException {
                return connection.createSession(mode);
            }
        },
        QUEUES {
            @Override
            Session of(Connection connection, int mode) throws JMSException {
                return ((QueueConnection) connection).createQueueSession(mode == Session.SESSION_TRANSACTED, mode);
            }
        },
        TOPICS {
            @Override
            Session of(Connection connection, int mode) throws JMSException {
                return ((TopicConnection) connection).createTopicSession(mode == Session.SESSION_TRANSACTED, mode);
            }
        };

        abstract Session of(Connection connection, int mode) throws JMSException;
    }

    /** What is closed before the calls. */
    enum Closed {
        NOTHING {
            @Override
            void close(Session session, Connection connection) {}
        },
        SESSION {
            @Override
            void close(Session session, Connection connection) throws JMSException {
                session.close();
            }
        },
        CONNECTION {
            @Override
            void close(Session session, Connection connection) throws JMSException {
                connection.close();
            }
        };

        abstract void close(Session session, Connection connection) throws JMSException;
    }

    /** A call of a session. */
    enum Call {
        CONSUMER_OF_QUEUE {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createConsumer(queue);
            }
        },
        CONSUMER_OF_TOPIC {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createConsumer(topic);
            }
        },
        SELECTING_CONSUMER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createConsumer(queue, "colour = 'blue'");
            }
        },
        SHARED_CONSUMER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createSharedConsumer(topic, unique());
            }
        },
        DURABLE_CONSUMER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createDurableConsumer(topic, unique());
            }
        },
        SHARED_DURABLE_CONSUMER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createSharedDurableConsumer(topic, unique());
            }
        },
        DURABLE_SUBSCRIBER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createDurableSubscriber(topic, unique());
            }
        },
        BROWSER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createBrowser(queue);
            }
        },
        PRODUCER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.createProducer(queue);
            }
        },
        RECOVER {
            @Override
            void on(Session session, Queue queue, Topic topic) throws JMSException {
                session.recover();
            }
        };

        abstract void on(Session session, Queue queue, Topic topic) throws JMSException;

        static String unique() {
            return "s" + UUID.randomUUID();
        }
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
            connection.setClientID(Call.unique());
            Session any = other.createSession();
            Queue queue = any.createQueue(address("open"));
            Topic topic = any.createTopic(address("open"));
            Session session = kind.of(connection, mode);
            session.createConsumer(kind == Kind.TOPICS ? topic : queue);
            closed.close(session, connection);
            for (Call call : Call.values()) {
                outcomes.put(call, outcome(() -> call.on(session, queue, topic)));
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
}
