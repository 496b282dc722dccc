/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Producers that know nothing of Signet. Each message is sent once, and is confirmed when the broker has answered; one
 * in twenty is large.
 */
final class Load {
    private static final int PRODUCERS = 3;
    private static final int LARGE_EVERY = 20;

    private final String address;
    private final String marker;
    private final AtomicInteger sent = new AtomicInteger();
    private final Set<Integer> confirmed = ConcurrentHashMap.newKeySet();
    private final List<Thread> producers = new ArrayList<>();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /** Load on an address, with a marker in each message. */
    Load(String address, String marker) {
        this.address = address;
        this.marker = marker;
    }

    /** Producers start and go on until their connection fails or they are stopped. */
    void start(String url) {
        stopping.set(false);
        for (int i = 0; i < PRODUCERS; i++) {
            Thread producer = new Thread(() -> produce(url), "producer-" + i);
            producer.setDaemon(true);
            producer.start();
            producers.add(producer);
        }
    }

    private void produce(String url) {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
                Connection connection = factory.createConnection(BrokerInstance.USER, BrokerInstance.PASSWORD);
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(address))) {
            producer.setDeliveryMode(DeliveryMode.PERSISTENT);
            while (!stopping.get()) {
                int number = sent.incrementAndGet();
                try {
                    producer.send(session.createTextMessage(text(number)));
                    confirmed.add(number);
                } catch (JMSException e) {
                    if (!url.contains("reconnectAttempts")) {
                        return; // what becomes of this one is open
                    }
                }
            }
        } catch (JMSException e) {
            // the broker is gone, and so is this producer
        }
    }

    private String text(int number) {
        String start = number + " " + marker + " ";
        return start + (marker + " ").repeat((number % LARGE_EVERY == 0 ? 150_000 : 1_500) / marker.length());
    }

    /** The number of a message that was received as it was sent. */
    int number(String text) {
        int number = Integer.parseInt(text.substring(0, text.indexOf(' ')));
        if (!text.equals(text(number))) {
            throw new AssertionError("message " + number + ": not as it was sent");
        }
        return number;
    }

    void stop() throws InterruptedException {
        stopping.set(true);
        for (Thread producer : producers) {
            producer.join();
        }
        producers.clear();
    }

    Set<Integer> confirmed() {
        return Set.copyOf(confirmed);
    }
}
