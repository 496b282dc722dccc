/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.core.config.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;

/**
 * Ways of messages onto queues, all on one broker, each on its own addresses. The broker seals those below
 * {@code safe}, rejects clear ones below {@code rejecting}, and lets others pass. After each test the broker's disk is
 * searched.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WayIn {
    private static final long PATIENCE = 10_000;
    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    TestBroker broker;
    TestBroker.Setup setup;
    private Opener opener;
    private long sealedBefore;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        setup = new TestBroker.Setup(folder).with(this::configure);
        List<String> consumer = List.of(TestHomes.CONSUMER);
        PolicySet policies = setup.homes()
                .policies(
                        1,
                        Policy.privacy("safe.#", consumer),
                        Policy.privacy("rejecting.#", consumer)
                                .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT)));
        opener = setup.homes().opener(policies);
        prepare(folder);
        broker = setup.start();
    }

    /** An action before the broker starts. */
    void prepare(Path folder) throws Exception {}

    /** The further settings of the broker. */
    void configure(Configuration configuration) throws Exception {}

    @BeforeEach
    void count() {
        sealedBefore = broker.sealed();
    }

    @AfterEach
    void assertNothingInClear() throws Exception {
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }

    @AfterAll
    void stop() {
        broker.close();
        opener.close();
    }

    /** Ends the broker and starts it again on the same data. */
    void restart() throws Exception {
        broker.close();
        broker = setup.plugin(new SignetPlugin()).start();
        sealedBefore = 0;
    }

    /** How many messages were sealed in this test. */
    long sealed() {
        return broker.sealed() - sealedBefore;
    }

    /** A new protected address with a queue of its name. */
    String safeQueue() throws Exception {
        return queue(safeAddress());
    }

    /** A new protected address. */
    static String safeAddress() {
        return "safe.a" + ADDRESSES.incrementAndGet();
    }

    /** A new address without protection, with a queue. */
    String openQueue() throws Exception {
        return queue("open.a" + ADDRESSES.incrementAndGet());
    }

    /** A queue that several tests use. */
    void queueOnce(String name) throws Exception {
        if (broker.server().locateQueue(name) == null) {
            queue(name);
        }
    }

    private String queue(String name) throws Exception {
        broker.createQueue(name);
        return name;
    }

    long waiting(String queue) {
        return broker.waiting(queue);
    }

    /** An outcome at a client or at another broker shows in the count of a queue a moment later. */
    void awaitWaiting(String queue, long messages) {
        Awaitility.await().until(() -> waiting(queue) == messages);
    }

    /** Takes the next message as it is stored. */
    Message take(String queue) {
        return take(broker, queue);
    }

    static Message take(TestBroker from, String queue) {
        try {
            return take(from, queue, message -> message);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    /** An action with a message while its consumer is there: until then a large one is not complete. */
    @FunctionalInterface
    interface Reading<T> {
        T of(Message message) throws JMSException;
    }

    static <T> T take(TestBroker from, String queue, Reading<T> reading) throws JMSException {
        try (JMSContext context = Producers.core(from).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            Message message = consumer.receive(PATIENCE);
            if (message == null) {
                throw new AssertionError("nothing on " + queue);
            }
            return reading.of(message);
        }
    }

    /** Takes the next message, which is a large one, and returns its content before sealing. */
    String openLarge(TestBroker from, String queue) throws Exception {
        try (JMSContext context = Producers.core(from).createContext()) {
            context.setAutoStart(false);
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue)); // federation brings it for this
            Awaitility.await().atMost(PATIENCE, TimeUnit.MILLISECONDS).until(() -> from.waiting(queue) > 0);
            assertThat(from.disk().largeFiles()).isNotEmpty();
            assertThat(from.disk().filesWith(Letter.MARK)).isEmpty(); // when it is taken, its file goes
            context.start();
            return open(body(consumer.receive(PATIENCE)), queue);
        }
    }

    /** The content of a message that was sealed for this address: if it was sealed twice, that is no text. */
    String open(Message stored, String address) throws JMSException {
        return open(body(stored), address);
    }

    String open(byte[] stored, String address) {
        OpenedMessage opened = opener.open(stored, address);
        assertThat(opened.entityIfProtected()).isPresent();
        return new String(opened.payload(), StandardCharsets.UTF_8);
    }

    /** The next message was sealed for the address of its queue, and no other was sealed in this test. */
    void assertSealedOnce(String queue, String text) throws JMSException {
        assertSealedOnce(queue, queue, text);
    }

    void assertSealedOnce(String queue, String address, String text) throws JMSException {
        assertThat(open(take(queue), address)).isEqualTo(text);
        assertThat(sealed()).isEqualTo(1);
    }

    static byte[] body(Message stored) throws JMSException {
        assertThat(stored).isInstanceOf(BytesMessage.class);
        return stored.getBody(byte[].class);
    }
}
