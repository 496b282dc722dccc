/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.Opener;
import org.signetmq.policy.QualityOfProtection;

/**
 * Large Core messages in a broker process with little memory. {@code -Dsignet.large.megabytes=64} makes each of them so
 * long.
 */
final class LargeMemoryIT {
    /** A broker needs about 40 of these megabytes for itself, and may take 4 for each stream. */
    private static final String HEAP = "-Xmx72m";

    private static final int STREAMS = 8;
    private static final long LENGTH = Long.getLong("signet.large.megabytes", 16L) << 20;

    @TempDir
    private Path folder;

    /** The broker's process: says its port, and ends with its input. */
    static final class Broker {
        private Broker() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            try (TestBroker broker = new TestBroker.Setup(TestHomes.existing(folder), folder.resolve("data")).start()) {
                System.out.println("port " + broker.port);
                while (System.in.read() >= 0) {
                    // until the test ends
                }
            }
        }
    }

    /** So many bytes, which differ from place to place. */
    private static final class Counting extends InputStream {
        private long position;

        @Override
        public int read() {
            return position == LENGTH ? -1 : value(position++) & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int count = (int) Math.min(length, LENGTH - position);
            for (int i = 0; i < count; i++) {
                into[offset + i] = value(position++);
            }
            return count == 0 && length > 0 ? -1 : count;
        }

        private static byte value(long position) {
            return (byte) (position ^ (position >>> 8) ^ (position >>> 20));
        }
    }

    @Test
    void manyStreamsAtOnce_fitIntoLittleMemory() throws Exception {
        TestHomes homes = new TestHomes(folder);
        homes.policies(LargeBodies.policies(QualityOfProtection.CONFIDENTIALITY));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Broker.class.getName(),
                        folder.toString())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try (OutputStream untilClosed = process.getOutputStream();
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                ServerLocator locator = ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + port(said))) {
            send(locator);

            assertThat(process.isAlive())
                    .as(Files.readString(folder.resolve("errors")))
                    .isTrue();
            receive(locator, homes);
            untilClosed.flush();
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private String port(BufferedReader said) throws Exception {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("port ")) {
                return line.substring("port ".length());
            }
        }
        throw new AssertionError("the broker does not start: " + Files.readString(folder.resolve("errors")));
    }

    private static void send(ServerLocator locator) throws Exception {
        try (ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            session.createQueue(QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST));
        }
        ExecutorService producers = Executors.newFixedThreadPool(STREAMS);
        try {
            List<Future<?>> sends = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                sends.add(producers.submit(() -> sendOne(locator)));
            }
            for (Future<?> sent : sends) {
                sent.get();
            }
        } finally {
            producers.shutdownNow();
        }
    }

    private static Void sendOne(ServerLocator locator) throws Exception {
        try (ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            ClientMessage message =
                    session.createMessage(org.apache.activemq.artemis.api.core.Message.BYTES_TYPE, true);
            message.setBodyInputStream(new Counting());
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
                ClientMessage message = consumer.receive(30_000);
                try (OutputStream out = Files.newOutputStream(file)) {
                    message.saveToOutputStream(out);
                }
                message.individualAcknowledge();
                try (InputStream in = Files.newInputStream(file)) {
                    assertThat(opener.openSegments(in, "orders").payload()).hasSameContentAs(new Counting());
                }
            }
        }
    }
}
