/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.client.impl.ClientSessionImpl;
import org.apache.activemq.artemis.utils.UUIDGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.Opener;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** Clients that begin large messages and end none, or that send bodies that grow, at a broker process. */
final class StalledStreamsIT {
    private static final PolicySet POLICIES = LargeBodies.policies(QualityOfProtection.PRIVACY);
    private static final int CHUNK = 100_000;

    @TempDir
    private Path folder;

    /** The body of a stream, as Core clients send it. */
    enum Kind {
        BYTES(Message.BYTES_TYPE),
        TEXT(Message.TEXT_TYPE) {
            @Override
            byte[] body(byte[] filler) {
                filler[0] = 1; // no null
                return filler;
            }
        },
        COMPRESSED(Message.BYTES_TYPE) {
            @Override
            byte[] body(byte[] filler) throws Exception {
                return Producers.deflated(filler);
            }
        },
        /** The first bytes of a long envelope. */
        SEALED(Message.BYTES_TYPE) {
            @Override
            byte[] body(byte[] filler) {
                byte[] head = {0x30, (byte) 0x83, 0x10, 0, 0, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7};
                System.arraycopy(head, 0, filler, 0, head.length);
                System.arraycopy(new byte[] {0xd, 1, 7, 2}, 0, filler, head.length, 4);
                return filler;
            }
        },
        CARRIER(Message.EMBEDDED_TYPE);

        private final byte type;

        Kind(byte type) {
            this.type = type;
        }

        byte[] body(byte[] filler) throws Exception {
            return filler;
        }
    }

    /** Streams that do not end, on some connections. */
    private static final class Stalled implements AutoCloseable {
        private final ServerLocator locator;
        private final List<ClientSessionFactory> connections = new ArrayList<>();
        private final int most;
        private int begun;

        Stalled(BrokerProcess broker, int connections) throws Exception {
            locator = ActiveMQClient.createServerLocator(broker.uri()).setCallTimeout(120_000);
            most = connections;
        }

        void begin(Kind kind, byte[] body) throws Exception {
            if (connections.size() < most) {
                connections.add(locator.createSessionFactory());
            }
            ClientSessionImpl session =
                    (ClientSessionImpl) connections.get(begun++ % most).createSession();
            ClientMessage message = session.createMessage(kind.type, true);
            message.setUserID(UUIDGenerator.getInstance().generateUUID()); // as clients of JMS do
            message.setAddress("orders");
            if (kind == Kind.COMPRESSED) {
                message.putBooleanProperty(Message.HDR_LARGE_COMPRESSED, true);
            }
            var context = session.getSessionContext();
            int unused = context.sendInitialChunkOnLargeMessage(message);
            for (int i = 0; i < body.length; i += CHUNK) {
                byte[] chunk = Arrays.copyOfRange(body, i, Math.min(body.length, i + CHUNK));
                unused = context.sendLargeMessageChunk(message, -1, false, false, chunk, -1, 0, null);
            }
            var ordered = session.addressQuery(message.getAddressSimpleString()); // after all parts
            assertThat(ordered).isNotNull();
        }

        @Override
        public void close() {
            connections.forEach(ClientSessionFactory::close);
            locator.close();
        }
    }

    /** An honest client. */
    private static final class Bystander implements AutoCloseable {
        private final ServerLocator locator;
        private final ClientSessionFactory factory;
        private final ClientSession session;

        Bystander(BrokerProcess broker) throws Exception {
            locator = ActiveMQClient.createServerLocator(broker.uri()).setCallTimeout(120_000);
            factory = locator.createSessionFactory();
            session = factory.createSession();
        }

