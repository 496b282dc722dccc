/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.RecordingLogs;

/**
 * One broker for the classes of a process, and one set of keys for the tests of a class. Every test has own addresses.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BrokerTest {
    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    /** Runs until the process ends. */
    private static @Nullable TestBroker shared;

    public TestBroker broker;
    public Keys keys;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        keys = new Keys(folder);
        broker = started();
    }

    private static synchronized TestBroker started() throws Exception {
        if (shared == null) {
            shared = new TestBroker();
        }
        return shared;
    }

    @BeforeEach
    void clearDeadLetters() throws Exception {
        RecordingLogs.forget();
        broker.clearDeadLetters();
    }

    @AfterAll
    void stop() {
        keys.close();
    }

    /** An address of this quality that no other test uses. */
    String address(String quality) {
        return quality + ".a" + ADDRESSES.incrementAndGet();
    }

    /** Puts bodies on a queue as they are. */
    void send(String address, byte[]... bodies) throws Exception {
        try (Producer producer = new Producer(broker.core())) {
            producer.send(address, bodies);
        }
    }

    void awaitMessages(String queue, long count) {
        Awaitility.await().until(() -> broker.messages(queue) == count);
    }

    /** Takes a message off a queue; null if there is none for a while. */
    static Message take(JMSContext context, String queue) {
        return context.createConsumer(context.createQueue(queue)).receive(Taking.PATIENCE);
    }

    static Message take(Session session, String queue) throws JMSException {
        return session.createConsumer(session.createQueue(queue)).receive(Taking.PATIENCE);
    }

    static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    SignetConnectionFactory signet(TestBroker.Client client) {
        return SignetConnectionFactory.wrap(broker.factory(client), keys.opener());
    }

    /** For tests that want the reason of each failure. */
    SignetConnectionFactory throwing(TestBroker.Client client) {
        return signet(client).withOpenFailuresThrown();
    }
}
