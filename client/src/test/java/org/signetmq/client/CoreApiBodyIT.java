/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Tier;

/** Messages of the Core API say that they are texts, maps, streams or objects, and have any body. */
final class CoreApiBodyIT extends ProtectingBrokerTest {
    private static final int LARGE = 150_000; // characters

    /** Writes a text in some way of the Core API. */
    private interface Way {
        void write(ActiveMQBuffer body, String text);
    }

    private static final Map<String, Way> WAYS = Map.of(
            "a string", ActiveMQBuffer::writeString,
            "a nullable string", ActiveMQBuffer::writeNullableString,
            "a simple string", (body, text) -> body.writeSimpleString(SimpleString.of(text)),
            "a text", (body, text) -> body.writeNullableSimpleString(SimpleString.of(text)),
            "a text and more",
                    (body, text) -> {
                        body.writeNullableSimpleString(SimpleString.of(text));
                        body.writeInt(17);
                    },
            "an object and more",
                    (body, text) -> {
                        body.writeInt(text.length() - 17);
                        body.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
                    },
            "an object that is cut off",
                    (body, text) -> {
                        body.writeInt(text.length() + 17);
                        body.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
                    },
            "a text that is cut off",
                    (body, text) -> {
                        body.writeByte((byte) 1);
                        body.writeInt(3 * text.length());
                        body.writeBytes(text.getBytes(StandardCharsets.UTF_16LE));
                    },
            "bytes", (body, text) -> body.writeBytes(text.getBytes(StandardCharsets.UTF_8)),
            "an item and bytes",
                    (body, text) -> {
                        body.writeByte((byte) 6);
                        body.writeInt(17);
                        body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
                    });

    static Stream<Arguments> letters() {
        Stream<Arguments> first = Stream.of(
                arguments(Message.TEXT_TYPE, "a string", 5),
                arguments(Message.TEXT_TYPE, "a nullable string", LARGE),
                arguments(Message.MAP_TYPE, "a string", 5),
                arguments(Message.STREAM_TYPE, "an item and bytes", 5),
                arguments(Message.TEXT_TYPE, "a text and more", LARGE),
                arguments(Message.TEXT_TYPE, "a text", LARGE),
                arguments(Message.OBJECT_TYPE, "an object and more", LARGE),
                arguments(Message.OBJECT_TYPE, "an object that is cut off", LARGE));
        List<Arguments> others = new ArrayList<>();
        for (byte type : new byte[] {Message.TEXT_TYPE, Message.MAP_TYPE, Message.STREAM_TYPE, Message.OBJECT_TYPE}) {
            for (int length : new int[] {5, LARGE}) {
                WAYS.keySet().stream()
                        .filter(name -> type != Message.OBJECT_TYPE || !name.equals("bytes")) // 1.7 GB, says its head
                        .forEach(name -> others.add(arguments(type, name, length)));
            }
        }
        return Tier.cases(8, Stream.concat(first, others.stream()).toArray(Arguments[]::new));
    }

    @ParameterizedTest(name = "type {0}, {1} of {2} characters")
    @MethodSource("letters")
    void bodyOfAnyEncoding_reachesTheApplicationAsWithoutSignet(byte type, String name, int length) throws Exception {
        String address = address("privacy");
        for (TestBroker each : List.of(plain(), broker)) {
            send(
                    each,
                    address,
                    type,
                    body -> Objects.requireNonNull(WAYS.get(name)).write(body, "h\u00e9".repeat(length / 2)));
            Awaitility.await().until(() -> each.messages(address) == 1);
        }

        Map<String, String> expected = seen(plain().factory(Client.CORE), address);
        Map<String, String> seen = seen(throwing(Client.CORE), address);

        assertThat(seen).isEqualTo(expected);
    }

    private static void send(TestBroker to, String address, byte type, Consumer<ActiveMQBuffer> body) throws Exception {
        try (ServerLocator locator = ActiveMQClient.createServerLocator(to.url());
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            ClientMessage message = session.createMessage(type, true);
            message.setRoutingType(RoutingType.ANYCAST); // for which the broker makes a queue
            body.accept(message.getBodyBuffer());
            session.createProducer(address).send(message);
        }
    }

    /** Returns the view of an application, which may be that the library cannot read the message. */
    private static Map<String, String> seen(ConnectionFactory factory, String address) {
        try (JMSContext context = factory.createContext()) {
            Map<String, String> seen =
                    Seen.of(context.createConsumer(context.createQueue(address)).receive(Taking.PATIENCE));
            seen.keySet()
                    .removeIf(fact -> fact.startsWith("property signet_") || fact.startsWith("property JMS_Signet"));
            return seen;
        } catch (RuntimeException unreadable) {
            return Seen.nothing();
        }
    }
}
