/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.opening.ClientPolicies.Connecting;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.file.PolicyFile;

/**
 * Consumes the policies that a broker publishes, in a thread of its own with a connection of its own. Connects again
 * after a failure. Of messages that arrive faster than they are taken, only the last one counts. Thread-safe.
 */
final class PolicyFetcher implements AutoCloseable {
    private static final long SHORTEST_WAIT = 500;
    private static final long LONGEST_WAIT = 30_000;

    /** The shortest time between two sets, in milliseconds. */
    private static final long PAUSE = 200;

    /** The time in which the first set arrives, in milliseconds. Else the queue is not yet that of the plugin. */
    private static final long FIRST = 2000;

    /** The time between two looks whether the broker closed the consumer, in milliseconds. */
    private static final long LOOK = 1000;

    /** The time after which it connects again, in milliseconds, so that it knows that the set is the newest. */
    private static final long LONGEST_CONNECTION = TimeUnit.MINUTES.toMillis(10);

    private final Consumer<byte[]> sets;
    private final Consumer<String> problems;
    private final Thread thread = new Thread(this::run, "signet-policies");
    private final CountDownLatch closed = new CountDownLatch(1);
    private long wait = SHORTEST_WAIT; // of the thread alone
    // guarded by this object
    private Connecting connecting;
    private boolean isConnecting;
    private boolean hasConnected;

    /** Begins. The fetching thread calls both consumers. */
    PolicyFetcher(Connecting connecting, Consumer<byte[]> sets, Consumer<String> problems) {
        this.connecting = connecting;
        this.sets = sets;
        this.problems = problems;
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes the credentials of another connection, unless those that it has are known to work. */
    synchronized void connected(Connecting other) {
        if (!hasConnected) {
            connecting = other;
        }
    }

    private void run() {
        while (!isClosed()) {
            try (Connection connection = connect()) {
                consume(connection);
            } catch (JMSSecurityException e) {
                wait = LONGEST_WAIT; // a server may lock a user after many attempts
                complain(e);
            } catch (JMSException
                    | RuntimeException
                    | Error e) { // a thread that ends would leave old policies in force
                complain(e);
            }
            pause(wait);
            wait = Math.min(2 * wait, LONGEST_WAIT);
        }
    }

    private Connection connect() throws JMSException {
        Connecting now;
        synchronized (this) {
            now = connecting;
            isConnecting = true;
        }
        try {
            return now.connect();
        } finally {
            synchronized (this) {
                isConnecting = false;
            }
        }
    }

    /** Takes sets until the connection is to be replaced. */
    private void consume(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        AtomicReference<@Nullable JMSException> broken = new AtomicReference<>();
        connection.setExceptionListener(broken::set);
        MessageConsumer consumer = session.createConsumer(session.createQueue(BrokerAddresses.POLICIES));
        connection.start();
        long end = after(FIRST);
        boolean came = false;
        while (!isClosed() && end - System.nanoTime() > 0) {
            Message newest = consumer.receive(LOOK);
            for (Message next = newest; next != null; next = consumer.receiveNoWait()) {
                newest = next;
            }
            JMSException lost = broken.get();
            if (lost != null) {
                throw lost;
            }
            if (newest == null) {
                MessageListener unused = consumer.getMessageListener(); // throws if the broker closed the consumer
                continue;
            }
            if (!(newest instanceof BytesMessage bytes) || bytes.getBodyLength() > PolicyFile.LONGEST) {
                problems.accept("refused: a message that is no bytes message of at most " + PolicyFile.LONGEST
                        + " bytes; Signet's plugin sends no such one");
                continue;
            }
            if (!came) {
                came = connected();
                end = after(LONGEST_CONNECTION);
                wait = SHORTEST_WAIT;
            }
            sets.accept(BodyDecoder.bytesOf(bytes));
            pause(PAUSE);
        }
        if (!came) {
            problems.accept("the broker published none on " + BrokerAddresses.POLICIES + ", the client asks again");
        }
    }

    private static long after(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private synchronized boolean connected() {
        hasConnected = true;
        return true;
    }

    private void pause(long millis) {
        try {
            boolean unused = closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            closed.countDown(); // only close() knows this thread
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void complain(Throwable e) {
        if (!isClosed()) {
            problems.accept("cannot be fetched from " + BrokerAddresses.POLICIES + ", the client tries again: "
                    + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    /** Ends the thread, which closes its connection. */
    @Override
    public synchronized void close() {
        closed.countDown();
        if (isConnecting) {
            thread.interrupt(); // it may wait for a broker that is away
        }
    }
}
