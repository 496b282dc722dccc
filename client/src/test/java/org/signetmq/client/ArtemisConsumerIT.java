/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.TestBroker.Client;

/** Consumers of queues over the Artemis client, before and after a message that cannot be opened. */
final class ArtemisConsumerIT extends BrokerTest {
    private static final int HIGH = 9;

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void goodMessages_areTakenOneByOne(int mode) throws Exception {
        String address = address("privacy");
        try (Connection connection = signet(Client.CORE).createConnection()) {
            send(connection, address, text(address, "one"), text(address, "two"));
            Session session = connection.createSession(mode);
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));

            connection.start();
            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("one");
            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("two");
            consumer.close();

            awaitMessages(address, 0);
        }
    }

    /** The client then hands out messages in another order than the broker delivered them. */
    @Test
    void badMessageThatOvertakesGoodOnes_endsInDeadLetterQueue_andCountsAgainstNoOther() throws Exception {
        String address = address("privacy");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        try (Producer producer = new Producer(broker.factory(Client.CORE));
                Connection connection = throwing(Client.CORE).createConnection()) {
            send(connection, address, text(address, "low"), new Sending(flawed, HIGH, "none"));
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            connection.start();

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenException.class);
            }
            Message good = consumer.receive(Taking.PATIENCE);

            assertThat(good.getBody(String.class)).isEqualTo("low");
            assertThat(good.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }

    /** The broker delivered the good message first, so a rollback that counts the first one would count it. */
    @Test
    void badMessageThatOvertakesADeliveredOne_countsAgainstNoOther() throws Exception {
        String address = address("privacy");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        try (Producer producer = new Producer(broker.factory(Client.CORE));
                Connection connection = signet(Client.CORE).createConnection()) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            connection.start();
            send(connection, address, text(address, "first"), text(address, "second"));
            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("first");
            Awaitility.await().until(() -> broker.delivering(address) == 1);

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                send(connection, address, new Sending(flawed, HIGH, "none"));
            }
            Awaitility.await().until(() -> broker.delivering(address) == 1 + TestBroker.ATTEMPTS);
            Message second = consumer.receive(Taking.PATIENCE);

            assertThat(second.getBody(String.class)).isEqualTo("second");
            assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(producer.take(TestBroker.DEAD_LETTERS, TestBroker.ATTEMPTS))
                    .containsOnly(flawed);
        }
    }

    /** The client must acknowledge no message again that this library acknowledged. */
    @Test
    void consumersOfOneSession_closedAndOpenedAgain_getEachMessageOnce() throws Exception {
        String address = address("privacy");
        List<String> texts = new ArrayList<>();
        try (Connection connection = signet(Client.CORE).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            for (int i = 0; i < 3; i++) {
                send(connection, address, text(address, "one" + i), text(address, "two" + i));
                MessageConsumer first = session.createConsumer(session.createQueue(address));
                MessageConsumer other = session.createConsumer(session.createQueue(address + ".other"));
                texts.add(first.receive(Taking.PATIENCE).getBody(String.class));
                first.close();
                MessageConsumer again = session.createConsumer(session.createQueue(address));
                first.close(); // closes nothing of the next one
                MessageConsumer last = session.createConsumer(session.createQueue(address + ".last"));
                texts.add(again.receive(Taking.PATIENCE).getBody(String.class));
                again.close();
                other.close();
                last.close();
            }
            session.close();
            awaitMessages(address, 0);
        }
        assertThat(texts).containsExactly("one0", "two0", "one1", "two1", "one2", "two2");
    }

    @Test
    void textWithoutATextInItsBody_endsInDeadLetterQueue_andTheNextMessageArrives() throws Exception {
        String address = address("none");
        try (Connection connection = signet(Client.CORE).createConnection()) {
            Session session = connection.createSession();
            sendTornText(session, address);
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            connection.start();

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE))
                        .isInstanceOf(JMSException.class)
                        .hasMessage("message: its body is not of its type");
            }

            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("next");
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
            broker.deleteMessages(TestBroker.DEAD_LETTERS);
        }
    }

    /** The client's own listeners get no such message. Acknowledging the next one must not include it. */
    @Test
    void textWithoutATextInItsBody_beforeAListener_staysOnItsQueue() throws Exception {
        String address = address("none");
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Connection connection = signet(Client.CORE).createConnection()) {
            Session session = connection.createSession();
            sendTornText(session, address);
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            consumer.setMessageListener(message -> texts.add(text(message)));
            connection.start();

            Awaitility.await().until(() -> texts.size() == 1 && broker.messages(address) == 1);
            assertThat(texts).containsExactly("next");
            session.close();
        }
        assertThat(broker.messages(address)).isEqualTo(1);
        broker.deleteMessages(address);
    }

    /** Sends a text message whose body ends too early, and a whole one. */
    private static void sendTornText(Session session, String address) throws JMSException {
        BytesMessage torn = session.createBytesMessage();
        torn.writeBytes(new byte[] {1, 0, 0, 0, 9, 'x'});
        ((ActiveMQMessage) torn).getCoreMessage().setType(org.apache.activemq.artemis.api.core.Message.TEXT_TYPE);
        MessageProducer sender = session.createProducer(session.createQueue(address));
        sender.send(torn);
        sender.send(session.createTextMessage("next"));
    }

    @Test
    void consumerAfterBadMessage_keepsItsSelector() throws Exception {
        String address = address("privacy");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        try (Connection connection = throwing(Client.CORE).createConnection()) {
            send(
                    connection,
                    address,
                    new Sending(flawed, Message.DEFAULT_PRIORITY, "wanted"),
                    new Sending(keys.sealText(address, "other"), Message.DEFAULT_PRIORITY, "other"));
            send(
                    connection,
                    address,
                    new Sending(keys.sealText(address, "wanted"), Message.DEFAULT_PRIORITY, "wanted"));
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address), "colour = 'wanted'");
            connection.start();

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenException.class);
            }

            assertThat(consumer.getMessageSelector()).isEqualTo("colour = 'wanted'");
            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("wanted");
            assertThat(consumer.receiveNoWait()).isNull();
            awaitMessages(address, 1);
        }
    }

    @Test
    void consumerAfterBadMessage_keepsItsListener() throws Exception {
        String address = address("privacy");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Producer producer = new Producer(broker.factory(Client.CORE));
                Connection connection = signet(Client.CORE).createConnection()) {
            send(
                    connection,
                    address,
                    new Sending(flawed, Message.DEFAULT_PRIORITY, "none"),
                    text(address, "one"),
                    text(address, "two"));
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            consumer.setMessageListener(message -> texts.add(text(message)));
            connection.start();

            Awaitility.await().until(() -> texts.size() >= 2 && broker.messages(address) == 0);

            assertThat(texts).containsExactly("one", "two");
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }

    private record Sending(byte[] body, int priority, String colour) {}

    private Sending text(String address, String text) throws Exception {
        return new Sending(keys.sealText(address, text), Message.DEFAULT_PRIORITY, "none");
    }

    private static void send(Connection connection, String address, Sending... sendings) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(address));
            for (Sending sending : sendings) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(sending.body());
                message.setStringProperty("colour", sending.colour());
                producer.send(message, producer.getDeliveryMode(), sending.priority(), 0);
            }
        }
    }
}
