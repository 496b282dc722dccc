/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/**
 * A message that is larger than the memory of its consumer, which is a process of its own.
 * {@code -Dsignet.large.megabytes=512} makes it so long.
 */
@Tag(Tier.LONG)
final class LargeMessageMemoryIT extends BrokerTest {
    private static final String CONSUME = "consume";
    private static final String BROWSE = "browse";
    private static final String AGAIN = "again";
    private static final String HEAP = "-Xmx40m";
    private static final long LENGTH = Long.getLong("signet.large.megabytes", 56L) << 20;

    /** The consumer: prints the number of bytes that it read, and their sum. */
    static final class Consumer {
        private Consumer() {}

        public static void main(String[] arguments) throws Exception {
            Home home = new Home(Path.of(arguments[1]));
            try (Password password = Keys.password();
                    Opener opener = Opener.create(
                            new Opener.Keys(
                                    List.of(home.identityStore().load("alice", password)),
                                    home.recipientDirectory(),
                                    home.certificateTrust()),
                            () -> PolicySet.of(1, UnmatchedAddress.PASS, List.of()));
                    var connection = SignetConnectionFactory.wrap(new ActiveMQConnectionFactory(arguments[0]), opener)
                            .createConnection()) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                connection.start();
                Queue queue = session.createQueue(arguments[2]);
                BytesMessage message = (BytesMessage)
                        (arguments[3].equals(BROWSE)
                                ? session.createBrowser(queue).getEnumeration().nextElement()
                                : session.createConsumer(queue).receive(Taking.PATIENCE));
                if (arguments[3].equals(AGAIN)) {
                    message.readInt();
                    message.getBodyLength();
                    message.reset();
                }
                byte[] block = new byte[64 << 10];
                long length = 0;
                long sum = 0;
                for (int count = message.readBytes(block); count >= 0; count = message.readBytes(block)) {
                    for (int i = 0; i < count; i++) {
                        sum = 31 * sum + block[i];
                    }
                    length += count;
                }
                System.out.println(length + " " + sum);
            }
        }
    }

    /** The producer: seals a stream while the client library sends it. */
    static final class SealingProducer {
        private SealingProducer() {}

        public static void main(String[] arguments) throws Exception {
            try (Password password = Keys.password();
                    var factory = SignetConnectionFactory.open(
                            new ActiveMQConnectionFactory(arguments[0]), Path.of(arguments[1]), "bob", password);
                    var context = factory.createContext()) {
                BytesMessage message = context.createBytesMessage();
                message.setObjectProperty("JMS_AMQ_InputStream", new InputStream() {
                    private long position;

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        int count = 0;
                        for (int next = read(); next >= 0; next = count < length ? read() : -1) {
                            into[offset + count++] = (byte) next;
                        }
                        return count == 0 ? -1 : count;
                    }

                    @Override
                    public int read() {
                        return position == LENGTH ? -1 : (int) ((position++ * 31) >>> 7) & 0xff;
                    }
                });
                context.createProducer().send(context.createQueue(arguments[2]), message);
            }
        }
    }

    @Test
    void streamLargerThanTheHeap_isSealedAndSentWhole() throws Exception {
        String address = address("client.confidential");
        long sum = 0;
        for (long position = 0; position < LENGTH; position++) {
            sum = 31 * sum + (byte) ((position * 31) >>> 7);
        }

        assertThat(run(SealingProducer.class, address, "")).isEmpty();

        assertThat(run(Consumer.class, address, CONSUME)).isEqualTo(LENGTH + " " + sum);
    }

    /** Runs a process, and returns the last line that it printed. */
    private String run(Class<?> main, String address, String way) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        broker.url(),
                        keys.folder.toString(),
                        address,
                        way)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said.lines().reduce("", (before, line) -> line);
    }

    @ParameterizedTest
    @ValueSource(strings = {CONSUME, BROWSE, AGAIN})
    void messageLargerThanTheHeap_isReadWhole(String way) throws Exception {
        String address = address("confidential");
        String expected = send(address);

        assertThat(run(Consumer.class, address, way)).isEqualTo(expected);
        assertThat(broker.messages(address)).isEqualTo(way.equals(BROWSE) ? 1 : 0);
    }

    /** Sends the bytes as it makes them, and returns the line that the consumer should print. */
    private String send(String address) throws Exception {
        ClearMessage head = new ClearMessage(
                address,
                new ClearMessage.Body(BodyKind.JMS_BYTES, "application/octet-stream"),
                new byte[0],
                null,
                java.util.Map.of());
        long[] sum = new long[1];
        PipedOutputStream sealed = new PipedOutputStream();
        InputStream arriving = new PipedInputStream(sealed, 1 << 20);
        Thread sealing = new Thread(() -> {
            try (sealed;
                    SegmentSealer segments = keys.segments(head, sealed::write)) {
                byte[] block = new byte[1 << 20];
                for (long done = 0; done < LENGTH; done += block.length) {
                    for (int i = 0; i < block.length; i++) {
                        block[i] = (byte) (done + i ^ (done >>> 20));
                        sum[0] = 31 * sum[0] + block[i];
                    }
                    segments.add(block, 0, block.length);
                }
                segments.finish();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        sealing.start();
        try (var context = broker.core().createContext()) {
            BytesMessage message = context.createBytesMessage();
            message.setObjectProperty("JMS_AMQ_InputStream", arriving);
            context.createProducer().send(context.createQueue(address), message);
        }
        sealing.join();
        return LENGTH + " " + sum[0];
    }
}
