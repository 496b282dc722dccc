/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/** Asks and waits for the answer, again and again: one request under way. */
final class Requester implements Participant {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Session session;
    private final MessageProducer requests;
    private final MessageConsumer replies;
    private final Queue replyTo;
    private final Exchange exchange;
    private final Latencies latencies = new Latencies();
    private final int number;
    private long sent;

    Requester(Connection connection, Exchange exchange, int number) throws JMSException {
        this.session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.exchange = exchange;
        this.number = number;
        Block block = exchange.block();
        String queue = block.variant().requestAddress(block.load().queueOf(number));
        this.requests = session.createProducer(session.createQueue(queue));
        this.replyTo = session.createQueue(block.variant().replyAddress(number));
        this.replies = session.createConsumer(replyTo);
    }

    Latencies latencies() {
        return latencies;
    }

    @Override
    public void participate(Watch watch) throws JMSException, InterruptedException {
        watch.awaitBegin();
        while (watch.stage() != Watch.Stage.OVER) {
            long start = System.nanoTime();
            roundTrip();
            latencies.record(watch.stage(), System.nanoTime() - start);
            watch.roundTripDone();
        }
    }

    private void roundTrip() throws JMSException {
        String correlation = number + "-" + sent++;
        BytesMessage request = session.createBytesMessage();
        request.writeBytes(exchange.payload());
        request.setJMSReplyTo(replyTo);
        request.setJMSCorrelationID(correlation);
        requests.send(request);
        Message reply = replies.receive(PATIENCE_MILLIS);
        while (reply != null && !correlation.equals(reply.getJMSCorrelationID())) {
            reply = replies.receive(PATIENCE_MILLIS); // what an earlier block left behind
        }
        if (reply == null) {
            throw new JMSException("requester " + number + ": no reply within " + PATIENCE_MILLIS + " ms");
        }
        exchange.check(reply);
    }
}
