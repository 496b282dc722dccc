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
final class Producer implements AutoCloseable {
    final JMSContext context;

    Producer(ConnectionFactory plain) {
        context = plain.createContext();
    }

    void send(Destination destination, byte[] body) throws Exception {
        BytesMessage message = context.createBytesMessage();
        message.writeBytes(body);
        message.setStringProperty("region", "eu");
        message.setIntProperty("weight", 7);
        message.setJMSCorrelationID("correlation-1");
        message.setJMSType("order");
        message.setJMSReplyTo(context.createQueue("replies"));
        context.createProducer().setPriority(6).setTimeToLive(600_000).send(destination, message);
    }

    /** Takes all bodies off a queue, as they are. */
    List<byte[]> drain(String queue) throws Exception {
        List<byte[]> bodies = new ArrayList<>();
        try (var consumer = context.createConsumer(context.createQueue(queue))) {
            for (Message message = consumer.receive(300); message != null; message = consumer.receive(300)) {
                bodies.add(message.getBody(byte[].class));
            }
        }
        return bodies;
    }

    @Override
    public void close() {
        context.close();
    }
}
