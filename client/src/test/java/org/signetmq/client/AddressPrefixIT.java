/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;

/** Names with the prefixes of an acceptor, which the broker takes off. */
final class AddressPrefixIT extends BrokerTest {
    private static final String QUEUE = "to-queue.";
    private static final String TOPIC = "to-topic.";

    @ParameterizedTest
    @EnumSource(Client.class)
    void queueWithPrefix_opensWhatIsSealedForItsAddress(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = prefixed(client).createConnection();
                Session session = connection.createSession()) {
            producer.send(QUEUE + address, keys.sealText(address, "a secret"));
            connection.start();

            Message message = take(session, QUEUE + address);

            assertThat(message.getBody(String.class)).isEqualTo("a secret");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void topicWithPrefixAndWildcard_opensWhatMatches(Client client) throws Exception {
        String address = address("privacy");
        String pattern = address.replaceAll("[^.]+$", "*");
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = prefixed(client).createConnection();
                Session session = connection.createSession()) {
            connection.start();
            var consumer = session.createConsumer(session.createTopic(TOPIC + pattern));
            producer.send(producer.context.createTopic(TOPIC + address), keys.sealText(address, "a secret"));

            Message message = consumer.receive(Taking.PATIENCE);

            assertThat(message.getBody(String.class)).isEqualTo("a secret");
        }
    }

    @Test
    void browserContextAndFullName_openToo() throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.core());
                JMSContext context = prefixed(Client.CORE).createContext()) {
            producer.send(QUEUE + address, keys.sealText(address, "a secret"));

            try (QueueBrowser browser = context.createBrowser(context.createQueue(QUEUE + address))) {
                TextMessage browsed = (TextMessage) browser.getEnumeration().nextElement();
                assertThat(browsed.getText()).isEqualTo("a secret");
            }
            try (JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE + address + "::" + address))) {
                assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("a secret");
            }
        }
    }

    @Test
    void deadLetters_goWithPrefixes() throws Exception {
        String address = address("privacy");
        SignetConnectionFactory factory = prefixed(Client.CORE).withDeadLettersOn(List.of(TestBroker.DEAD_LETTERS));
        try (Producer producer = new Producer(broker.core());
                JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE + TestBroker.DEAD_LETTERS))) {
            var message = producer.context.createBytesMessage();
            message.writeBytes(keys.sealText(address, "a secret"));
            message.setStringProperty("_AMQ_ORIG_ADDRESS", address);
            producer.context.createProducer().send(producer.context.createQueue(TestBroker.DEAD_LETTERS), message);

            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("a secret");
        }
    }

    @Test
    void factoryThatIsNotTold_opensNothing() throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.core());
                JMSContext context = throwing(Client.CORE).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(QUEUE + address))) {
            producer.send(address, keys.sealText(address, "a secret"));

            assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE))
                    .isInstanceOf(MessageOpenRuntimeException.class)
                    .hasMessageContaining(QUEUE + address);
        }
    }

    private SignetConnectionFactory prefixed(Client client) {
        return signet(client).withAddressPrefixes(List.of(QUEUE, TOPIC));
    }
}
