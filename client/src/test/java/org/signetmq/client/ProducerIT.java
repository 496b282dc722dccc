/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.apache.activemq.artemis.core.transaction.impl.XidImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.RecordingLogs;

/** Producers that seal what they send. */
final class ProducerIT extends ProtectingBrokerTest {
    private static final String CLIENTS = "org.signetmq.client.TestBroker$Client#oneOrAll";

    private final Password password = Keys.password();

    private SignetConnectionFactory sealing(Client client) {
        return SignetConnectionFactory.open(broker.factory(client), keys.folder, "bob", password);
    }

    @AfterAll
    void closePassword() {
        password.close();
    }

    private static Message first(JMSContext context, String queue) throws JMSException {
        return (Message) context.createBrowser(context.createQueue(queue))
                .getEnumeration()
                .nextElement();
    }

    /** Sends with a factory of one client, and returns what a consumer of the same client receives. */
    private interface Sending {
        void send(JMSContext context, Queue queue) throws Exception;
    }

    private void assertSealed(Client client, String quality, Sending sending, Sending receiving) throws Exception {
        String address = address(quality);
        try (SignetConnectionFactory factory = sealing(client);
                JMSContext context = factory.createContext();
                JMSContext plain = broker.core().createContext();
                JMSContext reading = signet(client).createContext()) {
            sending.send(context, context.createQueue(address));

            assertThat(new String(first(plain, address).getBody(byte[].class), ISO_8859_1))
                    .doesNotContain("secret");
            receiving.send(reading, reading.createQueue(address));
        }
    }

    private static Message received(JMSContext context, Queue queue) {
        Message received = context.createConsumer(queue).receive(Taking.PATIENCE);
        assertThat(received).isNotNull();
        return received;
    }

