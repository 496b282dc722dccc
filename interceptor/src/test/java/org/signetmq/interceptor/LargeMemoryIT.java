/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.Opener;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/**
 * Large Core messages in a broker process with little memory. {@code -Dsignet.large.megabytes=64} makes each of them so
 * long.
 */
@Tag(Tier.LONG)
final class LargeMemoryIT {
    /** A broker needs about 40 of these megabytes for itself, and may take 4 for each stream. */
    private static final String HEAP = "-Xmx72m";

    private static final int STREAMS = 8;
    private static final long LENGTH = Long.getLong("signet.large.megabytes", 16L) << 20;

    private static final long STREAM = Math.max(LENGTH, 192L << 20);
    private static final long WARM_UP = 32L << 20;
    private static final long MOST = 4 << 20;

    @TempDir
    private Path folder;

    @Test
    void manyStreamsAtOnce_fitIntoLittleMemory() throws Exception {
        TestHomes homes = new TestHomes(folder);
        homes.policies(LargeBodies.policies(QualityOfProtection.CONFIDENTIALITY));
        try (BrokerProcess broker = BrokerProcess.start(folder, HEAP);
                ServerLocator locator = ActiveMQClient.createServerLocator(broker.uri())) {
            send(locator);

            broker.assertAlive();
            receive(locator, homes);
        }
    }

    /** Returns all memory that the broker uses beyond the start, for any purpose. Privacy signs and encrypts. */
    @Test
    void oneStream_takesFourMebibytesAtMost() throws Exception {
        new TestHomes(folder).policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        try (BrokerProcess broker = BrokerProcess.start(folder, "-Xmx256m");
                ServerLocator locator = ActiveMQClient.createServerLocator(broker.uri())) {
            createQueue(locator);
            sendOne(locator, new CountingBytes(WARM_UP)); // classes, and memory that a broker keeps once it has it
            long before = settled(broker);
            Measuring measured = new Measuring(broker);

            sendOne(locator, measured);

            List<Long> more = measured.live.stream().map(live -> live - before).toList();
            System.out.println(
                    "LargeMemoryIT: " + before + " bytes before a stream of " + STREAM + ", then more by " + more);
            assertThat(more).hasSizeGreaterThan(20).allMatch(bytes -> bytes <= MOST);
        }
    }

    /** Decoded and made a Core message it would take several times its length. */
    @ParameterizedTest
    @EnumSource(JmsText.class)
    void bodyFarBeyondTheLimit_isRejectedBeforeItIsDecoded(JmsText text) throws Exception {
        new TestHomes(folder).policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        String body = text.make(30_000_000);
        try (BrokerProcess broker =
                BrokerProcess.start(folder, "-Xmx160m", "-D" + BrokerProcess.MOST_BYTES + "=1MiB")) {
            JmsConnectionFactory amqp = new JmsConnectionFactory(broker.uri().replace("tcp:", "amqp:"));

            assertThatThrownBy(() -> Producers.jms(amqp, "orders", session -> session.createTextMessage(body)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("max-message-size");

            broker.assertAlive();
            Producers.jms(amqp, "orders", session -> session.createTextMessage("the next one"));
        }
    }

    /** A string of Java takes one byte for a character, or two. */
    enum JmsText {
        ASCII("x"),
        GREEK("\u03b1");

        private final String character;

        JmsText(String character) {
            this.character = character;
        }

        String make(int bytes) {
            return character.repeat(bytes / character.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    /** Some objects go only with the second collection after their last use. */
    private static long settled(BrokerProcess broker) throws IOException {
        long least = broker.liveBytes();
        for (int i = 0; i < 5; i++) {
            least = Math.min(least, broker.liveBytes());
        }
        return least;
    }

    /** A stream that asks now and then, at another place of a segment each time, how much memory is in use. */
    private static final class Measuring extends CountingBytes {
        private static final long STEP = STREAM / 24 + (1 << 17);

        private final BrokerProcess broker;
        private final List<Long> live = new ArrayList<>();

        Measuring(BrokerProcess broker) {
            super(STREAM);
            this.broker = broker;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (position() / STEP > live.size()) {
                live.add(broker.liveBytes());
            }
            return super.read(into, offset, length);
        }
    }

    private static void send(ServerLocator locator) throws Exception {
        createQueue(locator);
        ExecutorService producers = Executors.newFixedThreadPool(STREAMS);
        try {
            List<Future<?>> sends = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                sends.add(producers.submit(() -> sendOne(locator, new CountingBytes(LENGTH))));
            }
            for (Future<?> sent : sends) {
                sent.get();
            }
        } finally {
            producers.shutdownNow();
        }
    }

    private static void createQueue(ServerLocator locator) throws Exception {
        try (ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            session.createQueue(QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST));
        }
    }

    private static Void sendOne(ServerLocator locator, InputStream body) throws Exception {
        try (ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            ClientMessage message =
                    session.createMessage(org.apache.activemq.artemis.api.core.Message.BYTES_TYPE, true);
            message.setBodyInputStream(body);
            session.createProducer("orders").send(message);
            return null;
        }
    }

    private void receive(ServerLocator locator, TestHomes homes) throws Exception {
        try (ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession();
                Opener opener = homes.opener(LargeBodies.policies(QualityOfProtection.CONFIDENTIALITY))) {
            session.start();
            var consumer = session.createConsumer("orders");
            Path file = folder.resolve("received");
            for (int i = 0; i < STREAMS; i++) {
                ClientMessage message = consumer.receive(180_000);
                try (OutputStream out = Files.newOutputStream(file)) {
                    message.saveToOutputStream(out);
                }
                message.individualAcknowledge();
                try (InputStream in = Files.newInputStream(file)) {
                    assertThat(opener.openSegments(in, "orders").payload()).hasSameContentAs(new CountingBytes(LENGTH));
                }
            }
        }
    }
}
