/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Variant;

/** The exchange of requests and replies in a block. Each participant has a connection and a thread of its own. */
record Exchange(Block block, Watch watch, byte[] payload) {
    private static final int PATIENCE_MILLIS = 30_000;

    Exchange(Block block, Watch watch) {
        this(block, watch, Payload.ofSize(block.load().size()));
    }

    /** Returns a requester: it asks and waits for the answer, again and again until the block is over. */
    Callable<Void> requester(JMSContext context, int number) {
        Queue requests = requestQueue(context, number);
        Queue replyTo = context.createQueue(block.replyAddress(number));
        JMSConsumer replies = context.createConsumer(replyTo);
        JMSProducer producer = context.createProducer().setJMSReplyTo(replyTo);
        return () -> {
            watch.awaitBegin();
            for (long sent = 0; !watch.isOver(); sent++) {
                String correlation = number + "-" + sent;
                long start = System.nanoTime();
                producer.setJMSCorrelationID(correlation).send(requests, payload);
                check(reply(replies, correlation));
                watch.roundTripDone(System.nanoTime() - start);
            }
            return null;
        };
    }

    private static Message reply(JMSConsumer replies, String correlation) throws JMSException {
        Message reply = replies.receive(PATIENCE_MILLIS);
        while (reply != null && !correlation.equals(reply.getJMSCorrelationID())) {
            reply = replies.receive(PATIENCE_MILLIS); // an earlier block left it behind
        }
        if (reply == null) {
            throw new JMSException("requester " + correlation + ": no reply within " + PATIENCE_MILLIS + " ms");
        }
        return reply;
    }

    /** Returns a responder: it answers all requests on its queue until its connection is closed. */
    Callable<Void> responder(JMSContext context, int number) {
        JMSConsumer requests = context.createConsumer(requestQueue(context, number));
        JMSProducer producer = context.createProducer();
        return () -> {
            for (Message request = requests.receive(); request != null; request = requests.receive()) {
                check(request);
                producer.setJMSCorrelationID(request.getJMSCorrelationID()).send(request.getJMSReplyTo(), payload);
            }
            if (!watch.isOver()) {
                throw new JMSException("responder " + number + ": its connection was closed");
            }
            return null;
        };
    }

    private Queue requestQueue(JMSContext context, int number) {
        return context.createQueue(block.requestAddress(block.load().queueOf(number)));
    }

    /** Reads a message as an application does; a wrong message makes the figures worthless. */
    void check(Message message) throws JMSException {
        byte @Nullable [] body = message.getBody(byte[].class); // JMS has null for an empty body
        if (!(message instanceof BytesMessage) || !Arrays.equals(payload, body == null ? new byte[0] : body)) {
            throw new JMSException("message: not what was sent");
        }
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        Variant expected = block.variant();
        if (expected.protects() && !expected.quality().label().equals(quality)) {
            throw new JMSException("message: should have " + expected.quality() + ", found " + quality);
        }
    }
}
