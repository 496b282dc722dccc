/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;

/** Keys of broker and consumer are replaced while messages flow. The longer form: {@code -Dsignet.rollover=10000}. */
final class RolloverIT {
    /** How many messages lie in a queue before the first renewal, and the least that flow after each. */
    private static final int MESSAGES = Integer.getInteger("signet.rollover", 200);

    @TempDir
    private Path folder;

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

    @Test
    @Timeout(300)
    void keysReplacedUnderLoad_noMessageIsRejectedLostOrSentAgain() throws Exception {
        try (GuardedBroker broker = GuardedBroker.protecting(folder);
                ActiveMQConnectionFactory plain = new ActiveMQConnectionFactory(broker.url());
                SignetConnectionFactory opening = opening(plain);
                Connection producer = connect(plain.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD));
                Connection consumer = connect(opening.createConnection(GuardedBroker.ADMIN, GuardedBroker.PASSWORD))) {
            broker.createQueue("orders.queued");
            broker.createQueue("orders.flowing");
            send(producer, "orders.queued", MESSAGES);
            listen(consumer, "orders.flowing");
            Thread flow = new Thread(() -> flow(producer));
            flow.start();
            CliRun cli = new CliRun(folder);

            for (String renewal : List.of(
                    "renew alice --key-type rsa-2048",
                    "renew broker --key-type ec-p384",
                    "renew alice --key-type ec-p256",
                    "renew alice --same-key")) {
                int before = sent.get();
                cli.ok(("identity " + renewal).split(" "));
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> sent.get() >= before + MESSAGES || !failures.isEmpty());
            }
            stop.set(true);
            flow.join();

            assertThat(failures).isEmpty();
            assertReceived(sent.get());
            listen(consumer, "orders.queued");
            assertReceived(MESSAGES);
        }
    }

    private void assertReceived(int count) throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> received.size() >= count);
        assertThat(received).hasSize(count);
        for (int i = 0; i < count; i++) {
            TextMessage message = (TextMessage) received.remove();
            assertThat(message.getText()).isEqualTo(Integer.toString(i));
            assertThat(message.getJMSRedelivered()).as("message %s", i).isFalse();
            assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                    .isEqualTo("CN=broker");
        }
    }

    private void flow(Connection connection) {
        try (Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("orders.flowing"))) {
            while (!stop.get()) {
                producer.send(session.createTextMessage(Integer.toString(sent.get())));
                sent.incrementAndGet();
            }
        } catch (JMSException | RuntimeException e) {
            failures.add(e);
        }
    }

    private static void send(Connection connection, String queue, int count) throws JMSException {
        try (Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            for (int i : IntStream.range(0, count).toArray()) {
                producer.send(session.createTextMessage(Integer.toString(i)));
            }
        }
    }

    private void listen(Connection connection, String queue) throws JMSException {
        Session session = connection.createSession(); // closed with its connection
        session.createConsumer(session.createQueue(queue)).setMessageListener(received::add);
    }

    private SignetConnectionFactory opening(ActiveMQConnectionFactory plain) {
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray())) {
            return SignetConnectionFactory.open(plain, folder.resolve("signet-home"), "alice", password);
        }
    }

    private static Connection connect(Connection made) throws JMSException {
        made.start();
        return made;
    }
}
