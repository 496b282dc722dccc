/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

        /** Makes files of which this share is small. */
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
                    throw new JMSException(queue + ": file " + id + " not opened within " + PATIENCE_SECONDS + " s");
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
                String[] parts = id.split(" ");
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
