/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jms.annotation.JmsListener;

/** An application as people write them: it knows nothing of Signet but the names of properties of messages. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(TestApplication.Listeners.class)
class TestApplication {
    /** A message that a listener got. */
    record Received(
            String queue,
            @Nullable String text,
            @Nullable String quality,
            @Nullable String signer,
            int attempt) {
        static Received of(String queue, Message message) throws JMSException {
            return new Received(
                    queue,
                    message.getBody(String.class),
                    message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY),
                    message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY),
                    message.getIntProperty("JMSXDeliveryCount"));
        }
    }

    /** Listeners of Spring Boot's own container, which has local transactions. */
    static class Listeners {
        private final Queue<Received> received = new ConcurrentLinkedQueue<>();

        List<Received> of(String queue) {
            return received.stream().filter(one -> one.queue().equals(queue)).toList();
        }

        @JmsListener(destination = "orders.many", concurrency = "3")
        void many(Message message) throws JMSException {
            received.add(Received.of("orders.many", message));
        }

        @JmsListener(destination = "orders.poisoned")
        void poisoned(Message message) throws JMSException {
            received.add(Received.of("orders.poisoned", message));
        }

        @JmsListener(destination = "sealed.orders")
        void sealed(Message message) throws JMSException {
            received.add(Received.of("sealed.orders", message));
        }

        /** Passes a message on, and fails after it at the first attempt. */
        @JmsListener(destination = "orders.retried")
        void retried(Message message, Session session) throws JMSException {
            Received one = Received.of("orders.retried", message);
            received.add(one);
            session.createProducer(session.createQueue("orders.done"))
                    .send(session.createTextMessage("done with " + one.text()));
            if (one.attempt() == 1) {
                throw new IllegalStateException("the first attempt fails");
            }
        }

        @JmsListener(destination = "orders.failing")
        void failing(Message message) throws JMSException {
            received.add(Received.of("orders.failing", message));
            throw new IllegalStateException("each attempt fails");
        }

        /** The result goes to the queue that the request names. */
        @JmsListener(destination = "orders.requests")
        String answer(Message request) throws JMSException {
            received.add(Received.of("orders.requests", request));
            return "answer to " + request.getBody(String.class);
        }
    }
}
