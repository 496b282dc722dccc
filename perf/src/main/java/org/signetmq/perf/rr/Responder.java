/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** Answers whatever is asked on its queue, to wherever the request says, until its connection is closed. */
final class Responder implements Participant {
    private final Session session;
    private final MessageConsumer requests;
    private final MessageProducer replies;
    private final Exchange exchange;

    Responder(Connection connection, Exchange exchange, int number) throws JMSException {
        this.session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.exchange = exchange;
        Block block = exchange.block();
        String queue = block.variant().requestAddress(block.load().queueOf(number));
        this.requests = session.createConsumer(session.createQueue(queue));
        this.replies = session.createProducer(null);
    }

    @Override
    public void participate(Watch watch) throws JMSException {
        for (Message request = requests.receive(); request != null; request = requests.receive()) {
            exchange.check(request);
            BytesMessage reply = session.createBytesMessage();
            reply.writeBytes(exchange.payload());
            reply.setJMSCorrelationID(request.getJMSCorrelationID());
            replies.send(request.getJMSReplyTo(), reply);
        }
    }
}
