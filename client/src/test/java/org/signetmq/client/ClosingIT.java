/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Patience;
import org.signetmq.testkit.Tier;

/** An application closes something while a listener works on a message. */
final class ClosingIT extends BrokerTest {
    /** What an application closes. */
    enum Closed {
        CONSUMER,
        SESSION,
        CONNECTION,
        JMS_CONSUMER,
        CONTEXT;

        Application open(ConnectionFactory factory, String address, int mode, MessageListener listener)
                throws JMSException {
            return this == JMS_CONSUMER || this == CONTEXT
                    ? inContext(factory, address, mode, listener)
                    : inSession(factory.createConnection(), address, mode, listener);
        }

        private Application inSession(Connection connection, String address, int mode, MessageListener listener)
                throws JMSException {
            Session session = connection.createSession(mode);
            MessageConsumer consumer = session.createConsumer(session.createQueue(address));
            consumer.setMessageListener(listener);
            Call closing = this == CONSUMER ? consumer::close : this == SESSION ? session::close : connection::close;
            return new Application(closing, connection::start, connection::close);
        }

        /** With a user, because version 5.19 of the ActiveMQ client creates contexts of any mode only with one. */
        private Application inContext(ConnectionFactory factory, String address, int mode, MessageListener listener) {
            JMSContext context = factory.createContext("anyone", "anything", mode);
            context.setAutoStart(false);
            JMSConsumer consumer = context.createConsumer(context.createQueue(address));
            consumer.setMessageListener(listener);
            return new Application(this == CONTEXT ? context::close : consumer::close, context::start, context::close);
        }
    }

    /** A call of an application. */
    interface Call {
        void run() throws JMSException;
    }

    /**
     * A program with one listener.
     *
     * @param closing closes what the test closes
     * @param end closes all
     */
    record Application(Call closing, Call start, Call end) implements AutoCloseable {
        @Override
        public void close() throws JMSException {
            end.run();
        }
    }

    static Stream<Arguments> closings() {
        return Tier.cases(1, Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE)
                .flatMap(mode -> Stream.of(Client.values())
                        .flatMap(client ->
                                Stream.of(Closed.values()).map(closed -> Arguments.of(client, closed, mode))));
    }

    /**
     * What an application sees.
     *
     * @param left messages in the queue after the end
     */
    record Seen(boolean closeWaited, @Nullable String failure, int deliveries, long left) {}

    @ParameterizedTest
    @MethodSource("closings")
    void close_whileAListenerWorks_waitsForItAndItsAcknowledgement_asThePlainClientDoes(
            Client client, Closed closed, int mode) throws Exception {
        Seen seen = closedFromOutside(signet(client), closed, mode);

        assertThat(seen).isEqualTo(closedFromOutside(broker.factory(client), closed, mode));
        assertThat(seen).isEqualTo(new Seen(true, null, 1, 0));
    }

    static Stream<Arguments> closingsOfAll() {
        return Tier.cases(3, Client.values())
                .flatMap(client -> Tier.cases(2, Closed.SESSION, Closed.CONTEXT, Closed.CONSUMER, Closed.CONNECTION)
                        .map(closed -> Arguments.of(client, closed)));
    }

    /** The listener acknowledges at its end. */
    @ParameterizedTest
    @MethodSource("closingsOfAll")
    void close_whileAListenerWorksInClientAcknowledge_isAsThePlainClientHasIt(Client client, Closed closed)
            throws Exception {
        assertThat(closedFromOutside(signet(client), closed, Session.CLIENT_ACKNOWLEDGE))
                .isEqualTo(closedFromOutside(broker.factory(client), closed, Session.CLIENT_ACKNOWLEDGE));
    }

