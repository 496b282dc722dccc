/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.QualityOfProtection;

/** A consumer that reads stored bodies without Signet, and messages with the client library. */
record Receiver(DemoBroker broker, DemoHomes.Side consumer) {
    private static final int PATIENCE_MILLIS = 5_000;

    /**
     * Returns by how many bytes a stored body is longer than its payload, on average. The messages stay in the queue.
     */
    double bytesAdded(Lane lane, List<String> payloads) throws JMSException {
        try (ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(broker.url());
                Connection connection = artemis.createConnection(DemoBroker.CONSUMER, broker.password());
                Session session = connection.createSession();
                QueueBrowser browser = session.createBrowser(queue(session, lane))) {
            connection.start();
            long added = 0;
            Enumeration<?> stored = browser.getEnumeration();
            while (stored.hasMoreElements()) {
                Message message = (Message) stored.nextElement();
                added += message instanceof BytesMessage bytes
                        ? bytes.getBodyLength()
                        : utf8Length(message.getBody(String.class));
            }
            for (String payload : payloads) {
                added -= utf8Length(payload);
            }
            return (double) added / payloads.size();
        }
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the queue itself, also where the address distributes to many. */
    private static Queue queue(Session session, Lane lane) throws JMSException {
        return session.createQueue(lane.address() + "::" + lane.address());
    }

    /**
     * Returns the number of payloads that arrived, each once, under the lane's quality; 0 if there were more messages.
     */
    int receive(Lane lane, List<String> payloads) throws JMSException {
        try (Password password = Password.fromFile(consumer.passwordFile());
                ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(broker.url());
                SignetConnectionFactory factory = SignetConnectionFactory.open(
                        artemis, consumer.home().root(), consumer.identity().name(), password)) {
            return receive(factory.withOpenFailuresThrown(), lane, payloads);
        }
    }

    private int receive(ConnectionFactory factory, Lane lane, List<String> payloads) throws JMSException {
        try (Connection connection = factory.createConnection(DemoBroker.CONSUMER, broker.password());
                Session session = connection.createSession();
                MessageConsumer messages = session.createConsumer(queue(session, lane))) {
            connection.start();
            Set<String> missing = new HashSet<>(payloads);
            for (int i = 0; i < payloads.size(); i++) {
                Message message = messages.receive(PATIENCE_MILLIS);
                if (message == null) {
                    break;
                }
                if (isFrom(lane, message)) {
                    missing.remove(text(message));
                }
            }
            return messages.receiveNoWait() == null ? payloads.size() - missing.size() : 0;
        }
    }

    /**
     * Whether the message was protected as it should be, and names the user that the broker authenticated. Under
     * confidentiality nothing proves the user.
     */
    private static boolean isFrom(Lane lane, Message message) throws JMSException {
        if (lane.quality() == QualityOfProtection.NONE) {
            return true;
        }
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        String sender = message.getStringProperty(SignetConnectionFactory.SENDER_PROPERTY);
        String expected = lane.quality().signs() ? DemoBroker.PRODUCER : null;
        return lane.quality().label().equals(quality) && Objects.equals(expected, sender);
    }

    private static String text(Message message) throws JMSException {
        if (message instanceof BytesMessage bytes) {
            byte[] body = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(body);
            return new String(body, StandardCharsets.UTF_8);
        }
        return message.getBody(String.class);
    }
}