    /** The producer knows nothing of Signet, and the broker seals. */
    @ParameterizedTest
    @EnumSource(Client.class)
    void hiddenProperty_thatTheBrokerMovedIntoTheEnvelope_isGivenBack(Client client) throws Exception {
        try (JMSContext plain = broker.factory(client).createContext();
                JMSContext other = broker.core().createContext();
                JMSContext reading = signet(client).createContext()) {
            for (String text : List.of("short", "long".repeat(100_000))) {
                String address = address("broker.hidden");
                TextMessage sent = plain.createTextMessage(text);
                sent.setDoubleProperty("amount", 12.5);
                sent.setStringProperty("colour", "blue");
                plain.createProducer().send(plain.createQueue(address), sent);

                assertThat(first(other, address).propertyExists("amount")).isFalse();
                Message message = received(reading, reading.createQueue(address));
                assertThat(message.getObjectProperty("amount")).isEqualTo(12.5);
                assertThat(message.getStringProperty("colour")).isEqualTo("blue");
                assertThat(message.getBody(String.class).equals(text)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void text_toAnAddressOfClients_arrivesSealedByItsProducer(Client client) throws Exception {
        assertSealed(
                client,
                "client.privacy",
                (context, queue) -> context.createProducer().send(queue, "a secret"),
                (context, queue) -> {
                    Message message = received(context, queue);
                    assertThat(message.getBody(String.class)).isEqualTo("a secret");
                    assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                            .isEqualTo(Keys.SIGNER);
                });
    }

    @ParameterizedTest
    @MethodSource(CLIENTS)
    void authenticText_toAnAddressOfClients_arrivesSealed_withTheProofOfItsProducer(Client client) throws Exception {
        assertSealed(
                client,
                "client.authentic",
                (context, queue) -> context.createProducer().send(queue, "a secret"),
                (context, queue) -> {
                    Message message = received(context, queue);
                    assertThat(message.getBody(String.class)).isEqualTo("a secret");
                    assertThat(message.getStringProperty("JMS_Signet_Quality")).isEqualTo("authenticity");
                    assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                            .isEqualTo(Keys.SIGNER);
                    assertThat(message.getStringProperty(SignetConnectionFactory.PROOF_PROPERTY))
                            .isEqualTo("agreement");
                });
    }

    /** The broker seals with its own key, and vouches for the user. */
    @ParameterizedTest
    @MethodSource(CLIENTS)
    void textInClear_toAnAddressOfAuthenticity_arrivesWithTheProofOfTheBroker(Client client) throws Exception {
        String address = address("authentic");
        try (JMSContext plain = broker.factory(client).createContext();
                JMSContext reading = signet(client).createContext()) {
            plain.createProducer().send(plain.createQueue(address), "a secret");

            Message message = received(reading, reading.createQueue(address));

            assertThat(message.getBody(String.class)).isEqualTo("a secret");
            assertThat(message.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                    .isEqualTo(Keys.SIGNER);
            assertThat(message.getStringProperty(SignetConnectionFactory.PROOF_PROPERTY))
                    .isEqualTo("agreement");
        }
    }

    @ParameterizedTest
    @MethodSource(CLIENTS)
    void confidentialText_toAnAddressOfClients_arrivesSealed(Client client) throws Exception {
        assertSealed(
                client,
                "client.confidential",
                (context, queue) -> context.createProducer().send(queue, "a secret"),
                (context, queue) -> assertThat(received(context, queue).getBody(String.class))
                        .isEqualTo("a secret"));
    }

    @Test
    void signedText_toAnAddressOfClients_isAccepted() throws Exception {
        String address = address("client.integrity");
        try (SignetConnectionFactory factory = sealing(Client.CORE);
                JMSContext context = factory.createContext();
                JMSContext reading = signet(Client.AMQP).createContext()) {
            context.createProducer().send(context.createQueue(address), "a text");

            assertThat(take(reading, address).getBody(String.class)).isEqualTo("a text");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void bodiesOfTheSimplifiedApi_withPropertiesOfTheProducer_arriveWithThem(Client client) throws Exception {
        assertSealed(
                client,
                "client.privacy",
                (context, queue) -> {
                    JMSProducer producer = context.createProducer()
                            .setProperty("region", "eu")
                            .setProperty("weight", 7)
                            .setJMSType("order")
                            .setPriority(6)
                            .setTimeToLive(600_000)
                            .setJMSCorrelationID("correlation-1");
                    producer.send(queue, "a secret");
                    producer.send(queue, Map.of("key", "a secret"));
                    producer.send(queue, "a secret".getBytes(UTF_8));
                    producer.send(queue, (java.io.Serializable) 42);
                    producer.send(queue, (String) null);
                    assertThat(producer.getPropertyNames()).containsExactlyInAnyOrder("region", "weight");
                },
                (context, queue) -> {
                    try (var consumer = context.createConsumer(queue)) {
                        Message text = consumer.receive(Taking.PATIENCE);
                        assertThat(((TextMessage) text).getText()).isEqualTo("a secret");
                        assertThat(text.getStringProperty("region")).isEqualTo("eu");
                        assertThat(text.getIntProperty("weight")).isEqualTo(7);
                        assertThat(text.getJMSType()).isEqualTo("order");
                        assertThat(text.getJMSPriority()).isEqualTo(6);
                        assertThat(text.getJMSExpiration()).isPositive();
                        assertThat(text.getJMSCorrelationID()).isEqualTo("correlation-1");
                        assertThat(((MapMessage) consumer.receive(Taking.PATIENCE)).getString("key"))
                                .isEqualTo("a secret");
                        assertThat(consumer.receive(Taking.PATIENCE).getBody(byte[].class))
                                .isEqualTo("a secret".getBytes(UTF_8));
                        assertThat(((ObjectMessage) consumer.receive(Taking.PATIENCE)).getObject())
                                .isEqualTo(42);
                        assertThat(((TextMessage) consumer.receive(Taking.PATIENCE)).getText())
                                .isNull();
                    }
                });
    }

    @Test
    void textWithHalfASurrogatePair_arrives() throws Exception {
        String text = "half \ud83d and \ude00 and whole \ud83d\ude00";
        assertSealed(
                Client.CORE,
                "client.privacy",
                (context, queue) -> context.createProducer().send(queue, text),
                (context, queue) -> assertThat(received(context, queue).getBody(String.class))
                        .isEqualTo(text));
    }

    @Test
    void producersOfQueuesAndTopics_namedAndAnonymous_seal() throws Exception {
        String address = address("client.privacy");
        String topicAddress = address("client.privacy");
        try (SignetConnectionFactory factory = sealing(Client.CORE);
                QueueConnection queues = factory.createQueueConnection();
                TopicConnection topics = factory.createTopicConnection();
                JMSContext reading = signet(Client.CORE).createContext()) {
            Topic topic = reading.createTopic(topicAddress);
            var subscriber = reading.createConsumer(topic);
            QueueSession session = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            Queue queue = session.createQueue(address);
            session.createSender(queue).send(session.createTextMessage("one"));
            session.createProducer(queue).send(session.createTextMessage("two"));
            session.createProducer(null).send(queue, session.createTextMessage("three"), DeliveryMode.PERSISTENT, 4, 0);
            session.createProducer(null)
                    .send(session.createQueue(address + "::" + address), session.createTextMessage("four"));
            TopicSession publishing = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            publishing.createPublisher(topic).publish(publishing.createTextMessage("five"));
            publishing.createPublisher(null).publish(topic, publishing.createTextMessage("six"));

            try (var consumer = reading.createConsumer(reading.createQueue(address))) {
                for (String text : List.of("one", "two", "three", "four")) {
                    assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo(text);
                }
            }
            assertThat(text(subscriber.receive(Taking.PATIENCE))).isEqualTo("five");
            assertThat(text(subscriber.receive(Taking.PATIENCE))).isEqualTo("six");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void message_sentTwiceAndChangedBetween_hasTheHeadersOfEachSend(Client client) throws Exception {
        assertSealed(
                client,
                "client.privacy",
                (context, queue) -> {
                    TextMessage message = context.createTextMessage("a secret");
                    JMSProducer producer =
                            context.createProducer().setPriority(7).setTimeToLive(600_000);
                    producer.send(queue, message);
                    String firstId = message.getJMSMessageID();
                    assertThat(firstId).startsWith("ID:");
                    assertThat(message.getJMSPriority()).isEqualTo(7);
                    assertThat(message.getJMSExpiration()).isGreaterThan(System.currentTimeMillis());
                    assertThat(message.getJMSTimestamp()).isPositive();
                    assertThat(((Queue) message.getJMSDestination()).getQueueName())
                            .isEqualTo(queue.getQueueName());
                    assertThat(message.getText()).isEqualTo("a secret");

                    message.setText("another secret");
                    message.setStringProperty("region", "eu");
                    producer.send(queue, message);

                    assertThat(message.getJMSMessageID()).isNotEqualTo(firstId);
                    BytesMessage bytes = context.createBytesMessage();
                    bytes.writeBytes(new byte[] {1, 2, 3});
                    producer.send(queue, bytes);
                    bytes.reset();
                    assertThat(bytes.getBodyLength()).isEqualTo(3);
                    producer.send(queue, bytes);
                    StreamMessage stream = context.createStreamMessage();
                    stream.writeString("a secret");
                    stream.writeInt(3);
                    producer.send(queue, stream);
                    stream.reset();
                    assertThat(stream.readString()).isEqualTo("a secret");
                    producer.send(queue, stream);
                },
                (context, queue) -> {
                    try (var consumer = context.createConsumer(queue)) {
                        assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo("a secret");
                        Message second = consumer.receive(Taking.PATIENCE);
                        assertThat(text(second)).isEqualTo("another secret");
                        assertThat(second.getStringProperty("region")).isEqualTo("eu");
                        for (int i = 0; i < 2; i++) {
                            assertThat(consumer.receive(Taking.PATIENCE).getBody(byte[].class))
                                    .containsExactly(1, 2, 3);
                        }
                        for (int i = 0; i < 2; i++) {
                            StreamMessage stream = (StreamMessage) consumer.receive(Taking.PATIENCE);
                            assertThat(stream.readString()).isEqualTo("a secret");
                            assertThat(stream.readInt()).isEqualTo(3);
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void transaction_sendsSealedAtCommit_andNothingAfterARollback(Client client) throws Exception {
        String address = address("client.privacy");
        try (SignetConnectionFactory factory = sealing(client);
                JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                JMSContext reading = signet(Client.CORE).createContext()) {
            context.createProducer().send(context.createQueue(address), "rolled back");
            context.rollback();
            context.createProducer().send(context.createQueue(address), "a secret");
            context.commit();

            assertThat(text(take(reading, address))).isEqualTo("a secret");
            awaitMessages(address, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "AMQP", mode = EnumSource.Mode.EXCLUDE)
    void branch_sendsSealedAtCommit_andNothingAfterARollback(Client client) throws Exception {
        String address = address("client.privacy");
        ConnectionFactory provider = client == Client.CORE
                ? broker.core()
                : new ActiveMQXAConnectionFactory(
                        "tcp://127.0.0.1:" + broker.port() + "?jms.watchTopicAdvisories=false");
        try (SignetConnectionFactory factory = SignetConnectionFactory.open(provider, keys.folder, "bob", password);
                XAConnection connection = factory.xa().createXAConnection();
                JMSContext reading = signet(client).createContext()) {
            XASession session = connection.createXASession();
            MessageProducer producer = session.createProducer(session.createQueue(address));
            for (boolean commits : new boolean[] {false, true}) {
                Xid branch = new XidImpl(new byte[] {1}, 4711, new byte[] {(byte) (commits ? 1 : 0)});
                session.getXAResource().start(branch, XAResource.TMNOFLAGS);
                producer.send(session.createTextMessage("commits: " + commits));
                session.getXAResource().end(branch, XAResource.TMSUCCESS);
                if (commits) {
                    session.getXAResource().commit(branch, true);
                } else {
                    session.getXAResource().rollback(branch);
                }
            }

            assertThat(text(take(reading, address))).isEqualTo("commits: true");
            awaitMessages(address, 0);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "OPENWIRE", mode = EnumSource.Mode.EXCLUDE)
    void asynchronousSend_completesWithTheMessageOfTheApplication(Client client) throws Exception {
        String address = address("client.privacy");
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
        try (SignetConnectionFactory factory = sealing(client);
                Connection connection = factory.createConnection();
                JMSContext reading = signet(client).createContext()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue(address));
            TextMessage message = session.createTextMessage("a secret");
            producer.send(message, listener);

            assertThat(completed.get(Taking.PATIENCE, TimeUnit.MILLISECONDS)).isSameAs(message);
            assertThat(message.getJMSMessageID()).startsWith("ID:");
            assertThat(text(take(reading, address))).isEqualTo("a secret");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void hiddenProperty_travelsInsideTheEnvelope_andOneInClearCountsNothing(Client client) throws Exception {
        String address = address("client.hidden");
        try (SignetConnectionFactory factory = sealing(client);
                JMSContext context = factory.createContext();
                JMSContext plain = broker.core().createContext();
                JMSContext reading = signet(client).createContext()) {
            Queue queue = context.createQueue(address);
            Message message = context.createTextMessage("a text");
            message.setLongProperty("amount", 4711L);
            message.setStringProperty("region", "eu");
            context.createProducer().send(queue, message);
            context.createProducer().setProperty("amount", 0.5).send(queue, "another text");

            Message stored = first(plain, address);
            assertThat(stored.propertyExists("amount")).isFalse();
            assertThat(stored.getStringProperty("region")).isEqualTo("eu");
            try (var consumer = reading.createConsumer(reading.createQueue(address))) {
                Message received = consumer.receive(Taking.PATIENCE);
                assertThat(received.getObjectProperty("amount")).isEqualTo(4711L);
                assertThat(received.getStringProperty("region")).isEqualTo("eu");
                assertThat(consumer.receive(Taking.PATIENCE).getDoubleProperty("amount"))
                        .isEqualTo(0.5);
            }
        }
        try (JMSContext context = plain().factory(client).createContext();
                JMSContext reading = SignetConnectionFactory.wrap(plain().factory(client), keys.opener())
                        .createContext()) {
            BytesMessage forged = context.createBytesMessage();
            forged.writeBytes(keys.sealText(address, "a text"));
            forged.setLongProperty("amount", 1L);
            context.createProducer().send(context.createQueue(address), forged);

            assertThat(take(reading, address).propertyExists("amount")).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void replyOnATemporaryQueue_isSealedForTheRequester_andOneInClearIsNotDelivered(Client client) throws Exception {
        String address = address("client.privacy");
        try (SignetConnectionFactory ofRequester = sealing(client);
                SignetConnectionFactory ofResponder =
                        SignetConnectionFactory.open(broker.factory(client), keys.folder, "alice", password);
                JMSContext requester = ofRequester.createContext();
                JMSContext responder = ofResponder.createContext();
                JMSContext plain = broker.factory(client).createContext()) {
            Queue replies = requester.createTemporaryQueue();
            var consumer = requester.createConsumer(replies);
            requester.createProducer().setJMSReplyTo(replies).send(requester.createQueue(address), "a secret question");
            Message request = take(responder, address);

            plain.createProducer().send(request.getJMSReplyTo(), "forged");
            assertThat(consumer.receive(300)).isNull();
            responder.createProducer().send(request.getJMSReplyTo(), "a secret answer");

            Message reply = consumer.receive(Taking.PATIENCE);
            assertThat(text(reply)).isEqualTo("a secret answer");
            assertThat(reply.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY))
                    .isEqualTo("privacy");
            assertThat(reply.getStringProperty(SignetConnectionFactory.SIGNER_PROPERTY))
                    .isEqualTo("CN=alice,O=Example");
        }
    }

    @Test
    void largeBytes_inMemoryAndFromAStream_arrive() throws Exception {
        byte[] body = Kind.bytes(1_200_000);
        assertSealed(
                Client.CORE,
                "client.privacy",
                (context, queue) -> {
                    BytesMessage whole = context.createBytesMessage();
                    whole.writeBytes(body);
                    context.createProducer().send(queue, whole);
                    BytesMessage streamed = context.createBytesMessage();
                    streamed.setObjectProperty("JMS_AMQ_InputStream", new ByteArrayInputStream(body));
                    context.createProducer().send(queue, streamed);
                    BytesMessage small = context.createBytesMessage();
                    small.setObjectProperty("JMS_AMQ_InputStream", new ByteArrayInputStream(new byte[0]));
                    context.createProducer().send(queue, small);
                },
                (context, queue) -> {
                    try (var consumer = context.createConsumer(queue)) {
                        for (byte[] expected : List.of(body, body, new byte[0])) {
                            BytesMessage received = (BytesMessage) consumer.receive(Taking.PATIENCE);
                            byte[] bytes = new byte[(int) received.getBodyLength()];
                            received.readBytes(bytes);
                            assertThat(bytes).isEqualTo(expected);
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(value = Client.class, names = "CORE", mode = EnumSource.Mode.EXCLUDE)
    void largeBytes_ofALibraryWithoutStreams_arrive(Client client) throws Exception {
        byte[] body = Kind.bytes(1_200_000);
        assertSealed(
                client,
                "client.confidential",
                (context, queue) -> context.createProducer().send(queue, body),
                (context, queue) -> assertThat(received(context, queue).getBody(byte[].class))
                        .isEqualTo(body));
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void openedMessage_sentOn_isSealedAgain(Client client) throws Exception {
        String address = address("client.privacy");
        String next = address("client.confidential");
        try (SignetConnectionFactory factory =
                        SignetConnectionFactory.open(broker.factory(client), keys.folder, "alice", password);
                JMSContext context = factory.createContext();
                JMSContext plain = broker.core().createContext()) {
            send(address, keys.sealText(address, "a secret"));
            context.createProducer().send(context.createQueue(next), take(context, address));

            assertThat(first(plain, next).getBody(byte[].class)).isNotEqualTo("a secret".getBytes(UTF_8));
            Message received = take(context, next);
            assertThat(text(received)).isEqualTo("a secret");
            assertThat(received.getStringProperty("region")).isEqualTo("eu");
        }
    }

    @Test
    void envelopeOfTheApplication_passesAsItIs_andOneForAnotherAddressIsRefused() throws Exception {
        String address = address("client.privacy");
        byte[] envelope = keys.sealText(address, "a secret");
        try (SignetConnectionFactory factory = sealing(Client.CORE);
                JMSContext context = factory.createContext();
                JMSContext plain = broker.core().createContext()) {
            context.createProducer().send(context.createQueue(address), envelope);
            assertThat(first(plain, address).getBody(byte[].class)).isEqualTo(envelope);

            String signed = address("client.integrity");
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(signed), envelope))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining(signed)
                    .hasMessageContaining("does not satisfy policy 'client.integrity.#@17'");
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void factoryWithoutIdentity_isToldAtOnce(Client client) throws Exception {
        String address = address("client.privacy");
        try (JMSContext context = signet(client).createContext();
                Connection connection = signet(client).createConnection()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(address), "a secret"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("has no identity")
                    .hasMessageContaining("client.privacy.#@17")
                    .hasMessageNotContaining("secret");
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue(address));
            assertThatThrownBy(() -> producer.send(session.createTextMessage("a secret")))
                    .isInstanceOf(JMSSecurityException.class)
                    .extracting(e -> ((JMSException) e).getErrorCode())
                    .isEqualTo("NOT_SEALED");
        }
        assertThat(broker.messages(address)).isZero();
    }

    /** Returns a home with other policies, as a client has that does not know the recipients of the broker. */
    private Path homeWithout(Path folder, UnmatchedAddress unmatched) throws Exception {
        try (Stream<Path> all = Files.walk(keys.folder)) {
            for (Path each : all.toList()) {
                Path copy = folder.resolve(keys.folder.relativize(each).toString());
                if (!Files.exists(copy)) {
                    Files.copy(each, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        List<String> nobody = List.of("nobody");
        PolicySet policies = PolicySet.of(
                18,
                unmatched,
                List.of(
                        Policy.privacy("client.privacy.#", nobody)
                                .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT)),
                        Policy.confidentiality("confidential.#", nobody, KeyLimits.DEFAULT)));
        Files.write(folder.resolve("policies.json"), PolicyFile.bytes(policies));
        return folder;
    }

    @Test
    void unknownRecipient_isRefusedForClient_andLeftToTheBrokerForEither(@TempDir Path folder) throws Exception {
        String strict = address("client.privacy");
        String either = address("confidential");
        Path home = homeWithout(folder, UnmatchedAddress.REJECT);
        try (SignetConnectionFactory factory = SignetConnectionFactory.open(broker.core(), home, "bob", password);
                JMSContext context = factory.createContext();
                JMSContext reading = signet(Client.CORE).createContext()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(strict), "a secret"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("client.privacy.#@18")
                    .hasMessageContaining("recipient 'nobody': no such certificate");
            context.createProducer().send(context.createQueue(either), "a secret");
            context.createProducer().send(context.createQueue(either), "a secret");
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(address("other")), "a text"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("no policy is for it");

            assertThat(text(take(reading, either))).isEqualTo("a secret");
            assertThat(RecordingLogs.lines().stream()
                            .filter(line -> line.contains("confidential.#@18")
                                    && line.contains("sent in clear for the broker to seal")))
                    .hasSize(1);
        }
        assertThat(broker.messages(strict)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client.privacy", "privacy"}) // the policy of the second one lets the broker seal, too
    void closedFactory_sealsNoMore(String policy) throws Exception {
        String address = address(policy);
        SignetConnectionFactory factory = sealing(Client.CORE);
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue(address), "a secret");
            factory.close();

            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(address), "a secret"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("the factory is closed");
        }
    }

    @Test
    void destinationOfSeveralAddresses_isRefused() throws Exception {
        String addresses = address("open") + ',' + address("client.privacy");
        try (SignetConnectionFactory factory = sealing(Client.OPENWIRE);
                JMSContext context = factory.createContext()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue(addresses), "a secret"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("send it to each address by itself");
            context.createProducer()
                    .send(context.createQueue(address("open") + ',' + address("open")), "a text"); // needs no envelope
        }
    }

    @Test
    void objectOfAmqpTypes_arrivesAsOne() throws Exception {
        assertSealed(
                Client.AMQP,
                "client.privacy",
                (context, queue) -> {
                    ObjectMessage message = context.createObjectMessage();
                    message.setBooleanProperty("JMS_AMQP_TYPED_ENCODING", true);
                    message.setObject(new ArrayList<>(List.of("a secret", 7, true)));
                    context.createProducer().send(queue, message);
                },
                (context, queue) -> assertThat(((ObjectMessage) received(context, queue)).getObject())
                        .isEqualTo(List.of("a secret", 7, true)));
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void closedContextAndSession_throwAsWithoutSignet(Client client) throws Exception {
        String address = address("client.privacy");
        try (SignetConnectionFactory factory = sealing(client);
                Connection connection = factory.createConnection()) {
            JMSContext context = factory.createContext();
            JMSProducer sender = context.createProducer();
            Queue queue = context.createQueue(address);
            context.close();
            assertThatThrownBy(() -> sender.send(queue, "a secret")).isInstanceOf(IllegalStateRuntimeException.class);

            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(queue);
            TextMessage message = session.createTextMessage("a secret");
            session.close();
            assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** A clock that a test sets. */
    private static final class Hand extends Clock {
        private volatile Duration ahead = Duration.ZERO;

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }
    }

    @Test
    void clockADayOff_seals_andACertificateThatEndsDuringTheSessionDoesNot() throws Exception {
        String address = address("client.integrity");
        Hand clock = new Hand();
        try (SignetConnectionFactory factory =
                        SignetConnectionFactory.open(broker.core(), keys.folder, List.of(keys.signer()), clock);
                JMSContext context = factory.createContext();
                JMSContext reading = signet(Client.CORE).createContext()) {
            Queue queue = context.createQueue(address);
            var consumer = reading.createConsumer(queue);
            for (int days : new int[] {0, 1}) {
                clock.ahead = Duration.ofDays(days);
                context.createProducer().send(queue, "a text");
                assertThat(text(consumer.receive(Taking.PATIENCE))).isEqualTo("a text");
            }
            for (int days : new int[] {-1, 3000}) {
                clock.ahead = Duration.ofDays(days);
                assertThatThrownBy(() -> context.createProducer().send(queue, "a text"))
                        .isInstanceOf(JMSSecurityRuntimeException.class)
                        .hasMessageContaining("client.integrity.#@17")
                        .hasMessageContaining(days < 0 ? "not valid before" : "expired");
            }
        }
    }
}
