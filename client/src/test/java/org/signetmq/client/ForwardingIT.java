/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.message.BodyKind;

/** A received message that is sent on leaves as an ordinary message with the opened content. */
final class ForwardingIT extends BrokerTest {
    @ParameterizedTest
    @EnumSource(Client.class)
    void openedMessage_sentOn_isAnOrdinaryMessage(Client client) throws Exception {
        String address = address("privacy");
        String next = address("next");
        try (Producer producer = new Producer(broker.factory(client));
                Connection connection = signet(client).createConnection()) {
            producer.send(address, keys.sealText(address, "a secret"));
            Session session = connection.createSession();
            connection.start();
            Message received = take(session, address);
            String receivedId = received.getJMSMessageID();

            MessageProducer onward = session.createProducer(session.createQueue(next));
            onward.send(received);

            assertThat(received.getJMSMessageID()).isNotEqualTo(receivedId);
            assertThat(((Queue) received.getJMSDestination()).getQueueName()).isEqualTo(next);
            assertThat(((TextMessage) received).getText()).isEqualTo("a secret");
            Message forwarded = take(producer.context, next);
            assertThat(forwarded.getBody(String.class)).isEqualTo("a secret");
            assertThat(forwarded.getStringProperty("region")).isEqualTo("eu");
            assertThat(forwarded.getIntProperty("weight")).isEqualTo(7);
            assertThat(forwarded.propertyExists("JMS_Signet_Quality")).isFalse();
            assertThat(forwarded.propertyExists("JMS_Signet_Signer")).isFalse();
            assertThat(forwarded.getJMSMessageID()).isEqualTo(received.getJMSMessageID());
            assertThat(forwarded.getJMSCorrelationID()).isEqualTo("correlation-1");
            assertThat(forwarded.getJMSType()).isEqualTo("order");
            assertThat(((Queue) forwarded.getJMSReplyTo()).getQueueName()).isEqualTo("replies");
        }
    }

    /** As those that the broker gives to messages of MQTT: some libraries hand them out, and do not take them. */
    @ParameterizedTest
    @EnumSource(Client.class)
    void openedMessage_withNamesThatAreNoJavaNames_isSentOn(Client client) throws Exception {
        String address = address("privacy");
        String next = address("next");
        try (Producer producer = new Producer(broker.factory(Client.OPENWIRE));
                JMSContext context = signet(client).createContext()) {
            BytesMessage message = producer.context.createBytesMessage();
            message.writeBytes(
                    keys.seal(address, BodyKind.MQTT, new byte[] {1, 2}, Map.of("Content-Type", "text/plain")));
            message.setIntProperty("mqtt.qos.level", 1);
            message.setStringProperty("region", "eu");
            producer.context.createProducer().send(producer.context.createQueue(address), message);
            Message received = take(context, address);

            context.createProducer().send(context.createQueue(next), received);

            Message forwarded = take(producer.context, next);
            assertThat(forwarded.getBody(byte[].class)).containsExactly(1, 2);
            assertThat(forwarded.propertyExists("mqtt.qos.level")).isEqualTo(client != Client.AMQP);
            assertThat(forwarded.getStringProperty("region")).isEqualTo("eu");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void openedMessage_changedAndSentOn_carriesTheChange(Client client) throws Exception {
        String address = address("privacy");
        String next = address("next");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            producer.send(address, keys.sealText(address, "a secret"));
            TextMessage received = (TextMessage) take(context, address);
            assertThatThrownBy(() -> received.setStringProperty("region", "us"))
                    .isInstanceOf(MessageNotWriteableException.class);

            received.clearBody();
            received.setText("changed");
            received.clearProperties();
            received.setStringProperty("region", "us");
            received.setStringProperty("JMS_Signet_Quality", "mine");
            context.createProducer().send(context.createQueue(next), received);

            assertThat(received.getStringProperty("JMS_Signet_Quality")).isEqualTo("mine");
            Message forwarded = take(producer.context, next);
            assertThat(forwarded.getBody(String.class)).isEqualTo("changed");
            assertThat(forwarded.getStringProperty("region")).isEqualTo("us");
            assertThat(forwarded.propertyExists("weight")).isFalse();
        }
    }

    /** The ActiveMQ client has no completion listeners. */
    @ParameterizedTest
    @EnumSource(value = Client.class, names = "OPENWIRE", mode = EnumSource.Mode.EXCLUDE)
    void openedMessage_sentAsynchronously_completesWithTheApplicationsMessage(Client client) throws Exception {
        String address = address("privacy");
        CompletableFuture<Message> completed = new CompletableFuture<>();
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                completed.complete(message);
            }

            @Override
            public void onException(Message message, Exception exception) {
                completed.completeExceptionally(exception);
            }
        };
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            producer.send(address, keys.sealText(address, "a secret"));
            Message received = take(context, address);
            var onward = context.createProducer().setAsync(listener);

