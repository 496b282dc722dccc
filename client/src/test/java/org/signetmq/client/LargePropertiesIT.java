/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Tier;

/** The properties in which the broker notes that it stores a message as a large one. Plain Artemis has them, too. */
final class LargePropertiesIT extends ProtectingBrokerTest {
    private static final Random RANDOM = new Random(52);

    /** Around 100 KiB and 490 KiB, from which a client sends and the broker stores a message as a large one. */
    static Stream<Arguments> bodies() {
        return Tier.cases(
                        3, 1_000, 100_500, 499_000, 98_000, 101_000, 102_000, 103_000, 150_000, 480_000, 501_000,
                        510_000)
                .flatMap(length -> Stream.of(Client.values()).map(client -> Arguments.of(client, length)));
    }

    /** For Signet a record of the journal may be shorter, because sealing lengthens a message. */
    @ParameterizedTest
    @MethodSource("bodies")
    void propertiesOfLargeMessages_areThoseOfThePlainClient(Client sender, int length) throws Exception {
        byte[] body = new byte[length];
        RANDOM.nextBytes(body);

        Map<String, String> expected = new TreeMap<>();
        Map<String, String> seen = new TreeMap<>();
        pass(factory -> factory, sender, body, expected, seen);
        assertThat(seen).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("compressed")
    void propertiesOfCompressedMessages_areNotSeen_whereThePlainClientHasNone(int length, int random) throws Exception {
        byte[] body = new byte[length];
        RANDOM.ints(random, 0, length).forEach(at -> body[at] = (byte) at);

        Map<String, String> expected = new TreeMap<>();
        Map<String, String> seen = new TreeMap<>();
        pass(
                factory -> {
                    ((ActiveMQConnectionFactory) factory).setCompressLargeMessage(true);
                    return factory;
                },
                Client.CORE,
                body,
                expected,
                seen);
        seen.values().removeIf("null"::equals); // Signet's broker stores no body compressed
        assertThat(expected).containsAllEntriesOf(seen);
    }

    static Stream<Arguments> compressed() {
        return Tier.cases(
                1,
                Arguments.of(150_000, 10),
                Arguments.of(150_000, 150_000),
                Arguments.of(600_000, 10),
                Arguments.of(600_000, 600_000));
    }

    /** Sends a body to each client, without Signet and with it, and notes the properties. */
    private void pass(
            UnaryOperator<ConnectionFactory> changing,
            Client sender,
            byte[] body,
            Map<String, String> expected,
            Map<String, String> seen)
            throws Exception {
        String address = address("privacy");
        for (Client receiver : Client.values()) {
            String queue = address + receiver;
            for (TestBroker each : List.of(plain(), broker)) {
                try (JMSContext context = changing.apply(each.factory(sender)).createContext()) {
                    context.createProducer().send(context.createQueue(queue), body);
                }
            }
            facts(plain().factory(receiver), receiver, queue, expected);
            facts(signet(receiver), receiver, queue, seen);
        }
    }

    private static void facts(ConnectionFactory factory, Client receiver, String queue, Map<String, String> facts)
            throws JMSException {
        try (JMSContext context = factory.createContext()) {
            Message message = take(context, queue);
            assertThat(message).isInstanceOf(BytesMessage.class);
            for (String name : new String[] {"_AMQ_LARGE_SIZE", "_AMQ_LARGE_COMPRESSED"}) {
                facts.put(receiver + " " + name, String.valueOf(message.getObjectProperty(name)));
            }
        }
    }
}
