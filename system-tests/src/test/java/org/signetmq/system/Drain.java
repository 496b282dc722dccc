/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.BrokerInstance;

/** A consumer that opens all that lies on a queue. */
final class Drain {
    private static final int PATIENCE_MILLIS = 3_000;

    private Drain() {}

    /** The numbers of all messages of this load. Each must open with its original content. */
    static List<Integer> numbers(String url, Load load, Signet signet) throws JMSException {
        List<Integer> numbers = new ArrayList<>();
        for (String queue : load.queues()) {
            texts(url, queue, signet).forEach(text -> numbers.add(load.number(text)));
        }
        return numbers;
    }

    private static List<String> texts(String url, String queue, Signet signet) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Password password = Password.takeOwnershipOf(Signet.PASSWORD.toCharArray());
                ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(url);
                SignetConnectionFactory factory =
                        SignetConnectionFactory.open(artemis, signet.consumerHome(), Signet.CONSUMER, password);
                Connection connection = factory.withOpenFailuresThrown()
                        .createConnection(BrokerInstance.USER, BrokerInstance.PASSWORD);
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue + "::" + queue))) {
            connection.start();
            for (Message message = consumer.receive(PATIENCE_MILLIS);
                    message != null;
                    message = consumer.receive(PATIENCE_MILLIS)) {
                texts.add(text(message));
            }
        }
        return texts;
    }

    /** MQTT knows only bytes. */
    private static String text(Message message) throws JMSException {
        return message instanceof BytesMessage
                ? new String(message.getBody(byte[].class), StandardCharsets.UTF_8)
                : message.getBody(String.class);
    }
}
