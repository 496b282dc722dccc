/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.signetmq.testkit.BrokerInstance;

/**
 * Producers that know nothing of Signet. Each message is sent once, and is confirmed when the broker has answered; one
 * in twenty is large.
 */
final class Load {
    private static final int LARGE_EVERY = 20;
    private static final long PAUSE_MILLIS = 200;

    private final String address;
    private final String marker;
    private final List<Client> clients;
    private final AtomicInteger sent = new AtomicInteger();
    private final Set<Integer> confirmed = ConcurrentHashMap.newKeySet();
    private final Map<Client, AtomicInteger> confirmedBy = new EnumMap<>(Client.class);
    private final List<Thread> producers = new ArrayList<>();
    private CountDownLatch stopping = new CountDownLatch(1);

    /** Load on an address, with a marker in each message, and a producer for each client. */
    Load(String address, String marker, Client... clients) {
        this.address = address;
        this.marker = marker;
        this.clients = List.of(clients);
        this.clients.forEach(client -> confirmedBy.put(client, new AtomicInteger()));
    }

    /** Producers start, and go on until they are stopped or, if there is but one broker, their connection fails. */
    void start(BrokerInstance... brokers) {
        CountDownLatch stop = new CountDownLatch(1);
        stopping = stop;
        countAnew();
        for (Client client : clients) {
            Thread producer = new Thread(() -> produce(client, Arrays.asList(brokers), stop), "producer-" + client);
            producer.setDaemon(true);
            producer.start();
            producers.add(producer);
        }
    }

    private void produce(Client client, List<BrokerInstance> brokers, CountDownLatch stop) {
        do {
            try (Client.Line line = client.connect(brokers, address)) {
                while (stop.getCount() > 0) {
                    int number = sent.incrementAndGet();
                    line.send(text(number));
                    confirmed.add(number);
                    counted(client).incrementAndGet();
                }
            } catch (Exception e) {
                // the broker is gone; the fate of this message is open
            }
        } while (brokers.size() > 1 && !isOver(stop));
    }

    private static boolean isOver(CountDownLatch stop) {
        try {
            return stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private AtomicInteger counted(Client client) {
        return Objects.requireNonNull(confirmedBy.get(client));
    }

    /** From now on none is counted for a client that was before. */
    void countAnew() {
        confirmedBy.values().forEach(count -> count.set(0));
    }

    /** How many messages each client had confirmed, at least, since they are counted. */
    int confirmedByEach() {
        return confirmedBy.values().stream().mapToInt(AtomicInteger::get).min().orElse(0);
    }

    /** The queues in which the messages are. */
    Set<String> queues() {
        return clients.stream().map(client -> client.queue(address)).collect(Collectors.toSet());
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
        stopping.countDown();
        for (Thread producer : producers) {
            producer.join();
        }
        producers.clear();
    }

    Set<Integer> confirmed() {
        return Set.copyOf(confirmed);
    }
}
