/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

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
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.setting.Stock;

/**
 * Puts a stock of messages into its queue, and takes it out again. Several threads do it, each with a connection of its
 * own. For one thread.
 */
public record StockWork(Connections connections, Codec codec, Setting setting) {
    private static final int SENDERS = 16;
    private static final int RECEIVERS = 4;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int POLL_MILLIS = 50;

    /** Sends all messages. Each is durable before the next one of its thread. */
    public Result fill(Stock stock) throws Exception {
        AtomicInteger left = new AtomicInteger(stock.count());
        List<Callable<Void>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(sender(connections.connect(0, Session.AUTO_ACKNOWLEDGE), stock, left));
        }
        return timed(senders);
    }

    private Callable<Void> sender(Session session, Stock stock, AtomicInteger left) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue(stock.address()));
        UnaryOperator<byte[]> sealer = codec.sealer(stock.address());
        byte[] payload = stock.payload();
        return () -> {
            while (left.getAndDecrement() > 0) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(sealer.apply(payload));
                producer.send(message);
            }
            return null;
        };
    }

    /** Receives all messages, and checks that each is what was sent. */
    public Result drain(Stock stock) throws Exception {
        AtomicInteger left = new AtomicInteger(stock.count());
        List<Callable<Void>> receivers = new ArrayList<>();
        for (int i = 0; i < RECEIVERS; i++) {
            receivers.add(receiver(connections.connect(0, Session.AUTO_ACKNOWLEDGE), stock, left));
        }
        return timed(receivers);
    }

    private Callable<Void> receiver(Session session, Stock stock, AtomicInteger left) {
        UnaryOperator<byte[]> opener = codec.opener();
        byte[] payload = stock.payload();
        return () -> {
            MessageConsumer consumer = session.createConsumer(session.createQueue(stock.address()));
            int quietMillis = 0;
            while (left.get() > 0) {
                Message message = consumer.receive(POLL_MILLIS);
                if (message != null) {
                    quietMillis = 0;
                    check(message, opener, payload);
                    left.decrementAndGet();
                } else if ((quietMillis += POLL_MILLIS) >= PATIENCE_MILLIS) {
                    throw new JMSException(stock.address() + ": " + left.get() + " messages do not come within "
                            + PATIENCE_MILLIS + " ms");
                }
            }
            return null;
        };
    }

    private void check(Message message, UnaryOperator<byte[]> opener, byte[] payload) throws JMSException {
        if (!Arrays.equals(payload, opener.apply(message.getBody(byte[].class)))) {
            throw new JMSException("message: not what was sent");
        }
        Receiver.requireQuality(message, setting);
    }

    private static Result timed(List<Callable<Void>> all) throws Exception {
        Result begin = Readings.ofThisProcess(); // takes long at first, so its time must not count
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
