/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import jakarta.jms.JMSContext;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPLargeMessage;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.RawAmqp;
import org.signetmq.testkit.Tier;

/** Large messages that wait for their judgement. At any end, the broker gets their memory back and their files go. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BufferedBodiesIT {
    private static final int IN_MEMORY = 600_000;
    private static final int IN_A_FILE = 1_300_000;
    private static final PolicySet POLICIES = PolicySet.of(
            1,
            UnmatchedAddress.PASS,
            List.of(
                    EveryProtocolIT.policy("orders", QualityOfProtection.PRIVACY),
                    LargeBodies.sealedByClients(EveryProtocolIT.policy("rejecting", QualityOfProtection.PRIVACY))));

    private TestBroker broker;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(POLICIES);
        broker = setup.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    /** It is durable, so that its own file has another name than those in which messages wait. */
    private static byte[] message(int length) {
        Header header = new Header();
        header.setDurable(true);
        return AmqpSamples.encode(List.of(header, new AmqpValue(LargeBodies.text(length))));
    }

    /** The end of a message. */
    enum Ending {
        PASSED((broker, length) -> pass(broker, "open", length)),
        SEALED((broker, length) -> pass(broker, "orders", length)),
        REFUSED((broker, length) -> {
            try (RawAmqp client = new RawAmqp(broker.port)) {
                assertThat(client.send(client.sender("rejecting"), message(length)))
                        .isInstanceOf(Rejected.class);
            }
        }),
        /** The message names no address. The broker rejects it and does not ask the plugin. */
        WITHOUT_AN_ADDRESS((broker, length) -> {
            try (RawAmqp client = new RawAmqp(broker.port)) {
                assertThat(client.send(client.anonymousSender(), message(length)))
                        .isInstanceOf(Rejected.class);
            }
        }),
        BROKEN_CONNECTION((broker, length) -> {
            try (RawAmqp client = new RawAmqp(broker.port)) {
                client.begin(client.sender("orders"), Arrays.copyOf(message(length), length - 10_000));
                Awaitility.await().until(() -> LargeBodies.openMessages(broker) == 1);
                Awaitility.await()
                        .untilAsserted(() -> assertThat(
                                        LargeBodies.heldBytes(broker) > 0
                                                ? 0
                                                : broker.disk().scratchFiles())
                                .isEqualTo(length == IN_A_FILE ? 1 : 0));
            }
        }),
        COMMITTED((broker, length) -> {
            try (JMSContext context = inTransaction(broker, length);
                    RawAmqp client = new RawAmqp(broker.port)) {
                context.commit();
                assertThat(client.receive(client.receiver("orders"))).isNotEmpty();
            }
        }),
        ROLLED_BACK((broker, length) -> {
            try (JMSContext context = inTransaction(broker, length)) {
                context.rollback();
                assertIsGone(broker);
            }
        }),
        CLOSED_IN_A_TRANSACTION(
                (broker, length) -> inTransaction(broker, length).close());

        @FunctionalInterface
        private interface Reaching {
            void reach(TestBroker broker, int length) throws Exception;
        }

        @SuppressWarnings("ImmutableEnumChecker") // the endings have no state
        private final Reaching reaching;

        Ending(Reaching reaching) {
            this.reaching = reaching;
        }

        void reach(TestBroker broker, int length) throws Exception {
            reaching.reach(broker, length);
        }

        private static void pass(TestBroker broker, String address, int length) throws Exception {
            try (RawAmqp client = new RawAmqp(broker.port)) {
                assertThat(client.send(client.sender(address), message(length))).isInstanceOf(Accepted.class);
                assertThat(client.receive(client.receiver(address))).isNotEmpty();
            }
        }

        private static JMSContext inTransaction(TestBroker broker, int length) {
            JMSContext context = Producers.amqp(broker).createContext(JMSContext.SESSION_TRANSACTED);
            context.createProducer().send(context.createQueue("orders"), LargeBodies.text(length));
            return context;
        }
    }

    static Stream<Arguments> endings() {
        return Stream.of(Ending.values())
                .flatMap(ending -> Tier.cases(1, IN_A_FILE, IN_MEMORY).map(length -> Arguments.of(ending, length)));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void heldMessage_atItsEnd_givesBackItsMemory_andLeavesNoFile(Ending ending, int length) throws Exception {
        ending.reach(broker, length);

        assertIsGone(broker);
    }

    /**
     * As a session of AMQP leaves it that ends before the frames that have arrived are read: they begin a message that
     * nothing refers to.
     */
    @ParameterizedTest
    @ValueSource(ints = {IN_MEMORY, IN_A_FILE})
    void messageThatTheBrokerGaveUp_givesBackItsMemory_andLeavesNoFile(int length) throws Exception {
        beginWithoutEnd(length);

        assertThat(LargeBodies.openMessages(broker)).isEqualTo(1);
        assertIsGone(broker);
    }

    private void beginWithoutEnd(int length) throws Exception {
        StorageManager storage =
                BrokerField.of(broker.server(), StorageManager.class).get();
        AMQPLargeMessage message = new AMQPLargeMessage(storage.generateID(), 0, null, null, storage);
        storage.onLargeMessageCreate(message.getMessageID(), message);
        byte[] encoded = message(length);
        for (int sent = 0; sent < length - 10_000; sent += 50_000) {
            message.addBytes(Arrays.copyOfRange(encoded, sent, Math.min(sent + 50_000, length - 10_000)));
        }
    }

    @Test
    void copyOfABodyThatIsNotJudged_isSeen_inThisVersionOfTheBroker() throws Exception {
        assertThat(broker.state().largeMessages().reason()).isNull();
    }

    /** What the broker has given up goes with the next collection of garbage. */
    private static void assertIsGone(TestBroker broker) {
        Awaitility.await().ignoreExceptions().untilAsserted(() -> {
            System.gc();
            assertThat(LargeBodies.openMessages(broker)).isZero();
            assertThat(LargeBodies.heldBytes(broker)).isZero();
            assertThat(broker.disk().largeFiles()).isEmpty();
        });
    }

    /** Bodies beyond the budget of memory are in encrypted files. */
    @Test
    void manyClientsAtOnce_thatEndNothing_stayWithinTheBoundOfAll() throws Exception {
        long bound = Runtime.getRuntime().maxMemory() / 32;
        byte[] beginning = Arrays.copyOf(message(900_000), 800_000);
        int clients = 4;
        int each = (int) (bound / beginning.length / clients) + 3;
        AtomicBoolean exceeded = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        List<RawAmqp> connections = new CopyOnWriteArrayList<>();
        try {
            List<Future<?>> sending = IntStream.range(0, clients)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> {
                        RawAmqp client = new RawAmqp(broker.port);
                        connections.add(client);
                        for (int n = 0; n < each; n++) {
                            client.begin(client.sender("orders"), beginning);
                            if (LargeBodies.heldBytes(broker) > bound) {
                                exceeded.set(true);
                            }
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> sent : sending) {
                sent.get();
            }
            Awaitility.await().until(() -> LargeBodies.openMessages(broker) == clients * each);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(broker.disk().scratchFiles()).isPositive());
            assertThat(exceeded).isFalse();
            assertThat(LargeBodies.heldBytes(broker)).isPositive().isLessThanOrEqualTo(bound);
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        } finally {
            threads.shutdownNow();
            for (RawAmqp connection : connections) {
                connection.close();
            }
        }
        assertIsGone(broker);
    }

    /** They have no session when they begin. Any client of AMQP may send them, so their connection counts. */
    @Test
    void messagesOfCoreWithinAmqp_thatEndNever_stayWithinTheBoundOfTheirConnection() throws Exception {
        CoreMessage message = new CoreMessage(1, 100);
        message.setAddress("orders").setDurable(true);
        ByteBuf head = Unpooled.buffer(message.getHeadersAndPropertiesEncodeSize());
        message.encodeHeadersAndProperties(head);
        byte[] body = LargeBodies.text(900_000).getBytes(StandardCharsets.US_ASCII);
        long bound = Runtime.getRuntime().maxMemory() / 64;
        int messages = (int) (bound / body.length) + 5;
        try (RawAmqp client = new RawAmqp(broker.port)) {
            for (int i = 0; i < messages; i++) {
                client.beginTunnelled("orders", ByteBufUtil.getBytes(head), body);
            }
            Awaitility.await().until(() -> LargeBodies.openMessages(broker) == messages);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(broker.disk().scratchFiles()).isPositive());
            assertThat(LargeBodies.heldBytes(broker)).isPositive().isLessThanOrEqualTo(bound);
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        }
        assertIsGone(broker);
    }

    @Tag(Tier.LONG)
    @Test
    void fileOfAHeldMessage_afterTheBrokerWasKilled_isUnreadable_andGoesAtTheNextStart(@TempDir Path folder)
            throws Exception {
        new TestHomes(folder).policies(POLICIES);
        DiskScan disk = new DiskScan(folder.resolve("data"));
        try (BrokerProcess killed = BrokerProcess.start(folder);
                RawAmqp client = new RawAmqp(URI.create(killed.uri()).getPort())) {
            client.begin(client.sender("orders"), Arrays.copyOf(message(IN_A_FILE), IN_A_FILE - 10_000));
            Awaitility.await().ignoreExceptions().until(() -> disk.scratchFiles() == 1);
            killed.kill();
        }
        assertThat(disk.scratchFiles()).isEqualTo(1);
        assertThat(disk.filesWith(LargeBodies.MARK)).isEmpty();

        try (TestBroker again = new TestBroker.Setup(TestHomes.existing(folder), folder.resolve("data")).start()) {
            again.awaitNoLargeFiles();
        }
    }
}
