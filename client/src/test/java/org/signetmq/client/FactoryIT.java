/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.file.PolicyFile;

/** Factories, and sessions for application servers. */
final class FactoryIT extends BrokerTest {
    @ParameterizedTest
    @EnumSource(Client.class)
    void open_takesKeysTrustAndPoliciesOfAHome(Client client) throws Exception {
        Files.write(keys.folder.resolve("policies.json"), PolicyFile.bytes(keys.policies()));
        String address = address("privacy");
        try (Password password = Keys.password();
                SignetConnectionFactory factory =
                        SignetConnectionFactory.open(broker.factory(client), keys.folder, "alice", password);
                Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.CONTEXT.open(factory, address)) {
            producer.send(address, keys.sealText(address, "a secret"));

            assertThat(taking.take().getBody(String.class)).isEqualTo("a secret");
        }
    }

    @Test
    void status_hasThePoliciesAndTheCounts_andWithoutPoliciesTheProblem() throws Exception {
        Path policies = keys.folder.resolve("policies.json");
        Files.deleteIfExists(policies);
        try (Password password = Keys.password();
                SignetConnectionFactory without =
                        SignetConnectionFactory.open(broker.core(), keys.folder, "alice", password)) {
            assertThat(without.status())
                    .satisfies(status -> assertThat(status.problem()).contains(policies + " is missing"))
                    .extracting(FactoryStatus::policies)
                    .isEqualTo(0L);
            assertThat(without.withPoliciesOfBroker().status().problem()).contains("the broker published none");
        }
        Files.write(policies, PolicyFile.bytes(keys.policies()));
        String address = address("privacy");
        try (Password password = Keys.password();
                SignetConnectionFactory factory =
                        SignetConnectionFactory.open(broker.core(), keys.folder, "alice", password);
                Producer producer = new Producer(broker.core());
                Taking taking = Way.CONTEXT.open(factory, address)) {
            producer.send(address, FailureIT.Flaw.TAMPERED.body(keys, address), keys.sealText(address, "a secret"));
            taking.take();

            assertThat(factory.status()).isEqualTo(new FactoryStatus(17, 1, 0, null));
        }
        assertThat(signet(Client.CORE).status()).isEqualTo(new FactoryStatus(0, 0, 0, null));
    }

    @Test
    void close_closesTheOpenerThatItMade_andNoOther() throws Exception {
        Files.write(keys.folder.resolve("policies.json"), PolicyFile.bytes(keys.policies()));
        String address = address("privacy");
        byte[] envelope = keys.sealText(address, "a secret");
        try (Password password = Keys.password();
                Producer producer = new Producer(broker.core())) {
            SignetConnectionFactory own = SignetConnectionFactory.open(broker.core(), keys.folder, "alice", password);
            producer.send(address, envelope);
            own.close();
            signet(Client.CORE).close();

            try (Taking taking = Way.CONTEXT.open(own, address)) {
                assertThatThrownBy(taking::take).isInstanceOf(MessageOpenRuntimeException.class);
            }
            assertThat(keys.opener().open(envelope, address).payload()).hasSize(8);
        }
    }

    @Test
    void connectionConsumer_givesSessionsOpenedMessages() throws Exception {
        String address = address("privacy");
        BlockingQueue<Object> events = new LinkedBlockingQueue<>();
        ExecutorService server = Executors.newSingleThreadExecutor();
        try (Producer producer = new Producer(broker.amqp());
                Connection connection = signet(Client.AMQP).createConnection()) {
            connection.setExceptionListener(events::add);
            Session session = connection.createSession();
            MessageListener listener = events::add;
            session.setMessageListener(listener);
            connection.createConnectionConsumer(
                    session.createQueue(address), null, () -> new OneSession(session, server), 1);
            connection.start();

            producer.send(address, keys.sealText(address, "a secret"));

            Message message = (Message) events.poll(Taking.PATIENCE, TimeUnit.MILLISECONDS);
            assertThat(message.getBody(String.class)).isEqualTo("a secret");
            assertThat(session.getMessageListener()).isSameAs(listener);
        } finally {
            server.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void createdMessages_areOrdinaryMessagesOfTheProvider(Client client) throws Exception {
        try (JMSContext context = signet(client).createContext();
                JMSContext plain = broker.factory(client).createContext()) {
            assertThat(context.createTextMessage("a")).hasSameClassAs(plain.createTextMessage("a"));
            assertThat(context.createObjectMessage()).hasSameClassAs(plain.createObjectMessage());
        }
    }

    /** The factories that an application server has. */
    private record OneSession(Session session, ExecutorService server) implements ServerSession {
        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() throws JMSException {
            server.execute(session);
        }
    }
}
