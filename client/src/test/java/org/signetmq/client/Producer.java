/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;

/** Sends as the broker stores: bodies already sealed, without the library under test. */
public final class Producer implements AutoCloseable {
    public final JMSContext context;

    public Producer(ConnectionFactory plain) {
        context = plain.createContext();
    }

    /** Sends to a queue. */
    public void send(String queue, byte[]... bodies) throws Exception {
        for (byte[] body : bodies) {
            send(context.createQueue(queue), body);
        }
    }

    public void send(Destination destination, byte[] body) throws Exception {
        BytesMessage message = context.createBytesMessage();
        message.writeBytes(body);
        message.setStringProperty("region", "eu");
        message.setIntProperty("weight", 7);
        message.setJMSCorrelationID("correlation-1");
        message.setJMSType("order");
        message.setJMSReplyTo(context.createQueue("replies"));
        context.createProducer().setPriority(6).setTimeToLive(600_000).send(destination, message);
    }

    /** Takes this many messages off a queue and gives their bodies as they are. */
    List<Object> take(String queue, int count) throws Exception {
        List<Object> bodies = new ArrayList<>();
        try (var consumer = context.createConsumer(context.createQueue(queue))) {
            for (int i = 0; i < count; i++) {
                Message message = consumer.receive(Taking.PATIENCE);
                if (message == null) {
                    throw new AssertionError(queue + ": " + bodies.size() + " messages, not " + count);
                }
                bodies.add(message.getBody(Object.class));
            }
        }
        return bodies;
    }

    @Override
    public void close() {
        context.close();
    }
}
