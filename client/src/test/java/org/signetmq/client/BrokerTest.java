/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
    void start(@TempDir Path folder, @TempDir Path data) throws Exception {
        keys = new Keys(folder).forABroker();
        broker = started(data);
    }

    /** Returns the broker of the class. */
    TestBroker started(Path data) throws Exception {
        synchronized (BrokerTest.class) {
            if (shared == null) {
                shared = new TestBroker(null, null);
            }
            return shared;
        }
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

    static void assertFails(ThrowingCallable call, Class<? extends Exception> exception, OpenFailure expected) {
        assertThatThrownBy(call).isInstanceOf(exception).satisfies(e -> assertNames(e, expected));
    }

    static void assertNames(Throwable e, OpenFailure expected) {
        if (e instanceof MessageOpenRuntimeException failure) {
            assertThat(failure.failure()).isEqualTo(expected);
            assertThat(failure.getErrorCode()).isEqualTo(expected.name());
        } else {
            assertThat(e).isInstanceOf(MessageOpenException.class);
            assertThat(((MessageOpenException) e).failure()).isEqualTo(expected);
            assertThat(((MessageOpenException) e).getErrorCode()).isEqualTo(expected.name());
        }
        assertThat(e).hasMessageNotContaining("a secret");
    }

    /** A listener that may throw. */
    interface Checked {
        void onMessage(Message message) throws JMSException;
    }

    static MessageListener checked(Checked listener) {
        return message -> {
            try {
                listener.onMessage(message);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        };
    }
}