        void createQueues() throws ActiveMQException {
            for (String queue : List.of("orders", "other")) {
                session.createQueue(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
            }
        }

        /** Sends short durable messages, and returns their number for a second. */
        double rate(String address, int count) throws ActiveMQException {
            try (ClientProducer producer = session.createProducer(address)) {
                long start = System.nanoTime();
                for (int i = 0; i < count; i++) {
                    ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
                    message.getBodyBuffer().writeBytes(new byte[1000]);
                    producer.send(message);
                }
                return count * 1e9 / (System.nanoTime() - start);
            }
        }

        void sendLarge(byte[] body) throws ActiveMQException {
            try (ClientProducer producer = session.createProducer("orders")) {
                ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
                message.setBodyInputStream(new ByteArrayInputStream(body));
                producer.send(message);
            }
        }

        long messages(String queue) throws ActiveMQException {
            return session.queueQuery(org.apache.activemq.artemis.api.core.SimpleString.of(queue))
                    .getMessageCount();
        }

        @Override
        public void close() {
            factory.close();
            locator.close();
        }
    }

    private static void assertAllIsGivenBack(BrokerProcess broker) throws Exception {
        Awaitility.await().untilAsserted(() -> assertThat(broker.unfinished()).isEqualTo("0 0"));
        broker.assertAlive();
    }

    private static final int STALLED = Tier.isLong() ? 100 : 50;

    /** The heap has room for a fifth of what the streams sent. The process ends with the first OutOfMemoryError. */
    @Tag(Tier.LONG)
    @Test
    void stalledStreams_leaveMemoryToOthers_andLargeMessagesOfTheSameUserPass() throws Exception {
        new TestHomes(folder).policies(POLICIES);
        TestHomes homes = TestHomes.existing(folder);
        byte[] body = LargeBodies.text(3_000_000).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try (BrokerProcess broker = BrokerProcess.start(folder, "-Xmx128m");
                Bystander bystander = new Bystander(broker)) {
            bystander.createQueues();
            try (Stalled stalled = new Stalled(broker, 5)) {
                for (int i = 0; i < STALLED; i++) {
                    Kind kind = Kind.values()[i % Kind.values().length];
                    stalled.begin(kind, kind.body(new byte[1_200_000]));
                }
                broker.assertAlive();
                assertThat(broker.unfinished()).startsWith(STALLED + " ");

                assertThat(bystander.rate("other", 100)).isPositive();
                sendAtOnce(broker, body, 8);
                assertThat(bystander.messages("other")).isEqualTo(100);
                assertThat(bystander.messages("orders")).isEqualTo(8);
            }
            assertAllIsGivenBack(broker);
            assertLargeOnesAre(body, bystander, homes);
        }
    }

