/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQMessageProducer;
import org.apache.activemq.AsyncCallback;
import org.apache.activemq.ScheduledMessage;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Stomp;
import org.signetmq.testkit.Tier;

/** Options of a send, metadata, and messages for later. */
final class SendingIT extends WayIn {
    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void asynchronousSend_isSealedOnce(JmsClient client) throws Exception {
        String address = safeQueue();
        String text = Letter.text("completion by " + client);
        CompletableFuture<Message> completed = new CompletableFuture<>();

        JmsClient.send(client.factory(broker), address, (session, producer) -> {
            producer.send(Letter.write(session, text), new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    completed.complete(message);
                }

                @Override
                public void onException(Message message, Exception exception) {
                    completed.completeExceptionally(exception);
                }
            });
            completed.get(3, TimeUnit.MINUTES);
        });

        assertStoredOnce(address, text);
    }

    @Test
    void asynchronousSendByOpenWire_isSealedOnce() throws Exception {
        String address = safeQueue();
        String text = Letter.text("not waiting, by OpenWire");

        OpenWire.inSession(broker, session -> {
            var producer = (ActiveMQMessageProducer) session.createProducer(session.createQueue(address));
            CompletableFuture<Boolean> completed = new CompletableFuture<>();
            producer.send(session.createTextMessage(text), new AsyncCallback() {
                @Override
                public void onSuccess() {
                    completed.complete(true);
                }

                @Override
                public void onException(javax.jms.JMSException exception) {
                    completed.completeExceptionally(exception);
                }
            });
            assertThat(completed.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        });

        assertSealedOnce(address, text);
    }

    @Test
    void sendWithoutWaitingForTheBroker_isSealedOnce() throws Exception {
        String address = safeQueue();
        String text = Letter.text("not waiting");
        var factory = new ActiveMQConnectionFactory(broker.uri() + "?blockOnDurableSend=false");

        JmsClient.send(factory, address, (session, producer) -> producer.send(Letter.write(session, text)));

        assertStoredOnce(address, text);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void duplicate_isDroppedAlthoughEachEnvelopeDiffers(JmsClient client) throws Exception {
        String address = safeQueue();
        String text = Letter.text("duplicates by " + client);

        JmsClient.send(client.factory(broker), address, (session, producer) -> {
            for (int i = 0; i < 2; i++) {
                Message message = Letter.write(session, text);
                message.setStringProperty("_AMQ_DUPL_ID", "the one of " + client);
                producer.send(message);
            }
        });

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
        assertThat(waiting(address)).isZero();
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void group_staysWithOneConsumer(JmsClient client) throws Exception {
        String address = safeQueue();
        ConnectionFactory factory = client.factory(broker);
        try (Connection connection = factory.createConnection();
                Session one = connection.createSession();
                Session two = connection.createSession();
                var first = one.createConsumer(one.createQueue(address));
                var second = two.createConsumer(two.createQueue(address))) {
            connection.start();

            JmsClient.send(factory, address, (session, producer) -> {
                for (int i = 0; i < 4; i++) {
                    producer.send(Letter.write(session, Letter.text("letter " + i)));
                }
            });

            Message start = first.receive(300);
            var owner = start == null ? second : first;
            Message next = start == null ? owner.receive(180_000) : start;
            for (int i = 0; i < 4; i++) {
                assertThat(open(next, address)).isEqualTo(Letter.text("letter " + i));
                assertThat(next.getStringProperty("JMSXGroupID")).isEqualTo("group one");
                next = i == 3 ? next : owner.receive(180_000);
            }
            assertThat((start == null ? first : second).receiveNoWait()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void lastValueQueue_keepsTheLastOfEachKey(JmsClient client) throws Exception {
        String address = safeAddress();
        broker.server()
                .createQueue(QueueConfiguration.of(address)
                        .setRoutingType(RoutingType.ANYCAST)
                        .setLastValue(true));

        JmsClient.send(client.factory(broker), address, (session, producer) -> {
            for (int i = 0; i < 3; i++) {
                Message message = Letter.write(session, Letter.text("value " + i));
                message.setStringProperty("_AMQ_LVQ_NAME", "key");
                producer.send(message);
            }
        });

        awaitWaiting(address, 1);
        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(Letter.text("value 2"));
        Letter.assertDressed(stored, 1);
        assertThat(sealed()).isEqualTo(3);
    }

    private void assertStoredOnce(String address, String text) throws Exception {
        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
        assertThat(sealed()).isEqualTo(1);
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void scheduledMessage_isSealedWhileItWaits(JmsClient client) throws Exception {
        String address = safeQueue();
        String text = Letter.text("a later time by " + client);

        JmsClient.send(client.factory(broker), address, (session, producer) -> {
            producer.setDeliveryDelay(1_500);
            producer.send(Letter.write(session, text));
        });

        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);
        assertNothingInClear();
        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void scheduledMessageByStomp_isSealedWhileItWaits() throws Exception {
        String address = safeQueue();
        String text = Letter.text("a later time by STOMP");

        try (Stomp client = Producers.stomp(broker)) {
            client.sendText(address + "\nAMQ_SCHEDULED_TIME:" + (System.currentTimeMillis() + 1_000), text);
        }

        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);
        assertThat(open(take(address), address)).isEqualTo(text);
    }

    @Test
    void scheduledMessageByOpenWire_isSealedWhileItWaits() throws Exception {
        String address = safeQueue();
        String text = Letter.text("a later time by OpenWire");

        OpenWire.inSession(broker, session -> {
            var message = session.createTextMessage(text);
            message.setLongProperty(ScheduledMessage.AMQ_SCHEDULED_DELAY, 1_000);
            session.createProducer(session.createQueue(address)).send(message);
        });

        assertThat(broker.queue(address).getScheduledCount()).isEqualTo(1);
        assertThat(open(take(address), address)).isEqualTo(text);
    }

    @Tag(Tier.LONG)
    @Test
    void messageByOpenWire_keepsItsMetadata() throws Exception {
        String address = safeQueue();
        String text = Letter.text("OpenWire's properties");

        OpenWire.inSession(broker, session -> {
            var message = session.createTextMessage(text);
            message.setStringProperty("colour", "blue");
            message.setIntProperty("weight", 12);
            message.setBooleanProperty("urgent", true);
            message.setStringProperty("JMSXGroupID", "group one");
            message.setIntProperty("JMSXGroupSeq", 3);
            message.setJMSType("letter");
            message.setJMSCorrelationID("correlation");
            message.setJMSReplyTo(session.createQueue("replies"));
            session.createProducer(session.createQueue(address))
                    .send(message, javax.jms.DeliveryMode.PERSISTENT, 7, 3_600_000);
        });

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        Letter.assertDressed(stored, 1);
    }

    @Test
    void messageByStomp_keepsItsMetadata() throws Exception {
        String address = safeQueue();
        String text = Letter.text("STOMP's headers");
        long expires = System.currentTimeMillis() + 3_600_000;
        String headers = "\ncolour:blue\nJMSXGroupID:group one\ntype:letter\ncorrelation-id:correlation"
                + "\nreply-to:replies\npriority:7\ncontent-type:text/plain\nexpires:";

        try (Stomp client = Producers.stomp(broker)) {
            client.sendText(address + headers + expires, text);
        }

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
        assertThat(stored.getStringProperty("JMSXGroupID")).isEqualTo("group one");
        assertThat(stored.getJMSType()).isEqualTo("letter");
        assertThat(stored.getJMSCorrelationID()).isEqualTo("correlation");
        assertThat(stored.getJMSReplyTo().toString()).contains("replies");
        assertThat(stored.getJMSPriority()).isEqualTo(7);
        assertThat(stored.getJMSExpiration()).isEqualTo(expires);
        assertThat(stored.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    /** A large one is stored as Core does it, with all that AMQP said of it as properties. */
    @Tag(Tier.LONG)
    @Test
    void largeTextByAmqp_isOfBytesToConsumersOfAmqp() throws Exception {
        String address = safeQueue();
        String text = Letter.text("size").repeat(3_000);
        JmsClient.AMQP.send(broker, address, text);

        try (JMSContext context = Producers.amqp(broker).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
            Message stored = consumer.receive(180_000);

            assertThat(open(stored, address).equals(text)).isTrue();
            Letter.assertDressed(stored, 1);
        }
    }
}
