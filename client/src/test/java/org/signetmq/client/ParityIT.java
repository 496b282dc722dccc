/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.Letter.Routing;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Tier;

/**
 * Every producer with every consumer, twice: by a broker without the plugin and an unwrapped consumer; and by a
 * protected address and the wrapped consumer. Both applications see the same, except for the list in
 * {@link ParityExceptions}. Not for one JVM with BodyLimitsTest, which uses up the symbols of AMQP that a process may
 * keep.
 */
class ParityIT extends ProtectingBrokerTest {
    private static final long PATIENCE = 20_000;

    /** The time to wait for a message that will not come. */
    private static final long IMPATIENCE = 150;

    private final AtomicInteger letters = new AtomicInteger();
    private Road without;
    private Road with;

    @BeforeAll
    void openRoads() throws Exception {
        without = new Road(plain(), plain(), factory -> factory);
        with = new Road(broker, sending(), factory -> SignetConnectionFactory.wrap(factory, keys.opener()));
    }

    /** Returns the broker with Signet, as producers reach it. */
    TestBroker sending() {
        return broker;
    }

    /** Returns the beginning of the addresses. */
    String quality() {
        return "privacy";
    }

    @AfterAll
    void closeRoads() {
        with.close();
        without.close();
    }

    /** All of them; each sixth with {@code -Dsignet.tests=few}, and each ninth in the short tier. */
    static Stream<Letter> letters() throws Exception {
        List<Letter> all = Stream.of(JmsLetters.all(), AmqpLetters.all(), OtherLetters.all())
                .flatMap(letters -> letters)
                .toList();
        int step = "few".equals(System.getProperty("signet.tests")) ? 6 : Tier.isLong() ? 1 : 27;
        return IntStream.range(0, all.size()).filter(index -> index % step == 0).mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("letters")
    void message_ofAnyProducer_isToEveryConsumerAsWithoutSignet(Letter letter) throws Exception {
        boolean lost = Stream.of(Client.values()).anyMatch(client -> ParityExceptions.mayNotCome(letter, client));
        int number = lost ? letters.incrementAndGet() : letters.get();
        String address = quality() + ".parity" + letter.routing().name().toLowerCase(Locale.ROOT) + number;

        Map<Client, Map<String, String>> expected = without.pass(letter, address);
        Map<Client, Map<String, String>> seen = with.pass(letter, address);

        if (lost) {
            letters.incrementAndGet(); // an undelivered message stays where it is
        }
        SoftAssertions all = new SoftAssertions();
        for (Client client : Client.values()) {
            all.check(() -> assertAlike(
                    letter, client, expected.getOrDefault(client, Map.of()), seen.getOrDefault(client, Map.of())));
        }
        all.assertAll();
    }

    private static void assertAlike(
            Letter letter, Client client, Map<String, String> expected, Map<String, String> seen) {
        String cell = letter + " to " + client;
        if (ParityExceptions.isNotConverted(letter, client)) {
            assertThat(expected).as("%s, without Signet", cell).isEqualTo(Seen.nothing());
            assertThat(seen).as("%s, with Signet", cell).isNotEqualTo(Seen.nothing());
            return;
        }
        if (!ParityExceptions.mayNotCome(letter, client)) {
            assertThat(expected).as("%s, without Signet", cell).isNotEqualTo(Seen.nothing());
        }
        Map<String, String> differences = new TreeMap<>();
        TreeSet<String> facts = new TreeSet<>(expected.keySet());
        facts.addAll(seen.keySet());
        for (String fact : facts) {
            String want = expected.getOrDefault(fact, "none");
            String have = seen.getOrDefault(fact, "none");
            if (!want.equals(have) && !ParityExceptions.allow(letter, client, fact, want, have)) {
                differences.put(fact, "plain: " + want + ", Signet: " + have);
            }
        }
        assertThat(differences).as(cell).isEmpty();
    }

    /** From producers to the application, with Signet or without. */
    private static final class Road {
        private final TestBroker broker;
        private final TestBroker sending;
        private final UnaryOperator<ConnectionFactory> wrapper;
        private final Map<Client, JMSContext> contexts = new EnumMap<>(Client.class);
        private final Map<String, JMSConsumer> consumers = new HashMap<>();

        Road(TestBroker broker, TestBroker sending, UnaryOperator<ConnectionFactory> wrapper) {
            this.broker = broker;
            this.sending = sending;
            this.wrapper = wrapper;
        }

        /** Sends a message to each consumer, and returns their views. */
        Map<Client, Map<String, String>> pass(Letter letter, String address) throws Exception {
            List<String> addresses = new ArrayList<>();
            for (Client client : Client.values()) {
                addresses.add(of(client, address));
                if (letter.routing() == Routing.TOPIC) {
                    consumer(letter, client, address);
                }
            }
            letter.sending().send(sending, addresses);
            Map<Client, Map<String, String>> seen = new EnumMap<>(Client.class);
            for (Client client : Client.values()) {
                seen.put(client, receive(letter, client, address));
            }
            return seen;
        }

        private static String of(Client client, String address) {
            return address + "." + client.name().toLowerCase(Locale.ROOT);
        }

        /** The one of this client, which stays for the next letters to this address. */
        private JMSConsumer consumer(Letter letter, Client client, String address) {
            JMSContext context = contexts.computeIfAbsent(
                    client, c -> wrapper.apply(broker.factory(c)).createContext());
            return consumers.computeIfAbsent(
                    of(client, address),
                    name -> context.createConsumer(
                            letter.routing() == Routing.TOPIC ? context.createTopic(name) : context.createQueue(name)));
        }

        private Map<String, String> receive(Letter letter, Client client, String address) {
            long patience = ParityExceptions.mayNotCome(letter, client) ? IMPATIENCE : PATIENCE;
            Map<String, String> seen = Seen.nothing();
            try {
                seen = Seen.of(consumer(letter, client, address).receive(patience));
            } catch (JMSRuntimeException broken) {
                // no message was seen: a library that cannot read a message, or loses its connection over it, fails
                // like this
            }
            JMSContext context = contexts.get(client);
            if (context != null && seen.equals(Seen.nothing())) {
                contexts.remove(client);
                consumers.keySet().removeIf(name -> name.endsWith(of(client, "")));
                close(context);
            }
            return seen;
        }

        void close() {
            contexts.values().forEach(Road::close);
        }

        private static void close(JMSContext context) {
            try {
                context.close();
            } catch (JMSRuntimeException broken) {
                // the message that broke it has closed it
            }
        }
    }
}