    private static void sendAtOnce(BrokerProcess broker, byte[] body, int clients) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<?>> sending = IntStream.range(0, clients)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        try (Bystander sender = new Bystander(broker)) {
                            sender.sendLarge(body);
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> sent : sending) {
                sent.get(3, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertLargeOnesAre(byte[] body, Bystander bystander, TestHomes homes) throws Exception {
        try (Opener opener = homes.opener(POLICIES)) {
            bystander.session.start();
            var consumer = bystander.session.createConsumer("orders");
            for (int i = 0; i < 8; i++) {
                ClientMessage message = consumer.receive(60_000);
                ByteArrayOutputStream sealed = new ByteArrayOutputStream();
                message.saveToOutputStream(sealed);
                assertThat(opener.openSegments(new ByteArrayInputStream(sealed.toByteArray()), "orders")
                                .payload())
                        .hasBinaryContent(body);
                message.acknowledge();
            }
        }
    }

    @Tag(Tier.LONG)
    @Test
    void thousandStalledStreams_doNotSlowABystander() throws Exception {
        new TestHomes(folder).policies(POLICIES);
        try (BrokerProcess broker = BrokerProcess.start(folder, "-Xmx768m");
                Bystander bystander = new Bystander(broker)) {
            bystander.createQueues();
            int count = 3000;
            for (int i = 0; i < 3; i++) { // the compiler is ready then
                assertThat(bystander.rate("other", count) + bystander.rate("orders", count))
                        .isPositive();
            }
            double other = bystander.rate("other", count);
            double same = bystander.rate("orders", count);
            try (Stalled stalled = new Stalled(broker, 20)) {
                byte[] body = new byte[1_100_000];
                for (int i = 0; i < 1000; i++) {
                    stalled.begin(Kind.BYTES, body);
                }
                System.out.printf(
                        "StalledStreamsIT: with 1000 stalled streams (messages, bytes: %s) a bystander has %.2f of its"
                                + " rate at another address, %.2f at theirs; %d bytes live%n",
                        broker.unfinished(),
                        bystander.rate("other", count) / other,
                        bystander.rate("orders", count) / same,
                        broker.liveBytes());
                broker.assertAlive();
                assertThat(bystander.messages("other")).isEqualTo(5L * count);
                assertThat(bystander.messages("orders")).isEqualTo(5L * count);
            }
            assertAllIsGivenBack(broker);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void tenCarriersOfSixtyFourMegabytes_waitInFiles() throws Exception {
        new TestHomes(folder).policies(POLICIES);
        try (BrokerProcess broker = BrokerProcess.start(folder, "-Xmx256m");
                Bystander bystander = new Bystander(broker)) {
            bystander.createQueues();
            long before = broker.liveBytes();
            try (Stalled stalled = new Stalled(broker, 2)) {
                byte[] body = new byte[64_000_000];
                for (int i = 0; i < 10; i++) {
                    stalled.begin(Kind.CARRIER, body);
                }
                long more = broker.liveBytes() - before;
                System.out.println("StalledStreamsIT: ten carriers of 64 MB take " + more + " bytes");
                assertThat(more).isLessThan(32 << 20);
                assertThat(bystander.rate("orders", 100)).isPositive();
            }
            assertAllIsGivenBack(broker);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void fortyBodiesThatInflateAtOnce_areSealedOrRejected_inTheMemoryOfOne() throws Exception {
        new TestHomes(folder).policies(POLICIES);
        byte[] bomb = Producers.deflated(new byte[63 << 20]);
        try (BrokerProcess broker = BrokerProcess.start(folder, "-Xmx768m");
                Bystander bystander = new Bystander(broker)) {
            bystander.createQueues();
            int sealed = inflateAtOnce(broker, bomb, 40);

            System.out.println("StalledStreamsIT: " + sealed + " of 40 bodies of 63 MiB sealed, the others rejected");
            broker.assertAlive();
            assertThat(sealed).isPositive();
            assertThat(bystander.messages("orders")).isEqualTo(sealed);
            assertThat(bystander.rate("other", 100)).isPositive();
            assertAllIsGivenBack(broker);
            assertThat(inflateAtOnce(broker, Producers.deflated(new byte[2 << 20]), 40))
                    .isEqualTo(40);
        }
    }

    private static int inflateAtOnce(BrokerProcess broker, byte[] deflated, int clients) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<Boolean>> sending = IntStream.range(0, clients)
                    .mapToObj(i -> threads.submit(() -> isSent(broker, deflated)))
                    .toList();
            int sent = 0;
            for (Future<Boolean> each : sending) {
                sent += each.get(5, TimeUnit.MINUTES) ? 1 : 0;
            }
            return sent;
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean isSent(BrokerProcess broker, byte[] deflated) throws Exception {
        try (Bystander client = new Bystander(broker);
                ClientProducer producer = client.session.createProducer("orders")) {
            ClientMessage message = client.session.createMessage(Message.BYTES_TYPE, true);
            message.putBooleanProperty(Message.HDR_LARGE_COMPRESSED, true);
            message.getBodyBuffer().writeBytes(deflated);
            producer.send(message);
            return true;
        } catch (ActiveMQException rejected) {
            assertThat(rejected).hasMessageContaining("too many long messages");
            return false;
        }
    }
}
