/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.client.internal.provider.ArtemisLibrary;
import org.signetmq.client.internal.provider.ProviderSession;
import org.signetmq.testkit.Tier;

/** Wrapped sessions behave as the API promises, like the provider's own. */
final class SessionIT extends BrokerTest {
    @Test
    void sessionThatIsNotTransacted_sendsAtOnce() throws Exception {
        String address = address("open");
        try (Connection connection = signet(Client.CORE).createConnection()) {
            Session session = connection.createSession(false, Session.SESSION_TRANSACTED);
            session.createProducer(session.createQueue(address)).send(session.createTextMessage("sent"));
        }
        assertThat(broker.messages(address)).isEqualTo(1);
    }

    static Stream<Arguments> orders() {
        return Stream.of(true, false).flatMap(order -> Client.oneOrAll().map(client -> Arguments.of(order, client)));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void listenersOfOneSession_onAQueueAndATopic_runOneAfterTheOther(boolean queueFirst, Client client)
            throws Exception {
        String queue = address("privacy");
        String topic = address("privacy");
        Overlap overlap = new Overlap();
        AtomicInteger done = new AtomicInteger();
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = signet(client).createConnection()) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            Destination first = queueFirst ? session.createQueue(queue) : session.createTopic(topic);
            Destination second = queueFirst ? session.createTopic(topic) : session.createQueue(queue);
            for (Destination destination : List.of(first, second)) {
                session.createConsumer(destination)
                        .setMessageListener(message -> overlap.during(done::incrementAndGet));
            }
            connection.start();
            for (int i = 0; i < 20; i++) {
                producer.send(queue, keys.sealText(queue, "queue"));
                producer.send(producer.context.createTopic(topic), keys.sealText(topic, "topic"));
            }

            Awaitility.await().until(() -> done.get() == 40 && broker.messages(queue) == 0);
            assertThat(overlap.wasSeen()).isFalse();
        }
    }

    /** Notices listeners that run at once: each waits a moment for another one to begin. */
    private static final class Overlap {
        private final AtomicInteger running = new AtomicInteger();
        private final CountDownLatch seen = new CountDownLatch(1);

        /** Runs the work of a listener after that moment. */
        void during(Runnable work) {
            if (running.incrementAndGet() > 1) {
                seen.countDown();
            }
            try {
                seen.await(10, TimeUnit.MILLISECONDS);
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                running.decrementAndGet();
            }
        }

        boolean wasSeen() {
            return seen.getCount() == 0;
        }
    }

    @Test
    void listenerThatMakesASecondConsumer_isNotRunTogetherWithItsListener() throws Exception {
        String queue = address("privacy");
        String other = address("privacy");
        Overlap overlap = new Overlap();
        List<String> texts = new CopyOnWriteArrayList<>();
        try (Producer producer = new Producer(broker.core());
                Connection connection = signet(Client.CORE).createConnection()) {
            producer.send(other, keys.sealText(other, "other"));
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageListener more = message -> overlap.during(() -> texts.add(text(message)));
            MessageConsumer first = session.createConsumer(session.createQueue(queue));
            first.setMessageListener(checked(message -> {
                if (texts.isEmpty()) {
                    session.createConsumer(session.createQueue(other)).setMessageListener(more);
                }
                more.onMessage(message);
            }));
            connection.start();
            producer.send(queue, keys.sealText(queue, "one"), keys.sealText(queue, "two"));

            Awaitility.await().until(() -> texts.size() == 3 && broker.messages(queue) + broker.messages(other) == 0);
            assertThat(texts).containsExactlyInAnyOrder("one", "two", "other").startsWith("one");
            assertThat(overlap.wasSeen()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void listenerThatClosesItsConsumerAndThrows_leavesTheMessage(Client client) throws Exception {
        String address = address("privacy");
        AtomicInteger calls = new AtomicInteger();
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "one"));
            try (Connection connection = signet(client).createConnection()) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(address));
                consumer.setMessageListener(checked(message -> {
                    calls.incrementAndGet();
                    consumer.close();
                    throw new IllegalStateException("after the close");
                }));
                connection.start();
                Awaitility.await().until(() -> calls.get() == 1);
            }
            assertThat(broker.messages(address)).isEqualTo(1);
        }
        try (Taking taking = Way.CONTEXT.open(signet(client), address)) {
            assertThat(taking.take().getBody(String.class)).isEqualTo("one");
        }
        assertThat(calls).hasValue(1);
    }

    /** The message must not be on its way to another consumer while the listener works on it. */
    @ParameterizedTest
    @EnumSource(Client.class)
    void listenerThatClosesItsConsumer_hasTheMessageAcknowledgedAfterItReturned(Client client) throws Exception {
        String address = address("privacy");
        List<Long> duringTheListener = new CopyOnWriteArrayList<>();
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = signet(client).createConnection()) {
            producer.send(address, keys.sealText(address, "one"));
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            consumer.setMessageListener(checked(message -> {
                consumer.close();
                session.createTemporaryQueue().delete(); // the broker answers requests in their order
                duringTheListener.add(broker.messages(address));
            }));
            connection.start();

            awaitMessages(address, 0);
            assertThat(duringTheListener).containsExactly(1L);
        }
    }

    /** The client takes the answer to the acknowledgement for the one to the next request, if that is early enough. */
    @Tag(Tier.LONG)
    @Test
    void recover_rightAfterAnAcknowledgement_losesAndRepeatsNothing() throws Exception {
        try (Producer producer = new Producer(broker.core())) {
            for (int round = 0; round < Tier.rounds(500); round++) {
                var queue = producer.context.createQueue(address("open"));
                List.of("before", "twice", "after")
                        .forEach(text -> producer.context.createProducer().send(queue, text));
                assertThat(withARecovery(queue)).containsExactly("before", "twice", "twice", "after");
            }
        }
    }

    private List<String> withARecovery(jakarta.jms.Queue queue) throws Exception {
        List<String> texts = new ArrayList<>();
        try (JMSContext context = broker.core().createContext(Session.CLIENT_ACKNOWLEDGE);
                JMSConsumer consumer = context.createConsumer(queue)) {
            texts.add(text(consumer.receive(Taking.PATIENCE)));
            context.acknowledge();
            texts.add(text(consumer.receive(Taking.PATIENCE)));
            new ArtemisLibrary().recover(ProviderSession.of(context));
            texts.add(text(consumer.receive(Taking.PATIENCE)));
            texts.add(text(consumer.receive(Taking.PATIENCE)));
            context.acknowledge();
        }
        return texts;
    }
}
