/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.QualityOfProtection;

/** A consumer with the client library over the Artemis client. */
final class Receiver {
    private static final int PATIENCE_MILLIS = 5_000;

    private final DemoBroker broker;
    private final DemoHomes.Side consumer;

    Receiver(DemoBroker broker, DemoHomes.Side consumer) {
        this.broker = broker;
        this.consumer = consumer;
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
        // the queue itself, also where the address distributes to many
        String queue = lane.address() + "::" + lane.address();
        try (Connection connection = factory.createConnection(DemoBroker.CONSUMER, broker.password());
                Session session = connection.createSession();
                MessageConsumer messages = session.createConsumer(session.createQueue(queue))) {
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
