/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Takes messages in one of the ways of the API. */
public abstract class Taking implements AutoCloseable {
    public static final long PATIENCE = 4_000;
    final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

    /** The next message; null if there is none for a while. */
    abstract @Nullable Message next() throws Exception;

    /** The next message. */
    public final Message take() throws Exception {
        Message message = next();
        if (message == null) {
            throw new AssertionError("no message");
        }
        return message;
    }

    /** The application is done with the message. */
    abstract void done(Message message) throws Exception;

    abstract boolean transacted() throws JMSException;

    abstract void commit() throws JMSException;

    /** The application goes on although a message could not be opened, which a commit must not take off its queue. */
    final void failed() throws Exception {
        if (transacted()) {
            assertThatThrownBy(this::commit)
                    .isInstanceOfAny(TransactionRolledBackException.class, TransactionRolledBackRuntimeException.class);
        }
    }

    @Override
    public abstract void close() throws JMSException;

    /** Calls until something is there. */
    static @Nullable Message poll(Callable<@Nullable Message> call) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE);
        Message message = call.call();
        while (message == null && System.nanoTime() < end) {
            Awaitility.await().pollDelay(Duration.ofMillis(10)).until(() -> true);
            message = call.call();
        }
        return message;
    }

    /** Returns what a listener was told. */
    final @Nullable Message event() throws Exception {
        Object event = events.poll(PATIENCE, TimeUnit.MILLISECONDS);
        if (event instanceof Exception e) {
            throw e;
        }
        return (Message) event;
    }

    /** Opens a consumer on a session. */
    interface Consuming {
        MessageConsumer open(Session session, String address) throws JMSException;
    }

    /** Asks a consumer for a message. */
    interface Receiving {
        @Nullable
        Message next(MessageConsumer consumer) throws Exception;
    }

    /** The classic interface. */
    static final class InSession extends Taking {
        final Session session;
        private final Connection connection;
        private final MessageConsumer consumer;
        private final @Nullable Receiving receiving;

        /** Asks, or listens if {@code receiving} is null. */
        InSession(Connection connection, String address, int mode, Consuming consuming, @Nullable Receiving receiving)
                throws JMSException {
            this.connection = connection;
            this.receiving = receiving;
            connection.setClientID("client-" + UUID.randomUUID());
            connection.setExceptionListener(events::add); // of connections, not of messages
            session = connection.createSession(mode);
            consumer = consuming.open(session, address);
            if (receiving == null) {
                consumer.setMessageListener(this::onMessage);
            }
            connection.start();
        }

        private void onMessage(Message message) {
            try {
                settle(message);
                events.add(message);
            } catch (JMSException e) {
                events.add(e);
            }
        }

        @Override
        @Nullable
        Message next() throws Exception {
            return receiving == null ? event() : receiving.next(consumer);
        }

        @Override
        void done(Message message) throws JMSException {
            if (receiving != null) {
                settle(message);
            }
        }

        private void settle(Message message) throws JMSException {
            if (session.getTransacted()) {
                session.commit();
            } else if (session.getAcknowledgeMode() == Session.CLIENT_ACKNOWLEDGE) {
                message.acknowledge();
            }
        }

        @Override
        boolean transacted() throws JMSException {
            return session.getTransacted();
        }

        @Override
        void commit() throws JMSException {
            session.commit();
        }

        @Override
        public void close() throws JMSException {
            connection.close();
        }
    }

    /** Opens a consumer of a context. */
    interface ContextConsuming {
        JMSConsumer open(JMSContext context, String address);
    }

    /** The simplified interface. */
    static final class InContext extends Taking {
        private final JMSContext context;
        private final JMSConsumer consumer;
        private final boolean listens;

        InContext(JMSContext context, String address, boolean listens, ContextConsuming consuming) {
            this.context = context;
            this.listens = listens;
            context.setClientID("client-" + UUID.randomUUID());
            context.setExceptionListener(events::add);
            consumer = consuming.open(context, address);
            if (listens) {
                consumer.setMessageListener(events::add);
            }
        }

        @Override
        @Nullable
        Message next() throws Exception {
            return listens ? event() : consumer.receive(PATIENCE);
        }

        @Override
        void done(Message message) {
            if (context.getTransacted()) {
                context.commit();
            } else if (!listens) {
                context.acknowledge(); // ignored unless the mode is CLIENT_ACKNOWLEDGE
            }
        }

        @Override
        boolean transacted() {
            return context.getTransacted();
        }

        @Override
        void commit() {
            context.commit();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
