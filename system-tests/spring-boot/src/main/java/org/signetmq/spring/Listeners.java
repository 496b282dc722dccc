/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.spring;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.stereotype.Component;

/** Receives in containers of both kinds, answers requests, and works in local transactions. */
@Component
class Listeners {
    private static final String DELIVERIES = "JMSXDeliveryCount";

    private final Events events;

    Listeners(Events events) {
        this.events = events;
    }

    @JmsListener(destination = "orders.default")
    void inDefaultContainer(Message message) throws JMSException {
        events.received("default", message);
    }

    @JmsListener(destination = "orders.simple", containerFactory = "simple")
    void inSimpleContainer(Message message) throws JMSException {
        events.received("simple", message);
    }

    /** What it returns goes to the queue that the request names. */
    @JmsListener(destination = "orders.requests")
    @JmsListener(destination = "orders.requests.acknowledged", containerFactory = "acknowledging")
    String answer(Message request) throws JMSException {
        events.received("request", request);
        return "answer to " + request.getBody(String.class);
    }

    @JmsListener(destination = "orders.transacted")
    void inDefaultTransaction(Message message, Session session) throws JMSException {
        work("transacted-default", message, session);
    }

    @JmsListener(destination = "orders.transacted.simple", containerFactory = "simple")
    void inSimpleTransaction(Message message, Session session) throws JMSException {
        work("transacted-simple", message, session);
    }

    /** Passes a message on, and fails after it at the first delivery: what it passed on must not be seen then. */
    private void work(String container, Message message, Session session) throws JMSException {
        int deliveries = message.getIntProperty(DELIVERIES);
        events.received(container + "-" + deliveries, message);
        session.createProducer(session.createQueue("orders.done"))
                .send(session.createTextMessage("done with " + message.getBody(String.class)));
        if (deliveries == 1) {
            throw new IllegalStateException("the first delivery fails");
        }
    }
}
