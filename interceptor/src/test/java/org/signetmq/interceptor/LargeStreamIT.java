/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.client.impl.ClientSessionInternal;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.Entity;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** Large bodies of Core clients, which come part by part. */
final class LargeStreamIT extends OneBroker {
    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    private TestBroker broker;

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(policies);
        broker = start("orders");
    }

    private Entity sentAndOpened(String parameters, Producers.Making making) throws Exception {
        Producers.jms(new ActiveMQConnectionFactory(broker.uri() + "?" + parameters), "orders", making);
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        return broker.homes
                .open(broker.nextBody("orders"), "orders")
                .entityIfProtected()
                .orElseThrow();
    }

    /** Compresses to something that still is large. */
    private static String hardToCompress(int length) {
        StringBuilder text = new StringBuilder(LargeBodies.MARK);
        var random = new java.util.SplittableRandom(7);
        while (text.length() < length) {
            text.append(Long.toString(random.nextLong() & Long.MAX_VALUE, 36));
        }
        return text.toString();
    }

    @ParameterizedTest
    @Cases({"400000", "3000000"})
    void compressedText_isSealedInflated(int length) throws Exception {
        String text = hardToCompress(length);

        Entity entity = sentAndOpened("compressLargeMessage=true", session -> session.createTextMessage(text));

        assertThat(entity.bodyKind()).contains(BodyKind.JMS_TEXT);
        assertThat(new String(entity.payload(), StandardCharsets.UTF_8).equals(text))
                .isTrue();
    }

    /** It comes as an ordinary message, and would be longer than one in clear. */
    @Tag(Tier.LONG)
    @Test
    void textThatCompressesWell_isSealedCompressed() throws Exception {
        Entity entity = sentAndOpened(
                "compressLargeMessage=true", session -> session.createTextMessage(LargeBodies.text(10_000_000)));

        assertThat(entity.bodyKind()).contains(BodyKind.JMS_TEXT);
        assertThat(new String(entity.payload(), StandardCharsets.UTF_8).equals(LargeBodies.text(10_000_000)))
                .isTrue();
    }

    @Test
    void compressedTextBeyondTheLimitInMemory_isRejected() throws Exception {
        var compressing = new ActiveMQConnectionFactory(broker.uri() + "?compressLargeMessage=true");

        assertThatThrownBy(() -> Producers.jms(
                        compressing, "orders", session -> session.createTextMessage("x".repeat(40_000_000))))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("once decompressed");
    }

    @Test
    void streamOfUnknownLength_isSealed() throws Exception {
        byte[] body = Producers.utf8(LargeBodies.TEXT);

        Entity entity = sentAndOpened("", session -> {
            BytesMessage message = session.createBytesMessage();
            message.setObjectProperty("JMS_AMQ_InputStream", new ByteArrayInputStream(body));
            return message;
        });

        assertThat(entity.bodyKind()).contains(BodyKind.JMS_BYTES);
        assertThat(entity.payload()).isEqualTo(body);
    }

    @Test
    void emptyStream_isSealed() throws Exception {
        Entity entity = sentAndOpened("", session -> {
            BytesMessage message = session.createBytesMessage();
            message.setObjectProperty("JMS_AMQ_InputStream", InputStream.nullInputStream());
            return message;
        });

        assertThat(entity.payload()).isEmpty();
        assertThat(entity.segment()).hasToString("1 last");
    }

    @Test
    void mapObjectAndStream_areSealedAsWhatTheyAre() throws Exception {
        byte[] bytes = Producers.utf8(LargeBodies.TEXT);

        assertThat(sentAndOpened("", session -> {
                            var message = session.createMapMessage();
                            message.setBytes("all", bytes);
                            return message;
                        })
                        .bodyKind())
                .contains(BodyKind.JMS_MAP);
        assertThat(sentAndOpened("", session -> {
                            var message = session.createStreamMessage();
                            message.writeBytes(bytes);
                            return message;
                        })
                        .bodyKind())
                .contains(BodyKind.JMS_STREAM);
        Entity object = sentAndOpened("", session -> session.createObjectMessage(LargeBodies.TEXT));
        assertThat(object.bodyKind()).contains(BodyKind.JMS_OBJECT);
        assertThat(new java.io.ObjectInputStream(new ByteArrayInputStream(object.payload())).readObject())
                .isEqualTo(LargeBodies.TEXT);
    }

    @Test
    void textOfEveryKindOfCharacter_comesBackExactly() throws Exception {
        String text = "aé€\ud83d\ude00\uffff\ufeff".repeat(100_000);

        Entity entity = sentAndOpened("", session -> session.createTextMessage(text));

        assertThat(new String(entity.payload(), StandardCharsets.UTF_8).equals(text))
                .isTrue();
    }

    @Test
    void textWithHalfACharacter_isRejected() throws Exception {
        String text = LargeBodies.TEXT + '\ud83d';

        assertThatThrownBy(() ->
                        Producers.jms(Producers.core(broker), "orders", session -> session.createTextMessage(text)))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("lone surrogate");

        LargeMessageIT.assertLeavesNothing(broker);
    }

    @Test
    void sizeHeader_tellsTheSealedSize() throws Exception {
        Producers.CORE.send(broker, "orders", LargeBodies.TEXT);

        try (var queue = ActiveMQClient.createServerLocator(broker.uri())) {
            ClientSessionFactory factory = queue.createSessionFactory();
            ClientSession session = factory.createSession();
            session.start();
            ClientMessage message = session.createConsumer("orders").receive(180_000);

            assertThat(message.getLongProperty(org.apache.activemq.artemis.api.core.Message.HDR_LARGE_BODY_SIZE))
                    .isEqualTo(QueueReader.body(message).length);
            factory.close();
        }
    }

    /** Sends a stream that does this when a megabyte is left. */
    private Throwable sendInterrupted(String parameters, Interruption interruption) throws Exception {
        try (ServerLocator locator = ActiveMQClient.createServerLocator(broker.uri() + parameters);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession()) {
            ClientMessage message = session.createMessage(true);
            byte[] body = Producers.utf8(LargeBodies.TEXT);
            message.setBodyInputStream(
                    new InterruptedStream(body, () -> interruption.run((ClientSessionInternal) session)));
            return catchThrowable(() -> session.createProducer("orders").send(message));
        }
    }

    /** An event within a stream. */
    @FunctionalInterface
    private interface Interruption {
        void run(ClientSessionInternal session) throws IOException;
    }

    @Test
    void clientThatDiesWithinAStream_leavesNeitherFileNorState() throws Exception {
        Throwable noticed = sendInterrupted("?reconnectAttempts=0", session -> {
            Awaitility.await().until(() -> LargeBodies.openMessages(broker) == 1);
            session.getConnection().destroy();
            throw new IOException("died");
        });

        assertThat(noticed).isNotNull();
        LargeBodies.awaitNothingLeft(broker);
        assertThat(broker.poll("orders")).isNull();
    }

    @Test
    void clientThatReattachesWithinAStream_losesNothing() throws Exception {
        Throwable noticed = sendInterrupted(
                "?confirmationWindowSize=10000000&reconnectAttempts=10&retryInterval=50",
                session -> session.getConnection().fail(new ActiveMQNotConnectedException("cable pulled")));

        assertThat(noticed).isNull();
        byte[] stored = broker.nextBody("orders");
        assertThat(broker.homes.open(stored, "orders").payload()).isEqualTo(Producers.utf8(LargeBodies.TEXT));
        assertThat(LargeBodies.openMessages(broker)).isZero();
    }

    private byte[] sealedStream(int length) throws Exception {
        return LargeBodies.sealed(broker.homes, policies, LargeBodies.text(length));
    }

    private void send(byte[] body) throws Exception {
        Producers.jms(Producers.core(broker), "orders", Producers.bytes(body));
    }

    @ParameterizedTest
    @Cases({"1200000", "150000", "1048576", "3000000"})
    void sealedStream_passesAsItIs(int length) throws Exception {
        byte[] sealed = sealedStream(length);

        send(sealed);

        assertThat(broker.nextBody("orders")).isEqualTo(sealed);
        assertThat(broker.sealed()).isZero();
        assertThat(broker.state().counts().passed()).isEqualTo(1);
    }

    @Test
    void sealedStreamWithClearBytesBehind_isRejected() throws Exception {
        byte[] sealed = sealedStream(LargeBodies.LENGTH);
        byte[] clear = Producers.utf8(LargeBodies.text(200_000));
        byte[] both = Arrays.copyOf(sealed, sealed.length + clear.length);
        System.arraycopy(clear, 0, both, sealed.length, clear.length);

        assertThatThrownBy(() -> send(both))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("begins with an envelope");

        LargeMessageIT.assertLeavesNothing(broker);
    }

    @Test
    void sealedStreamCutShort_isRejected() throws Exception {
        byte[] sealed = sealedStream(LargeBodies.LENGTH);

        assertThatThrownBy(() -> send(Arrays.copyOf(sealed, sealed.length - 1))).isInstanceOf(JMSException.class);

        LargeMessageIT.assertLeavesNothing(broker);
    }

    /** A second envelope around it would help no consumer. */
    @Test
    void streamOfADamagedEnvelope_isRejected() throws Exception {
        byte[] changed = sealedStream(LargeBodies.LENGTH);
        changed[40] ^= 1;

        assertThatThrownBy(() -> send(changed)).hasMessageContaining("rejected: envelope: ");

        LargeMessageIT.assertLeavesNothing(broker);
    }
}
