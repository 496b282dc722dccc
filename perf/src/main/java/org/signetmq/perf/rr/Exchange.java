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
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.perf.variant.Payload;
import org.signetmq.policy.QualityOfProtection;

/**
 * The exchange of requests and replies in a block.
 *
 * @param block the block
 * @param payload of requests and replies
 */
record Exchange(Block block, byte[] payload) {
    private static final int PATIENCE_MILLIS = 30_000;

    Exchange(Block block) {
        this(block, Payload.ofSize(block.load().size()));
    }

    /** A task with a thread of its own. */
    @FunctionalInterface
    interface Participant {
        /** Runs until the block is over. */
        void participate(Watch watch) throws JMSException, InterruptedException;
    }

    /** Returns a requester: it asks and waits for the answer, again and again. */
    Participant requester(Connection connection, int number) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        String queue = block.requestAddress(block.load().queueOf(number));
        MessageProducer requests = session.createProducer(session.createQueue(queue));
        Queue replyTo = session.createQueue(block.replyAddress(number));
        MessageConsumer replies = session.createConsumer(replyTo);
        return watch -> {
            watch.awaitBegin();
            for (long sent = 0; !watch.isOver(); sent++) {
                long start = System.nanoTime();
                BytesMessage request = message(session, number + "-" + sent);
                request.setJMSReplyTo(replyTo);
                requests.send(request);
                check(reply(replies, request.getJMSCorrelationID()));
                watch.roundTripDone(System.nanoTime() - start);
            }
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
    Participant responder(Connection connection, int number) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        String queue = block.requestAddress(block.load().queueOf(number));
        MessageConsumer requests = session.createConsumer(session.createQueue(queue));
        MessageProducer replies = session.createProducer(null);
        return watch -> {
            for (Message request = requests.receive(); request != null; request = requests.receive()) {
                check(request);
                replies.send(request.getJMSReplyTo(), message(session, request.getJMSCorrelationID()));
            }
        };
    }

    private BytesMessage message(Session session, String correlation) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(payload);
        message.setJMSCorrelationID(correlation);
        return message;
    }

    /** Reads a message as an application does; a wrong message makes the figures worthless. */
    void check(Message message) throws JMSException {
        byte @Nullable [] received = message.getBody(byte[].class);
        // JMS has null for an empty body
        if (!(message instanceof BytesMessage) || !Arrays.equals(payload, received == null ? new byte[0] : received)) {
            throw new JMSException("message: not what was sent");
        }
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        QualityOfProtection expected = block.variant().quality();
        if (block.variant().protects() && !expected.label().equals(quality)) {
            throw new JMSException("message: should have " + expected + ", found " + quality);
        }
    }
}