    private Seen closedFromOutside(ConnectionFactory factory, Closed closed, int mode) throws Exception {
        String address = filled(1);
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch worked = new CountDownLatch(1);
        AtomicInteger deliveries = new AtomicInteger();
        MessageListener listener = message -> {
            deliveries.incrementAndGet();
            working.countDown();
            await(closing);
            worked.countDown();
            if (mode == Session.CLIENT_ACKNOWLEDGE) {
                acknowledge(message);
            }
        };
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicReference<@Nullable Boolean> waited = new AtomicReference<>();
        try (Application application = closed.open(factory, address, mode, listener)) {
            application.start().run();
            await(working);
            Thread closer = new Thread(() -> {
                failure.set(catchThrowable(application.closing()::run));
                waited.set(worked.getCount() == 0);
            });
            closer.start();
            Awaitility.await().until(() -> waitsOrEnded(closer));
            closing.countDown();
            Awaitility.await().until(() -> waited.get() != null);
        }
        return new Seen(Boolean.TRUE.equals(waited.get()), name(failure.get()), deliveries.get(), left(address));
    }

    private static boolean waitsOrEnded(Thread thread) {
        return thread.getState() != Thread.State.NEW && thread.getState() != Thread.State.RUNNABLE;
    }

    /** The plain Artemis client delivers the message again if its listener closed the consumer; Signet does not. */
    @ParameterizedTest
    @MethodSource("closings")
    void close_byTheListenerItself_isAsThePlainClientHasIt(Client client, Closed closed, int mode) throws Exception {
        Seen seen = closedByTheListener(signet(client), closed, mode);

        assertThat(seen.failure())
                .isEqualTo(closedByTheListener(broker.factory(client), closed, mode)
                        .failure());
        assertThat(seen).isEqualTo(new Seen(true, seen.failure(), 1, 0));
    }

    private Seen closedByTheListener(ConnectionFactory factory, Closed closed, int mode) throws Exception {
        String address = filled(1);
        CountDownLatch worked = new CountDownLatch(1);
        AtomicInteger deliveries = new AtomicInteger();
        AtomicReference<@Nullable Application> running = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        MessageListener listener = message -> {
            deliveries.incrementAndGet();
            failure.set(catchThrowable(
                    () -> Objects.requireNonNull(running.get()).closing().run()));
            worked.countDown();
        };
        try (Application application = closed.open(factory, address, mode, listener)) {
            running.set(application);
            application.start().run();
            await(worked);
        }
        return new Seen(worked.getCount() == 0, name(failure.get()), deliveries.get(), left(address));
    }

    /** In the short tier those of one client. */
    static Stream<Arguments> closingsWhileMessagesArrive() {
        return Tier.cases(Closed.values().length, closings().toArray(Arguments[]::new));
    }

    @ParameterizedTest
    @MethodSource("closingsWhileMessagesArrive")
    void close_whileMessagesArrive_losesAndRepeatsNone(Client client, Closed closed, int mode) throws Exception {
        int count = 60;
        String address = filled(count);
        List<String> texts = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch working = new CountDownLatch(10);
        CountDownLatch all = new CountDownLatch(count);
        MessageListener listener = message -> {
            texts.add(text(message));
            working.countDown();
            all.countDown();
        };
        try (Application application = closed.open(signet(client), address, mode, listener)) {
            application.start().run();
            await(working);
            application.closing().run();
        }
        try (Application application = closed.open(signet(client), address, mode, listener)) {
            application.start().run();
            await(all);
        }
        assertThat(left(address)).isZero();
        assertThat(texts)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }

    private String filled(int count) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.core())) {
            for (int i = 0; i < count; i++) {
                producer.send(address, keys.sealText(address, Integer.toString(i)));
            }
        }
        return address;
    }

    /** How many messages are left when no client has any more. */
    private long left(String address) {
        Awaitility.await().until(() -> broker.delivering(address) == 0);
        return broker.messages(address);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void acknowledge(Message message) {
        try {
            message.acknowledge();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable String name(@Nullable Throwable failure) {
        return failure == null ? null : failure.getClass().getName();
    }
}
