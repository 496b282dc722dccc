/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.BrokerInstance;

/**
 * A producer and a consumer for each client and address. Producers number their messages, consumers expect each number
 * in its turn, and both connect anew from time to time. One message in twenty is large.
 */
final class SoakLoad {
    private static final int LARGE_EVERY = 20;
    private static final int RECONNECT_EVERY = 150;
    private static final long PAUSE_MILLIS = 200;
    private static final long RECEIVE_MILLIS = 30_000;

    private final BrokerInstance broker;
    private final Signet signet;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private final List<Thread> producers = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    SoakLoad(BrokerInstance broker, Signet signet) {
        this.broker = broker;
        this.signet = signet;
    }

    /** Starts a producer with each client for an address, and a consumer for each of its queues. */
    void start(String address) {
        for (Client client : Client.values()) {
            AtomicLong confirmed = new AtomicLong();
            String own = address + "." + client.name().toLowerCase(Locale.ROOT);
            producers.add(thread("producer of " + own, () -> produce(client, own, confirmed)));
            consumers.add(thread("consumer of " + own, () -> consume(client, own, confirmed)));
        }
    }

    private Thread thread(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable e) {
                        failures.add(new AssertionError(name, e));
                        failed.countDown();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void produce(Client client, String address, AtomicLong confirmed) throws Exception {
        while (stop.getCount() > 0) {
            try (Client.Line line = client.connect(List.of(broker), address)) {
                for (int i = 0; i < RECONNECT_EVERY && !stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS); i++) {
                    line.send(text(confirmed.get() + 1));
                    confirmed.incrementAndGet();
                    sent.incrementAndGet();
                }
            }
        }
    }

    /** Consumes until it has all that was confirmed when the load stopped. */
    private void consume(Client client, String address, AtomicLong confirmed) throws Exception {
        String queue = client.queue(address);
        long expected = 1;
        for (int round = 0; stop.getCount() > 0 || expected <= confirmed.get(); round++) {
            try (Password password = Password.takeOwnershipOf(Signet.PASSWORD.toCharArray());
                    SignetConnectionFactory factory = SignetConnectionFactory.open(
                            library(round), signet.consumerHome(), Signet.CONSUMER, password);
                    Connection connection = factory.withOpenFailuresThrown()
                            .createConnection(BrokerInstance.USER, BrokerInstance.PASSWORD);
                    Session session = connection.createSession();
                    MessageConsumer consumer = session.createConsumer(session.createQueue(queue + "::" + queue))) {
                connection.start();
                for (int i = 0; i < RECONNECT_EVERY && (stop.getCount() > 0 || expected <= confirmed.get()); i++) {
                    Message message = consumer.receive(stop.getCount() > 0 ? RECEIVE_MILLIS : PAUSE_MILLIS);
                    if (message != null) {
                        check(expected, message);
                        expected++;
                        received.incrementAndGet();
                    } else if (stop.getCount() > 0) {
                        throw new AssertionError("no message " + expected + " within " + RECEIVE_MILLIS + " ms");
                    }
                }
            }
        }
    }

    private static void check(long number, Message message) throws JMSException {
        String text = message instanceof BytesMessage
                ? new String(message.getBody(byte[].class), StandardCharsets.UTF_8)
                : message.getBody(String.class);
        if (!text.equals(text(number))) {
            throw new AssertionError(
                    "expected message " + number + ", got " + text.substring(0, Math.min(40, text.length())));
        }
    }

    /** The library of the consumer, another one after each reconnection. */
    private ConnectionFactory library(int round) {
        return round % 2 == 0
                ? new ActiveMQConnectionFactory(broker.url())
                : new JmsConnectionFactory(broker.url("amqp"));
    }

    private static String text(long number) {
        String part = " of the soak";
        return number + part.repeat((number % LARGE_EVERY == 0 ? 150_000 : 1_500) / part.length());
    }

    long sent() {
        return sent.get();
    }

    long received() {
        return received.get();
    }

    /** Waits for a failure of a thread, and says whether one came in time. */
    boolean failsWithin(Duration time) throws InterruptedException {
        return failed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The errors of all threads so far. */
    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** Stops the producers, and waits until the consumers have received all messages. */
    void stop() throws InterruptedException {
        stop.countDown();
        for (Thread producer : producers) {
            producer.join();
        }
        for (Thread consumer : consumers) {
            consumer.join(TimeUnit.MINUTES.toMillis(1));
        }
    }

    private interface Work {
        void run() throws Exception;
    }
}
