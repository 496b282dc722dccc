/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.Opener;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Tier;

/** All producers of an address share data keys, on all ways of sending. */
final class KeyReuseIT {
    private static final String ADDRESS = "orders";
    private static final int REUSE = 32;
    private static final int MESSAGES = 2 * REUSE;

    @TempDir
    private Path folder;

    /** How messages are sent. */
    enum Way {
        ONE_PRODUCER {
            @Override
            void send(ConnectionFactory factory) throws Exception {
                try (Connection connection = factory.createConnection();
                        Session session = connection.createSession();
                        MessageProducer producer = session.createProducer(session.createQueue(ADDRESS))) {
                    for (int i = 0; i < MESSAGES; i++) {
                        producer.send(session.createTextMessage("message " + i));
                    }
                }
            }
        },
        ANONYMOUS_PRODUCER {
            @Override
            void send(ConnectionFactory factory) throws Exception {
                try (Connection connection = factory.createConnection();
                        Session session = connection.createSession();
                        MessageProducer producer = session.createProducer(null)) {
                    for (int i = 0; i < MESSAGES; i++) {
                        producer.send(session.createQueue(ADDRESS), session.createTextMessage("message " + i));
                    }
                }
            }
        },
        PRODUCER_PER_MESSAGE {
            @Override
            void send(ConnectionFactory factory) throws Exception {
                try (Connection connection = factory.createConnection();
                        Session session = connection.createSession()) {
                    for (int i = 0; i < MESSAGES; i++) {
                        try (MessageProducer producer = session.createProducer(session.createQueue(ADDRESS))) {
                            producer.send(session.createTextMessage("message " + i));
                        }
                    }
                }
            }
        },
        CONNECTION_PER_MESSAGE {
            @Override
            void send(ConnectionFactory factory) throws Exception {
                for (int i = 0; i < MESSAGES; i++) {
                    try (Connection connection = factory.createConnection();
                            Session session = connection.createSession();
                            MessageProducer producer = session.createProducer(null)) {
                        producer.send(session.createQueue(ADDRESS), session.createTextMessage("message " + i));
                    }
                }
            }
        };

        abstract void send(ConnectionFactory factory) throws Exception;
    }

    static Stream<Arguments> ways() {
        return Tier.cases(
                1,
                Arguments.of(JmsClient.CORE, Way.ANONYMOUS_PRODUCER),
                Arguments.of(JmsClient.CORE, Way.CONNECTION_PER_MESSAGE),
                Arguments.of(JmsClient.AMQP, Way.PRODUCER_PER_MESSAGE),
                Arguments.of(JmsClient.CORE, Way.ONE_PRODUCER),
                Arguments.of(JmsClient.CORE, Way.PRODUCER_PER_MESSAGE),
                Arguments.of(JmsClient.AMQP, Way.ONE_PRODUCER),
                Arguments.of(JmsClient.AMQP, Way.ANONYMOUS_PRODUCER),
                Arguments.of(JmsClient.AMQP, Way.CONNECTION_PER_MESSAGE));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void messages_takeAsManyKeysAsThePolicySays(JmsClient client, Way way) throws Exception {
        KeyLimits limits = new KeyLimits(REUSE, KeyLimits.MOST_BYTES, Duration.ofHours(1));
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies =
                setup.homes().policies(1, Policy.confidentiality(ADDRESS, List.of(TestHomes.CONSUMER), limits));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue(ADDRESS);
                Opener opener = setup.homes().opener(policies)) {
            way.send(client.factory(broker));

            for (int i = 0; i < MESSAGES; i++) {
                opener.open(reader.nextBody(ADDRESS), ADDRESS);
            }
            assertThat(opener.unwraps()).isEqualTo(MESSAGES / REUSE);
        }
    }
}