            onward.send(context.createQueue(address("next")), received);

            assertThat(completed.get(Taking.PATIENCE, TimeUnit.MILLISECONDS)).isSameAs(received);
            assertThat(onward.getAsync()).isSameAs(listener);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void openedMessage_sentOnThroughTheOtherClient_arrives(Client client) throws Exception {
        String address = address("privacy");
        String next = address("next");
        Client other = client == Client.CORE ? Client.AMQP : Client.CORE;
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext();
                JMSContext onward = signet(other).createContext()) {
            producer.context
                    .createProducer()
                    .setProperty("region", "eu")
                    .send(producer.context.createQueue(address), keys.sealText(address, "a secret"));
            Message received = take(context, address);

            onward.createProducer().send(onward.createQueue(next), received);

            Message forwarded = take(producer.context, next);
            assertThat(forwarded.getBody(String.class)).isEqualTo("a secret");
            assertThat(forwarded.getStringProperty("region")).isEqualTo("eu");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void openedObject_sentOn_isNotDeserialised(Client client) throws Exception {
        String address = address("privacy");
        String next = address("next");
        byte[] serialized = Objects.serialized(new Objects.Order("pump", 3));
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext();
                JMSContext reader = Objects.trusting(broker, client).createContext()) {
            producer.send(address, keys.seal(address, BodyKind.JMS_OBJECT, serialized, Map.of()));
            Message received = take(context, address);

            context.createProducer().send(context.createQueue(next), received);

            Message forwarded = take(reader, next);
            assertThat(((ObjectMessage) forwarded).getObject()).isEqualTo(new Objects.Order("pump", 3));
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void producerWithHeadersAndProperties_sendsAReceivedMessage_changesItAsThePlainClientDoes(Client client)
            throws Exception {
        List<Object> changed = sentByAProducer(signet(client), client, true);

        assertThat(changed).isEqualTo(sentByAProducer(broker.factory(client), client, true));
        assertThat(changed).containsExactly("blue", 3, "correlation-2", "type-2", "other-replies");
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void producerWithProperties_sendsAReadOnlyMessage_failsAsThePlainClientDoes(Client client) throws Exception {
        List<Object> failure = sentByAProducer(signet(client), client, false);

        assertThat(failure).isEqualTo(sentByAProducer(broker.factory(client), client, false));
        assertThat(failure).containsExactly(MessageNotWriteableRuntimeException.class);
    }

    /** What the received message shows after it was sent, or the failure. */
    private List<Object> sentByAProducer(ConnectionFactory factory, Client client, boolean writable) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = factory.createContext()) {
            producer.send(address, keys.sealText(address, "a secret"));
            Message received = take(context, address);
            if (writable) {
                received.clearProperties();
            }
            try {
                context.createProducer()
                        .setProperty("colour", "blue")
                        .setProperty("count", 3)
                        .setJMSCorrelationID("correlation-2")
                        .setJMSType("type-2")
                        .setJMSReplyTo(context.createQueue("other-replies"))
                        .send(context.createQueue(address("next")), received);
            } catch (JMSRuntimeException e) {
                return List.of(e.getClass());
            }
            return List.of(
                    received.getStringProperty("colour"),
                    received.getIntProperty("count"),
                    received.getJMSCorrelationID(),
                    received.getJMSType(),
                    ((Queue) received.getJMSReplyTo()).getQueueName());
        }
    }
}
