/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.Letter.Routing;
import org.signetmq.client.TestBroker.Client;

/**
 * Every producer with every consumer, twice: the same message goes to a broker without the plugin and its consumer
 * without the wrapper, and to a protected address of a broker with the plugin and the same consumer in the wrapper.
 * Both applications see the same.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ParityIT extends ProtectingBrokerTest {
    /** How long to wait for what may never come: plain Artemis cannot convert some messages for some consumers. */
    private static final long PATIENCE = 1000;

    private final AtomicInteger letters = new AtomicInteger();
    private final Map<Client, JMSContext> plainly = new EnumMap<>(Client.class);
    private final Map<Client, JMSContext> openings = new EnumMap<>(Client.class);
    private TestBroker plain;

    @BeforeAll
    void startPlainBroker(@TempDir Path data) throws Exception {
        plain = new TestBroker(BrokerLoader.start(PlainBroker.class, data));
    }

    @AfterAll
    void stopPlainBroker() {
        plainly.values().forEach(JMSContext::close);
        openings.values().forEach(JMSContext::close);
        plain.close();
    }

    static Stream<Letter> letters() throws Exception {
        return Stream.of(JmsLetters.all(), AmqpLetters.all(), OtherLetters.all())
                .flatMap(all -> all);
    }

    /** One of the two ways to the application. */
    private record Way(
            TestBroker broker,
            Map<Client, JMSContext> contexts,
            java.util.function.UnaryOperator<ConnectionFactory> wrapper) {
        Map<String, String> pass(Letter letter, Client client, String address) {
            JMSContext context = contexts.computeIfAbsent(
                    client, c -> wrapper.apply(broker.factory(c)).createContext());
            try {
                if (letter.routing() == Routing.TOPIC) {
                    try (JMSConsumer consumer = context.createConsumer(context.createTopic(address))) {
                        letter.sending().send(broker, address);
                        return Seen.of(consumer.receive(PATIENCE));
                    }
                }
                letter.sending().send(broker, address);
                try (JMSConsumer consumer = context.createConsumer(context.createQueue(address))) {
                    return Seen.of(consumer.receive(PATIENCE));
                }
            } catch (Exception e) {
                contexts.remove(client);
                closeQuietly(context);
                return Seen.nothing();
            }
        }

        private static void closeQuietly(JMSContext context) {
            try {
                context.close();
            } catch (JMSRuntimeException broken) {
                // it was closed by what broke it
            }
        }
    }

    @ParameterizedTest
    @MethodSource("letters")
    void message_ofAnyProducer_isToEveryConsumerAsWithoutSignet(Letter letter) {
        int number = letters.incrementAndGet();
        Way without = new Way(plain, plainly, factory -> factory);
        Way with = new Way(broker, openings, factory -> SignetConnectionFactory.wrap(factory, keys.opener()));
        SoftAssertions all = new SoftAssertions();
        for (Client client : Client.values()) {
            String address = "privacy.parity" + number + "." + client.name().toLowerCase(java.util.Locale.ROOT);
            Map<String, String> expected = without.pass(letter, client, address);
            Map<String, String> seen = with.pass(letter, client, address);
            all.assertThat(differences(expected, seen))
                    .as("%s to %s", letter, client)
                    .isEmpty();
        }
        all.assertAll();
    }

    private static Map<String, String> differences(Map<String, String> expected, Map<String, String> seen) {
        Map<String, String> differences = new TreeMap<>();
        TreeSet<String> facts = new TreeSet<>(expected.keySet());
        facts.addAll(seen.keySet());
        for (String fact : facts) {
            String want = expected.getOrDefault(fact, "none");
            String have = seen.getOrDefault(fact, "none");
            if (!want.equals(have) && !fact.startsWith("property signet_")) {
                differences.put(fact, "plain: " + want + ", Signet: " + have);
            }
        }
        return differences;
    }
}
