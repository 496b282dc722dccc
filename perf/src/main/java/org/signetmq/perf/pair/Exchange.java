/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;

/**
 * Requests and replies under one load. Each participant has a connection and a thread of its own.
 *
 * @param name tells the addresses of exchanges apart
 */
record Exchange(String name, Setting setting, Load load, Participants participants) {
    private static final int PATIENCE_MILLIS = 30_000;

    /** Connects all; they rest until they are started. */
    void connect() throws JMSException {
        int mode = load.buffer() > 0 ? Session.CLIENT_ACKNOWLEDGE : Session.AUTO_ACKNOWLEDGE;
        for (int i = 0; i < load.responders(); i++) {
            respond(new Side(participants.connect(load.queueOf(i), mode)), i);
        }
        for (int i = 0; i < load.clients(); i++) {
            request(new Side(participants.connect(load.queueOf(i), mode)), i);
        }
    }

    /** Asks and waits for the answer, until all is over. */
    private void request(Side side, int number) throws JMSException {
        Queue requests = requestQueue(side.session, number);
        Queue replyTo = side.session.createQueue("rr." + name + ".reply." + number);
        MessageConsumer consumer = side.session.createConsumer(replyTo);
        participants.ask(() -> {
            for (long sent = 0; participants.awaitTurn(); sent++) {
                long start = System.nanoTime();
                String correlation = number + "-" + sent;
                side.send(requests, correlation, replyTo);
                Message reply = side.receive(consumer, PATIENCE_MILLIS);
                if (reply == null || !correlation.equals(reply.getJMSCorrelationID())) {
                    throw new JMSException("requester " + correlation + ": "
                            + (reply == null
                                    ? "no reply within " + PATIENCE_MILLIS + " ms"
                                    : "reply to another request"));
                }
                participants.done(System.nanoTime() - start);
            }
            return null;
        });
    }

    /** Answers all requests on a queue until the connection is closed. */
    private void respond(Side side, int number) throws JMSException {
        MessageConsumer consumer = side.session.createConsumer(requestQueue(side.session, number));
        participants.answer(() -> {
            for (Message request = side.receive(consumer, 0); request != null; request = side.receive(consumer, 0)) {
                side.send((Queue) request.getJMSReplyTo(), request.getJMSCorrelationID(), null);
            }
            return null;
        });
    }

    private Queue requestQueue(Session session, int number) throws JMSException {
        return session.createQueue("rr." + name + ".request." + load.queueOf(number));
    }

    /** Throws if a message did not have the protection of a setting: figures would be worthless. */
    static void requireQuality(Message message, Setting setting) throws JMSException {
        if (setting.protection().isSignet()) {
            String expected = setting.protection().quality().orElseThrow().label();
            String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
            if (!expected.equals(quality)) {
                throw new JMSException("message: should have " + expected + ", found " + quality);
            }
        }
    }

    /** What a participant sends and receives by. For one thread. */
    private final class Side {
        private final Session session;
        private final UnaryOperator<byte[]> opener = participants.codec().opener();
        private final byte[] payload = Load.payload(load.size());
        private final Map<String, Sender> senders = new HashMap<>();
        private final MessageProducer anonymous;

        /** A producer for one destination, and what it does to its payloads. */
        private record Sender(MessageProducer producer, UnaryOperator<byte[]> sealer) {}

        Side(Session session) throws JMSException {
            this.session = session;
            this.anonymous = session.createProducer(null);
        }

        void send(Queue to, String correlation, @Nullable Queue replyTo) throws JMSException {
            String address = to.getQueueName();
            if (load.anonymous()) { // it may have another key each time
                anonymous.send(to, message(participants.codec().sealer(address), correlation, replyTo));
                return;
            }
            Sender sender = senders.get(address);
            if (sender == null) {
                sender = new Sender(
                        session.createProducer(to), participants.codec().sealer(address));
                senders.put(address, sender);
            }
            sender.producer.send(message(sender.sealer, correlation, replyTo));
        }

        private BytesMessage message(UnaryOperator<byte[]> sealer, String correlation, @Nullable Queue replyTo)
                throws JMSException {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(sealer.apply(payload));
            message.setJMSCorrelationID(correlation);
            if (replyTo != null) {
                message.setJMSReplyTo(replyTo);
            }
            return message;
        }

        /** Returns the next message after a check; null if there is none in time, or the consumer is closed. */
        @Nullable
        Message receive(MessageConsumer consumer, long millis) throws JMSException {
            Message message;
            try {
                message = load.buffer() > 0 ? fitting(consumer, millis) : consumer.receive(millis);
            } catch (IllegalStateException closed) { // between two messages
                return null;
            }
            if (message != null) {
                byte @Nullable [] body = message.getBody(byte[].class); // JMS has null for an empty body
                if (!Arrays.equals(payload, opener.apply(body == null ? new byte[0] : body))) {
                    throw new JMSException("message: not what was sent");
                }
                requireQuality(message, setting);
            }
            return message;
        }

        /**
         * Receives in the manner of AMS. If a message does not fit into the buffer, the consumer gives it back and
         * fetches it again.
         */
        private @Nullable Message fitting(MessageConsumer consumer, long millis) throws JMSException {
            Message message = consumer.receive(millis);
            while (message instanceof BytesMessage bytes
                    && bytes.getBodyLength() > load.buffer()
                    && !message.getJMSRedelivered()) {
                awaitCommits();
                session.recover();
                message = consumer.receive(millis);
            }
            if (message != null) {
                message.acknowledge();
            }
            return message;
        }

        /**
         * Waits for the answers to earlier acknowledgements. The client does not, and takes one for the answer to the
         * recovery. An old message may then come again, out of its order.
         */
        private void awaitCommits() throws JMSException {
            if (session instanceof ActiveMQSession artemis) {
                try {
                    artemis.getCoreSession().queueQuery(SimpleString.of("any"));
                } catch (ActiveMQException e) {
                    throw JMSExceptionHelper.convertFromActiveMQException(e);
                }
            }
        }
    }
}
