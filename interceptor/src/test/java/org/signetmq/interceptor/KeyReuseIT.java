/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.Opener;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Tier;

/** All producers of an address share data keys, on all ways of sending. */
final class KeyReuseIT extends OneBroker {
    private static final String ADDRESS = "orders";
    private static final int REUSE = 32;
    private static final int MESSAGES = 2 * REUSE;

    /** How messages are sent. */
    enum Way {
        ONE_PRODUCER,
        ANONYMOUS_PRODUCER,
        PRODUCER_PER_MESSAGE,
        CONNECTION_PER_MESSAGE;

        void send(ConnectionFactory factory) throws Exception {
            for (int i = 0; i < (this == CONNECTION_PER_MESSAGE ? MESSAGES : 1); i++) {
                try (Connection connection = factory.createConnection();
                        Session session = connection.createSession()) {
                    for (int k = 0; k < (this == PRODUCER_PER_MESSAGE ? MESSAGES : 1); k++) {
                        send(session, this == ONE_PRODUCER || this == ANONYMOUS_PRODUCER ? MESSAGES : 1);
                    }
                }
            }
        }

        private void send(Session session, int messages) throws Exception {
            boolean anonymous = this == ANONYMOUS_PRODUCER || this == CONNECTION_PER_MESSAGE;
            Destination queue = session.createQueue(ADDRESS);
            try (MessageProducer producer = session.createProducer(anonymous ? null : queue)) {
                for (int i = 0; i < messages; i++) {
                    if (anonymous) {
                        producer.send(queue, session.createTextMessage("message " + i));
                    } else {
                        producer.send(session.createTextMessage("message " + i));
                    }
                }
            }
        }
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
        PolicySet policies = homes.policies(1, Policy.confidentiality(ADDRESS, List.of(TestHomes.CONSUMER), limits));
        TestBroker broker = start(ADDRESS);
        Opener opener = closing(homes.opener(policies));
        way.send(client.factory(broker));

        for (int i = 0; i < MESSAGES; i++) {
            opener.open(broker.nextBody(ADDRESS), ADDRESS);
        }
        assertThat(opener.unwraps()).isEqualTo(MESSAGES / REUSE);
    }
}
