/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Transactions of a transaction manager, Narayana, over the Artemis client: by hand and through Spring. */
final class OuterTransactionIT extends BrokerTest {
    private static final int BAD = 10;

    private TransactionManager transactions;

    @BeforeAll
    void storeOfTransactions(@TempDir Path folder) throws Exception {
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(folder.toString());
        }
        BeanPopulator.getDefaultInstance(CoreEnvironmentBean.class).setNodeIdentifier("test");
        transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    private String receive(XASession session, MessageConsumer consumer) throws Exception {
        transactions.getTransaction().enlistResource(session.getXAResource());
        return text(consumer.receive(Taking.PATIENCE));
    }

    @Test
    void transactionOverTwoConnections_isCommittedAndRolledBackAsOne() throws Exception {
        String from = address("privacy");
        String to = address("open");
        send(from, keys.sealText(from, "one"));
        SignetXAConnectionFactory factory = signet(Client.CORE).xa();
        try (XAConnection first = factory.createXAConnection();
                XAConnection second = factory.createXAConnection()) {
            XASession receiving = first.createXASession();
            XASession sending = second.createXASession();
            MessageConsumer consumer = receiving.createConsumer(receiving.createQueue(from));
            first.start();

            transactions.begin();
            assertThat(receive(receiving, consumer)).isEqualTo("one");
            transactions.getTransaction().enlistResource(sending.getXAResource());
            sending.createProducer(sending.createQueue(to)).send(sending.createTextMessage("sent"));
            transactions.rollback();
            assertThat(broker.messages(to)).isZero();

            transactions.begin();
            assertThat(receive(receiving, consumer)).isEqualTo("one");
            transactions.getTransaction().enlistResource(sending.getXAResource());
            sending.createProducer(sending.createQueue(to)).send(sending.createTextMessage("sent"));
            transactions.commit();
        }
        assertThat(broker.messages(from)).isZero();
        assertThat(broker.messages(to)).isEqualTo(1);
    }

    @Test
    void exampleOfTheDocument_receivesInATransaction() throws Exception {
        try (Producer producer = new Producer(broker.core())) {
            producer.context.createProducer().send(producer.context.createQueue("orders.eu"), "one");
        }

        assertThat(example(signet(Client.CORE))).isEqualTo("one");

        assertThat(broker.messages("orders.eu")).isZero();
    }

    /** The code in docs/clients.md. */
    private String example(SignetConnectionFactory factory) throws Exception {
        SignetXAConnectionFactory xa = factory.xa();
        try (XAConnection connection = xa.createXAConnection()) {
            XASession session = connection.createXASession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("orders.eu"));
            connection.start();
            transactions.begin();
            transactions.getTransaction().enlistResource(session.getXAResource());
            TextMessage message = (TextMessage) consumer.receive(5000);
            transactions.commit();
            return message.getText();
        }
    }

    @Test
    void transactionWithAMessageThatCannotBeOpened_isRolledBack() throws Exception {
        String from = address("privacy");
        String to = address("open");
        send(from, keys.sealText(from, "one"), FailureIT.Flaw.TAMPERED.body(keys, from));
        SignetXAConnectionFactory factory = signet(Client.CORE).xa();
        try (XAConnection connection = factory.createXAConnection();
                XAConnection other = factory.createXAConnection()) {
            XASession session = connection.createXASession();
            XASession sending = other.createXASession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(from));
            connection.start();
            transactions.begin();
            transactions.getTransaction().enlistResource(sending.getXAResource());
            sending.createProducer(sending.createQueue(to)).send(sending.createTextMessage("sent"));
            assertThat(receive(session, consumer)).isEqualTo("one");

            assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenException.class);
            assertThatThrownBy(transactions::commit).isInstanceOf(RollbackException.class);
        }
        assertThat(broker.messages(from)).isEqualTo(2);
        assertThat(broker.messages(to)).isZero();
    }

    @Test
    void containerOfSpring_repliesInTheTransaction_andGoesOnAfterTenMessagesThatCannotBeOpened() throws Exception {
        String address = address("privacy");
        String replies = address("open");
        Map<String, Long> arrivals = new ConcurrentHashMap<>();
        Queue<Throwable> told = new ConcurrentLinkedQueue<>();
        JmsPoolXAConnectionFactory pool = new JmsPoolXAConnectionFactory();
        pool.setTransactionManager(transactions);
        pool.setConnectionFactory(signet(Client.CORE).xa());
        JmsTemplate template = new JmsTemplate(pool);
        template.setSessionTransacted(true);
        DefaultMessageListenerContainer container = container(pool, address, message -> {
            String text = text(message);
            template.convertAndSend(replies, "reply");
            if (arrivals.putIfAbsent(text, System.nanoTime()) == null && text.equals("last")) {
                throw new IllegalStateException("the first time");
            }
        });
        container.setExceptionListener(told::add);
        try {
            container.afterPropertiesSet();
            container.start();
            send(address, keys.sealText(address, "first"));
            Awaitility.await().until(() -> arrivals.containsKey("first"));

            long sent = System.nanoTime();
            byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
            for (int i = 0; i < BAD; i++) {
                send(address, flawed);
            }
            send(address, keys.sealText(address, "last"));

            Awaitility.await().until(() -> arrivals.containsKey("last"));
            Tier.report(
                    "message after ten that cannot be opened, in an outer transaction",
                    Duration.ofNanos(arrivals.getOrDefault("last", Long.MAX_VALUE) - sent),
                    Duration.ofSeconds(1));
            awaitMessages(address, 0);
            awaitMessages(replies, 2);
            awaitMessages(TestBroker.DEAD_LETTERS, BAD);
            assertThat(told).isEmpty();
            List<String> lines = RecordingLogs.troubleOf(address);
            assertThat(lines).filteredOn(line -> line.startsWith("WARN")).hasSize(BAD * TestBroker.ATTEMPTS);
        } finally {
            container.destroy();
            pool.stop();
        }
    }

    private DefaultMessageListenerContainer container(
            ConnectionFactory factory, String address, MessageListener listener) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setDestinationName(address);
        container.setMessageListener(listener);
        container.setSessionTransacted(true);
        container.setTransactionManager(
                new JtaTransactionManager(com.arjuna.ats.jta.UserTransaction.userTransaction(), transactions));
        return container;
    }
}
