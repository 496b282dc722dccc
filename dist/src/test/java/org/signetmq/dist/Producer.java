/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * A program without Signet that sends texts with growing numbers until its standard input ends. It prints {@code sent
 * TEXT} for each message that the broker confirmed, and {@code rejected REASON} for each other one.
 */
final class Producer {
    private static final long PAUSE_MILLIS = 20;

    private Producer() {}

    /**
     * Sends.
     *
     * @param arguments URL, user, password, address, text
     */
    public static void main(String... arguments) throws JMSException, IOException, InterruptedException {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(arguments[0]);
                Connection connection = factory.createConnection(arguments[1], arguments[2]);
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(arguments[3]));
            for (int number = 1; System.in.available() == 0; number++) {
                String text = arguments[4] + " " + number;
                try {
                    producer.send(session.createTextMessage(text));
                    System.out.println("sent " + text);
                } catch (JMSException e) {
                    System.out.println("rejected " + e.getMessage());
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }
}
