/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Row;

/**
 * Messages that lie in a queue until they are taken out.
 *
 * @param paged whether the broker keeps them in pages; else in the journal and in memory
 * @param payload of each message
 */
public record Stock(String queue, boolean paged, int count, byte[] payload) {
    /** The address pattern of messages in pages. */
    static final String PAGED_ADDRESSES = "rr.paged.#";

    private static final int SENDERS = 16;
    private static final int RECEIVERS = 4;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int POLL_MILLIS = 50;

    private String address() {
        return (paged ? "rr.paged." : "rr.kept.") + queue;
    }

    /** Sends all messages by several threads. Each message is durable before the next one of its thread. */
    Row fill(Participants clients) throws Exception {
        AtomicInteger left = new AtomicInteger(count);
        List<Callable<Void>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            Session session = clients.connect(0, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(address()));
            UnaryOperator<byte[]> sealer = clients.codec().sealer(address());
            senders.add(() -> {
                while (left.getAndDecrement() > 0) {
                    BytesMessage message = session.createBytesMessage();
                    message.writeBytes(sealer.apply(payload));
                    producer.send(message);
                }
                return null;
            });
        }
        return timed(senders);
    }

    /** Receives all messages, and checks that each is what was sent. */
    Row drain(Participants clients, Setting setting) throws Exception {
        AtomicInteger left = new AtomicInteger(count);
        List<Callable<Void>> receivers = new ArrayList<>();
        for (int i = 0; i < RECEIVERS; i++) {
            Session session = clients.connect(0, Session.AUTO_ACKNOWLEDGE);
            receivers.add(receiver(session, clients.codec().opener(), setting, left));
        }
        return timed(receivers);
    }

    private Callable<Void> receiver(
            Session session, UnaryOperator<byte[]> opener, Setting setting, AtomicInteger left) {
        return () -> {
            MessageConsumer consumer = session.createConsumer(session.createQueue(address()));
            int quietMillis = 0;
            while (left.get() > 0) {
                Message message = consumer.receive(POLL_MILLIS);
                quietMillis = message == null ? quietMillis + POLL_MILLIS : 0;
                if (message != null) {
                    if (!Arrays.equals(payload, opener.apply(message.getBody(byte[].class)))) {
                        throw new JMSException("message: not what was sent");
                    }
                    Exchange.requireQuality(message, setting);
                    left.decrementAndGet();
                } else if (quietMillis >= PATIENCE_MILLIS) {
                    throw new JMSException(
                            address() + ": " + left.get() + " messages do not come within " + PATIENCE_MILLIS + " ms");
                }
            }
            return null;
        };
    }

    private static Row timed(List<Callable<Void>> all) throws Exception {
        Row begin = Readings.ofThisProcess(); // takes long at first, so its time must not count
        ExecutorService threads = Executors.newFixedThreadPool(all.size());
        try {
            long start = System.nanoTime();
            for (Future<Void> ended : threads.invokeAll(all)) {
                ended.get();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return Readings.between(begin, Readings.ofThisProcess()).with(Participants.SECONDS, seconds);
        } finally {
            threads.shutdownNow();
        }
    }
}
