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
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
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
        Queue replyTo = side.session.createQueue(
                "rr." + name + ".reply." + ProcessHandle.current().pid() + "." + number);
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

    /**
     * Uploads to mailboxes. The uploader of a mailbox sends a durable file, and waits until the reader has opened it.
     *
     * @param name tells the mailboxes of different loads apart
     */
    record Mailboxes(String name, Setting setting, Load load, Participants participants) {
        private static final int BURST_FILES = 50;
        /** From the begin of a burst to that of the next. */
        private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

        private static final int PATIENCE_SECONDS = 30;
        /** Files of one size differ: each begins at another byte. */
        private static final int OFFSETS = 1 << 12;

        private static final byte[] BYTES = Load.payload(FileMix.LARGEST + OFFSETS);

        /**
         * The files of the published test. Small ones have 1 to 10 kB, spread evenly; large ones 10 kB to 1 MB, spread
         * evenly in their logarithm. Their sizes are the same in each run.
         */
        static final class FileMix {
            /** The most bytes of a file. */
            static final int LARGEST = 1_000_000;

            private static final int SMALLEST = 1_000;
            private static final int BORDER = 10_000;
            private static final int COUNT = 1 << 12;
            private static final long SEED = 20_221_219;

            private final int[] sizes;

            /** Makes files; this many of a hundred are small. */
            FileMix(int smallPercent) {
                SplittableRandom random = new SplittableRandom(SEED);
                sizes = IntStream.range(0, COUNT)
                        .map(i -> random.nextInt(100) < smallPercent
                                ? random.nextInt(SMALLEST, BORDER + 1)
                                : (int) Math.exp(random.nextDouble(Math.log(BORDER), Math.log(LARGEST))))
                        .toArray();
            }

            /** Returns the size of the file of this number; numbers beyond the last file begin again. */
            int size(long number) {
                return sizes[(int) (number & (COUNT - 1))];
            }
        }

        /** Connects all; they rest until they are started. */
        void connect() throws JMSException {
            FileMix files = new FileMix(load.smallPercent());
            for (int i = 0; i < load.clients(); i++) {
                String queue = "rr." + name + ".mailbox." + i;
                BlockingQueue<String> opened = new ArrayBlockingQueue<>(1);
                read(participants.connect(i, Session.AUTO_ACKNOWLEDGE), queue, opened);
                upload(participants.connect(i, Session.AUTO_ACKNOWLEDGE), queue, i, files, opened);
            }
        }

        private void upload(Session session, String queue, int mailbox, FileMix files, BlockingQueue<String> opened)
                throws JMSException {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            int ofBurst =
                    Math.max(1, BURST_FILES * (mailbox + 1) / load.clients() - BURST_FILES * mailbox / load.clients());
            participants.ask(() -> {
                long number = mailbox;
                for (int file = 0; participants.awaitTurn(); file++, number += load.clients()) {
                    if (load.bursts() && file % ofBurst == 0) {
                        awaitBurst();
                    }
                    long start = System.nanoTime();
                    int size = files.size(number);
                    String id = number + " " + size;
                    BytesMessage message = session.createBytesMessage();
                    message.writeBytes(BYTES, (int) (number % OFFSETS), size);
                    message.setJMSCorrelationID(id);
                    producer.send(message);
                    if (!id.equals(opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))) {
                        throw new JMSException(
                                queue + ": file " + id + " not opened within " + PATIENCE_SECONDS + " s");
                    }
                    participants.done(System.nanoTime() - start);
                }
                return null;
            });
        }

        private void awaitBurst() {
            long since = System.nanoTime() - participants.begin();
            long due = participants.begin() + (since + BURST_NANOS - 1) / BURST_NANOS * BURST_NANOS;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        /** Opens all files until the connection is closed. */
        private void read(Session session, String queue, BlockingQueue<String> opened) throws JMSException {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            participants.answer(() -> {
                for (Message message = next(consumer); message != null; message = next(consumer)) {
                    String id = message.getJMSCorrelationID();
                    String[] parts = id.split(" ", -1);
                    int from = (int) (Long.parseLong(parts[0]) % OFFSETS);
                    byte[] content = message.getBody(byte[].class);
                    if (!Arrays.equals(BYTES, from, from + Integer.parseInt(parts[1]), content, 0, content.length)) {
                        throw new JMSException(queue + ": file " + id + " is not what was sent");
                    }
                    Exchange.requireQuality(message, setting);
                    opened.put(id);
                }
                return null;
            });
        }

        /** Returns the next message; null if the consumer is closed. */
        private static @Nullable Message next(MessageConsumer consumer) throws JMSException {
            try {
                return consumer.receive();
            } catch (IllegalStateException closed) {
                return null;
            }
        }
    }
}
