/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.message.Entity;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** The broker writes large messages before a callback names their session, on threads that many sessions share. */
final class LargeSendersIT extends OneBroker {
    private static final List<String> USERS = List.of("alice", "anna", "victor");
    private static final int SESSIONS = 3;
    private static final int MESSAGES = 4;

    private static void send(ActiveMQConnectionFactory factory, String user) throws Exception {
        try (Connection connection = factory.createConnection(user, "secret")) {
            List<Session> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                sessions.add(connection.createSession());
            }
            for (int i = 0; i < MESSAGES; i++) {
                for (Session session : sessions) {
                    TextMessage message = session.createTextMessage(LargeBodies.text(200_000));
                    message.setStringProperty("user", user);
                    try (MessageProducer producer = session.createProducer(session.createQueue("orders"))) {
                        producer.send(message);
                    }
                }
            }
        }
    }

    @Tag(Tier.LONG)
    @Test
    void messagesOfManySessions_haveTheSendersOfTheirSessions() throws Exception {
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        TestBroker broker = start(setup.secured(), "orders");
        ExecutorService clients = Executors.newFixedThreadPool(USERS.size());
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.uri())) {
            List<Future<?>> sending = new ArrayList<>();
            for (String user : USERS) {
                sending.add(clients.submit(() -> {
                    send(factory, user);
                    return null;
                }));
            }
            for (Future<?> each : sending) {
                each.get(3, TimeUnit.MINUTES);
            }

            try (Connection connection = factory.createConnection("alice", "secret")) {
                Session session = connection.createSession();
                connection.start();
                MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
                for (int i = 0; i < USERS.size() * SESSIONS * MESSAGES; i++) {
                    BytesMessage message = (BytesMessage) consumer.receive(180_000);
                    Entity entity = broker.homes
                            .open(message.getBody(byte[].class), "orders")
                            .entityIfProtected()
                            .orElseThrow();
                    assertThat(entity.sender()).contains(message.getStringProperty("user"));
                }
            }
        } finally {
            clients.shutdownNow();
        }
    }
}
