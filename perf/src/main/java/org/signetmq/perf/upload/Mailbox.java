/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.upload;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.Payload;

/**
 * A mailbox: its uploader sends a durable file and waits until its reader has opened it. Both are in one process, each
 * with a thread and a session of its own.
 */
public final class Mailbox {
    private static final int BURST_FILES = 50;
    /** From the begin of a burst to that of the next. */
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final int PATIENCE_SECONDS = 30;
    /** Files of one size differ: each begins at another byte. */
    private static final int OFFSETS = 1 << 12;

    /** The number of a file, and its bytes. */
    private static final Pattern ID = Pattern.compile("([0-9]{1,18}) ([0-9]{1,7})");

    private static final byte[] BYTES = Payload.ofSize(FileMix.LARGEST + OFFSETS);

    private final String queue;
    private final Share share;
    private final Arrival arrival;
    private final FileMix mix;
    private final BlockingQueue<String> opened = new ArrayBlockingQueue<>(1);

    /**
     * One of several mailboxes that share the files of bursts.
     *
     * @param number from 0
     * @param of all mailboxes
     */
    public record Share(int number, int of) {
        /** Returns the files of a burst that come to this mailbox. */
        int files() {
            return Math.max(1, BURST_FILES * (number + 1) / of - BURST_FILES * number / of);
        }
    }

    /** Lets an uploader work, rest and end. */
    @FunctionalInterface
    public interface Turns {
        /** Returns what is to be uploaded, after any rest; null if all is over. */
        @Nullable
        Turn next() throws InterruptedException;
    }

    /**
     * What is uploaded for a while.
     *
     * @param begin of the first burst, in nanoseconds of {@link System#nanoTime}
     * @param largest the most bytes of a file
     */
    public record Turn(long begin, int largest) {}

    /** Checks a message that a reader has received, beside its content. */
    @FunctionalInterface
    public interface Check {
        /** Throws if the message is not as it should be. */
        void of(Message message) throws JMSException;
    }

    public Mailbox(String queue, Share share, Uploads uploads) {
        this.queue = queue;
        this.share = share;
        this.arrival = uploads.arrival();
        this.mix = new FileMix(uploads.smallPercent());
    }

    /**
     * Returns the uploader, which works until all is over.
     *
     * @param micros gets the time of each file in microseconds, until it was opened
     */
    public Callable<Void> uploader(Session session, Turns turns, LongConsumer micros) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        return () -> {
            long begin = 0;
            int ofBurst = 0;
            long number = share.number;
            for (Turn turn = turns.next(); turn != null; turn = turns.next()) {
                if (turn.begin != begin) {
                    begin = turn.begin;
                    ofBurst = 0;
                }
                if (arrival == Arrival.BURSTS && ofBurst++ % share.files() == 0) {
                    parkUntil(nextBurst(begin, System.nanoTime()));
                }
                long start = System.nanoTime();
                BytesMessage message = session.createBytesMessage();
                int size = Math.min(mix.size(number), turn.largest);
                String id = number + " " + size;
                message.writeBytes(BYTES, offset(number), size);
                message.setJMSCorrelationID(id);
                producer.send(message);
                awaitOpened(id);
                micros.accept((System.nanoTime() - start) / 1_000);
                number += share.of;
            }
            return null;
        };
    }

    private static int offset(long number) {
        return (int) (number % OFFSETS);
    }

    /** Returns the begin of the next burst. */
    static long nextBurst(long begin, long now) {
        return now <= begin ? begin : begin + ((now - begin - 1) / BURST_NANOS + 1) * BURST_NANOS;
    }

    private static void parkUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void awaitOpened(String id) throws JMSException, InterruptedException {
        String found = opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!id.equals(found)) {
            throw new JMSException(queue + ": file " + id + " should be opened within " + PATIENCE_SECONDS
                    + " s, found " + (found == null ? "none" : "file " + found));
        }
    }

    /** Returns the reader, which opens all files until its connection is closed. */
    public Callable<Void> reader(Session session, BooleanSupplier isOver, Check check) throws JMSException {
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
        return () -> {
            for (Message message = next(consumer); message != null; message = next(consumer)) {
                requireContent(message);
                check.of(message);
                opened.put(message.getJMSCorrelationID());
            }
            if (!isOver.getAsBoolean()) {
                throw new JMSException(queue + ": the connection of its reader was closed");
            }
            return null;
        };
    }

    /** Returns the next message; null if the consumer is closed, or was closed before. */
    private static @Nullable Message next(MessageConsumer consumer) throws JMSException {
        try {
            return consumer.receive();
        } catch (IllegalStateException closed) {
            return null;
        }
    }

    private void requireContent(Message message) throws JMSException {
        Matcher id = ID.matcher(String.valueOf(message.getJMSCorrelationID()));
        if (!id.matches() || !(message instanceof BytesMessage)) {
            throw new JMSException(queue + ": message is no file");
        }
        byte[] content = message.getBody(byte[].class);
        int from = offset(Long.parseLong(id.group(1)));
        if (!Arrays.equals(BYTES, from, from + Integer.parseInt(id.group(2)), content, 0, content.length)) {
            throw new JMSException(queue + ": file " + id.group(1) + " is not what was sent");
        }
    }
}
