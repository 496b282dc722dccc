/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
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
record Receiver(DemoBroker broker, DemoHome consumer) {
    private static final int PATIENCE_MILLIS = 5_000;

    /** How many payloads were sent and opened, and by how many bytes a stored body is longer, on average. */
    record Received(int sent, int opened, double bytesAdded) {}

    Received receive(Lane lane, List<String> payloads) throws JMSException {
        try (Password password = Password.fromFile(consumer.passwordFile());
                ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(broker.url("tcp"));
                SignetConnectionFactory signet = SignetConnectionFactory.open(
                        artemis, consumer.home().root(), consumer.identity().name(), password);
                JMSContext plain = artemis.createContext(DemoBroker.CONSUMER, broker.password());
                JMSContext opening =
                        signet.withOpenFailuresThrown().createContext(DemoBroker.CONSUMER, broker.password())) {
            // the queue itself, also where the address distributes to many
            Queue queue = plain.createQueue(lane.address() + "::" + lane.address());
            double bytesAdded = bytesAdded(plain.createBrowser(queue), payloads);
            return new Received(payloads.size(), opened(opening.createConsumer(queue), lane, payloads), bytesAdded);
        }
    }

    private static double bytesAdded(QueueBrowser stored, List<String> payloads) throws JMSException {
        long added = 0;
        Enumeration<?> messages = stored.getEnumeration();
        while (messages.hasMoreElements()) {
            added += body((Message) messages.nextElement()).length;
        }
        for (String payload : payloads) {
            added -= payload.getBytes(StandardCharsets.UTF_8).length;
        }
        return (double) added / payloads.size();
    }

    /** Returns how many payloads arrived, each once, under the lane's quality; 0 if there were more messages. */
    private static int opened(JMSConsumer consumer, Lane lane, List<String> payloads) throws JMSException {
        Set<String> missing = new HashSet<>(payloads);
        for (int i = 0; i < payloads.size(); i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            if (message == null) {
                break;
            }
            if (isFrom(lane, message)) {
                missing.remove(new String(body(message), StandardCharsets.UTF_8));
            }
        }
        return consumer.receiveNoWait() == null ? payloads.size() - missing.size() : 0;
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

    private static byte[] body(Message message) throws JMSException {
        return message instanceof BytesMessage
                ? message.getBody(byte[].class)
                : message.getBody(String.class).getBytes(StandardCharsets.UTF_8);
    }
}
