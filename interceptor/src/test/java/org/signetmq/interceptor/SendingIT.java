/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQMessageProducer;
import org.apache.activemq.AsyncCallback;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Options of a send. */
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

        assertThat(open(take(address), address)).isEqualTo(text);
        assertThat(sealed()).isEqualTo(1);
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
}
