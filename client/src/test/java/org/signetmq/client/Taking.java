/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Takes messages in one of the ways of the API. */
public abstract class Taking implements AutoCloseable {
    public static final long PATIENCE = 4_000;

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
    void done(Message message) throws Exception {}

    /** The application goes on although a message could not be opened. */
    void failed() throws Exception {}

    @Override
    public abstract void close() throws JMSException;

    /** Calls until something is there. */
    static @Nullable Message poll(java.util.concurrent.Callable<@Nullable Message> call) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE);
        Message message = call.call();
        while (message == null && System.nanoTime() < end) {
            Awaitility.await().pollDelay(Duration.ofMillis(10)).until(() -> true);
            message = call.call();
        }
        return message;
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

    /** The classic interface, asking. */
    static class Asking extends Taking {
        final Connection connection;
        final Session session;
        final MessageConsumer consumer;
        private final Receiving receiving;

        Asking(ConnectionFactory factory, String address, int mode, Consuming consuming, Receiving receiving)
                throws JMSException {
            this(factory.createConnection(), address, mode, consuming, receiving);
        }

        Asking(Connection connection, String address, int mode, Consuming consuming, Receiving receiving)
                throws JMSException {
            this.connection = connection;
            this.receiving = receiving;
            connection.setClientID("client-" + UUID.randomUUID());
            session = connection.createSession(mode);
            consumer = consuming.open(session, address);
            connection.start();
        }

        @Override
        @Nullable
        Message next() throws Exception {
            return receiving.next(consumer);
        }

        @Override
        void done(Message message) throws Exception {
            if (session.getTransacted()) {
                session.commit();
            } else if (session.getAcknowledgeMode() == Session.CLIENT_ACKNOWLEDGE) {
                message.acknowledge();
            }
        }

        @Override
        void failed() throws Exception {
            if (session.getTransacted()) {
                try {
                    session.commit();
                } catch (jakarta.jms.TransactionRolledBackException expected) {
                    return;
                }
                throw new AssertionError("commit took an unopened message off its queue");
            }
        }

        @Override
        public void close() throws JMSException {
            connection.close();
        }
    }

    /** The classic interface, with a listener. */
    static final class Listening extends Taking {
        private final Connection connection;
        private final Session session;
        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        Listening(ConnectionFactory factory, String address, int mode, Consuming consuming) throws JMSException {
            connection = factory.createConnection();
            connection.setExceptionListener(events::add); // of connections, not of messages
            session = connection.createSession(mode);
            consuming.open(session, address).setMessageListener(this::onMessage);
            connection.start();
        }

        private void onMessage(Message message) {
            try {
                if (session.getTransacted()) {
                    session.commit();
                } else if (session.getAcknowledgeMode() == Session.CLIENT_ACKNOWLEDGE) {
                    message.acknowledge();
                }
                events.add(message);
            } catch (JMSException e) {
                events.add(e);
            }
        }

        @Override
        @Nullable
        Message next() throws Exception {
            return event(events);
        }

        @Override
        public void close() throws JMSException {
            connection.close();
        }
    }

    static @Nullable Message event(BlockingQueue<Object> events) throws Exception {
        Object event = events.poll(PATIENCE, TimeUnit.MILLISECONDS);
        if (event instanceof Exception e) {
            throw e;
        }
        return (Message) event;
    }

    /** Opens a consumer of a context. */
    interface ContextConsuming {
        JMSConsumer open(JMSContext context, String address);
    }

    /** The simplified interface, asking. */
    static final class InContext extends Taking {
        private final JMSContext context;
        private final JMSConsumer consumer;

        InContext(ConnectionFactory factory, String address, int mode, ContextConsuming consuming) {
            context = factory.createContext(mode);
            context.setClientID("client-" + UUID.randomUUID());
            consumer = consuming.open(context, address);
        }

        @Override
        @Nullable
        Message next() {
            return consumer.receive(PATIENCE);
        }

        @Override
        void done(Message message) throws Exception {
            if (context.getTransacted()) {
                context.commit();
            } else {
                context.acknowledge(); // ignored unless the mode is CLIENT_ACKNOWLEDGE
            }
        }

        @Override
        void failed() {
            if (context.getTransacted()) {
                try {
                    context.commit();
                } catch (jakarta.jms.TransactionRolledBackRuntimeException expected) {
                    return;
                }
                throw new AssertionError("commit took an unopened message off its queue");
            }
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /** The simplified interface, with a listener. */
    static final class ContextListening extends Taking {
        private final JMSContext context;
        private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        ContextListening(ConnectionFactory factory, String address) {
            context = factory.createContext();
            context.setExceptionListener(events::add);
            context.createConsumer(context.createQueue(address)).setMessageListener(events::add);
        }

        @Override
        @Nullable
        Message next() throws Exception {
            return event(events);
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
