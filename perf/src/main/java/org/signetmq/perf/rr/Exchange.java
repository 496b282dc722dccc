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
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Variant;

/** The exchange of requests and replies in a block. */
final class Exchange {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Block block;
    private final Watch watch;
    private final byte[] payload;

    Exchange(Block block, Watch watch) {
        this.block = block;
        this.watch = watch;
        this.payload = Payload.ofSize(block.load().size());
    }

    /** Returns a requester: it asks and waits for the answer, again and again until the block is over. */
    Callable<Void> requester(Connection connection, int number) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer requests = session.createProducer(requestQueue(session, number));
        Queue replyTo = session.createQueue(block.replyAddress(number));
        MessageConsumer replies = session.createConsumer(replyTo);
        return () -> {
            watch.awaitBegin();
            for (long sent = 0; !watch.isOver(); sent++) {
                long start = System.nanoTime();
                BytesMessage request = message(session, number + "-" + sent);
                request.setJMSReplyTo(replyTo);
                requests.send(request);
                check(reply(replies, request.getJMSCorrelationID()));
                watch.roundTripDone(System.nanoTime() - start);
            }
            return null;
        };
    }

    private static Message reply(MessageConsumer replies, String correlation) throws JMSException {
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
    Callable<Void> responder(Connection connection, int number) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer requests = session.createConsumer(requestQueue(session, number));
        MessageProducer replies = session.createProducer(null);
        return () -> {
            for (Message request = requests.receive(); request != null; request = requests.receive()) {
                check(request);
                replies.send(request.getJMSReplyTo(), message(session, request.getJMSCorrelationID()));
            }
            if (!watch.isOver()) {
                throw new JMSException("responder " + number + ": its connection was closed");
            }
            return null;
        };
    }

    private Queue requestQueue(Session session, int number) throws JMSException {
        return session.createQueue(block.requestAddress(block.load().queueOf(number)));
    }

    private BytesMessage message(Session session, String correlation) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(payload);
        message.setJMSCorrelationID(correlation);
        return message;
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
