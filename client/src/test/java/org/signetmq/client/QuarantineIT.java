/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** A message that cannot be opened goes to the quarantine once, unchanged, and is never lost. */
final class QuarantineIT extends BrokerTest {
    private static final String QUARANTINE = "SIGNET.QUARANTINE";

    @BeforeEach
    void clear() {
        try (JMSContext context = broker.core().createContext()) {
            for (String queue : List.of(QUARANTINE, Keys.EVIDENCE)) {
                context.createConsumer(context.createQueue(queue)).close(); // makes it
                broker.deleteMessages(queue);
            }
        }
    }

    static Stream<Arguments> listeners() {
        return Stream.of(Way.LISTENER, Way.CLIENT_ACKNOWLEDGE_LISTENER, Way.TRANSACTED_LISTENER, Way.CONTEXT_LISTENER)
                .flatMap(way -> Stream.of(Client.values()).map(client -> Arguments.of(way, client)));
    }

    @ParameterizedTest
    @MethodSource("listeners")
    void listener_badMessageBetweenGoodOnes_isInQuarantineUnchanged_othersArriveOnce(Way way, Client client)
            throws Exception {
        String address = address("usual");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        List<String> texts = new ArrayList<>();
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "before"), flawed, keys.sealText(address, "after"));

            try (Taking taking = way.open(signet(client), address)) {
                while (texts.size() < 2) {
                    texts.add(text(taking.take()));
                }
                awaitMessages(QUARANTINE, 1);
                awaitMessages(address, 0);
            }
        }
        assertThat(texts).containsExactly("before", "after");
        assertThat(RecordingLogs.troubleOf(address))
                .singleElement()
                .asString()
                .contains("AUTHENTICATION_FAILED", QUARANTINE);
        assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isZero();
        Message message = fromQuarantine(QUARANTINE);
        assertThat(message.getBody(byte[].class)).isEqualTo(flawed);
        assertThat(message.getJMSType()).isEqualTo("order");
        assertThat(message.getJMSCorrelationID()).isEqualTo("correlation-1");
        assertThat(message.getJMSReplyTo()).isNotNull();
        assertThat(message.getJMSPriority()).isEqualTo(6);
        assertThat(message.getJMSExpiration()).isZero();
        assertThat(message.getJMSDeliveryMode()).isEqualTo(jakarta.jms.DeliveryMode.PERSISTENT);
        assertThat(message.getStringProperty("region")).isEqualTo("eu");
        assertThat(message.getIntProperty("weight")).isEqualTo(7);
        assertThat(message.getStringProperty(QuarantineNote.REASON)).isEqualTo("authentication-failed");
        assertThat(message.getStringProperty(QuarantineNote.ADDRESS)).isEqualTo(address);
        assertThat(message.getStringProperty(QuarantineNote.QUEUE)).isEqualTo(address);
        assertThat(message.getStringProperty(QuarantineNote.MESSAGE)).startsWith("ID:");
        assertThat(message.getStringProperty(QuarantineNote.POLICY)).isEqualTo("usual.#@17");
        assertThat(message.getStringProperty(QuarantineNote.EXPECTED)).isEqualTo("privacy");
        assertThat(message.getStringProperty(QuarantineNote.FOUND)).isEqualTo("privacy or confidentiality");
        assertThat(message.getStringProperty(QuarantineNote.KEY)).matches("(ski|issuer-serial):[0-9a-f]+");
        assertThat(message.getStringProperty(QuarantineNote.SIGNER)).isNull();
        assertThat(message.getLongProperty(QuarantineNote.TIME)).isCloseTo(System.currentTimeMillis(), within());
        assertThat(message.getLongProperty(QuarantineNote.SENT)).isCloseTo(System.currentTimeMillis(), within());
        assertDuplicateId(message, flawed, way != Way.TRANSACTED_LISTENER);
    }

    private static org.assertj.core.data.Offset<Long> within() {
        return org.assertj.core.data.Offset.offset(600_000L);
    }

    private static void assertDuplicateId(Message message, byte[] body, boolean has) throws JMSException {
        Map<String, String> note = new HashMap<>();
        for (String name : List.of(QuarantineNote.ADDRESS, QuarantineNote.QUEUE, QuarantineNote.MESSAGE)) {
            note.put(name, message.getStringProperty(name));
        }
        assertThat(message.getStringProperty(QuarantineNote.DUPLICATE_ID))
                .isEqualTo(
                        has
                                ? QuarantineNote.duplicateId(
                                        note::get,
                                        CryptoProviders.digest("SHA-256").digest(body))
                                : null);
    }

    /** Takes a message with its whole body. */
    private Message fromQuarantine(String queue) throws JMSException {
        try (JMSContext context = broker.core().createContext()) {
            Message message = take(context, queue);
            message.getBody(byte[].class); // a large one arrives while it is read
            return message;
        }
    }

    static Stream<Client> clients() {
        return Stream.of(Client.values());
    }

    /** A listener with good and bad messages in turn. */
    @ParameterizedTest
    @MethodSource("mixed")
    void listener_underLoad_getsEachGoodMessageOnce_andTheQuarantineEachBadOne(Way way, Client client)
            throws Exception {
        String address = address("usual");
        int each = Tier.isLong() ? 1_000 : 60;
        List<String> good = new ArrayList<>();
        try (Producer producer = new Producer(broker.factory(client))) {
            for (int i = 0; i < each; i++) {
                byte[] bad = keys.sealText(address, "bad " + i);
                bad[bad.length - 20] ^= 1;
                producer.send(address, keys.sealText(address, "good " + i), bad);
            }
            try (Taking taking = way.open(signet(client), address)) {
                while (good.size() < each) {
                    good.add(text(taking.take()));
                }
                awaitMessages(QUARANTINE, each);
                awaitMessages(address, 0);
            }
        }
        assertThat(good).hasSize(each).doesNotHaveDuplicates();
        assertThat(broker.messages(TestBroker.DEAD_LETTERS)).isZero();
        assertThat(bodies(QUARANTINE, each)).hasSize(each);
    }

    static Stream<Arguments> mixed() {
        return Stream.of(Way.LISTENER, Way.TRANSACTED_LISTENER)
                .flatMap(way -> Client.oneOrAll().map(client -> Arguments.of(way, client)));
    }

    /** Returns the different bodies in a queue. */
    private Set<ByteBuffer> bodies(String queue, int count) throws Exception {
        Set<ByteBuffer> bodies = new HashSet<>();
        try (Producer taker = new Producer(broker.core())) {
            taker.take(queue, count).forEach(body -> bodies.add(ByteBuffer.wrap((byte[]) body)));
        }
        return bodies;
    }

    /** The rules of the address are for receiving calls, too, if it has any. */
    @ParameterizedTest
    @MethodSource("receiving")
    void receive_withQuarantineInThePolicy_continuesWithTheNextMessage(Way way, Client client) throws Exception {
        String address = address("evidence");
        byte[] flawed = FailureIT.Flaw.UNPROTECTED.body(keys, address);
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, flawed, keys.sealText(address, "after"));

            try (Taking taking = way.open(signet(client), address)) {
                Message message = taking.take();
                assertThat(text(message)).isEqualTo("after");
                taking.done(message);
                awaitMessages(Keys.EVIDENCE, 1);
                awaitMessages(address, 0);
            }
        }
        Message message = fromQuarantine(Keys.EVIDENCE);
        assertThat(message.getBody(byte[].class)).isEqualTo(flawed);
        assertThat(message.getStringProperty(QuarantineNote.REASON)).isEqualTo("unprotected");
        assertThat(message.getStringProperty(QuarantineNote.FOUND)).isEqualTo("none");
        assertThat(message.getStringProperty(QuarantineNote.EXPECTED)).isEqualTo("integrity");
        assertThat(broker.messages(QUARANTINE)).isZero();
    }

    static Stream<Arguments> receiving() {
        return Stream.of(Way.RECEIVE, Way.CLIENT_ACKNOWLEDGE, Way.TRANSACTED, Way.CONTEXT, Way.CONTEXT_TRANSACTED)
                .flatMap(way -> Client.oneOrAll().map(client -> Arguments.of(way, client)));
    }

    @Test
    void receive_withOpenFailuresThrown_throwsAndGivesBack() throws Exception {
        String address = address("evidence");
        send(address, FailureIT.Flaw.UNPROTECTED.body(keys, address));
        try (Taking taking = Way.RECEIVE_TIMEOUT.open(throwing(Client.CORE), address)) {
            assertThatThrownBy(taking::take).isInstanceOf(MessageOpenException.class);
        }
        awaitMessages(address, 1);
        assertThat(broker.messages(Keys.EVIDENCE)).isZero();
    }

    /** All kinds of messages in clear, with names of properties that JMS does not have. */
    @ParameterizedTest
    @EnumSource(Client.class)
    void clearMessage_ofEachKind_isTheSameInQuarantine(Client client) throws Exception {
        String address = address("evidence");
        try (JMSContext context = broker.factory(client).createContext()) {
            for (Kind kind : Kind.values()) {
                Message sent = kind.message(context, 20);
                sent.setStringProperty("kind", kind.name());
                sent.setStringProperty(QuarantineNote.SIGNER, "CN=a forged note");
                sent.setStringProperty(QuarantineNote.DUPLICATE_ID, "the producer's " + kind);
                sent.setStringProperty("JMSXGroupID", "a group");
                context.createProducer().send(context.createQueue(address), sent);
            }
            try (Taking taking = Way.LISTENER.open(signet(client), address)) {
                awaitMessages(Keys.EVIDENCE, Kind.values().length);
                assertThat(taking).isNotNull();
            }
            var consumer = context.createConsumer(context.createQueue(Keys.EVIDENCE));
            for (Kind kind : Kind.values()) {
                Message kept = consumer.receive(Taking.PATIENCE);
                assertThat(kept.getStringProperty("kind")).isEqualTo(kind.name());
                assertThat(Seen.text(Seen.content(kept)))
                        .as(kind.name())
                        .isEqualTo(Seen.text(Seen.content(kind.message(context, 20))));
                assertThat(kept.getStringProperty(QuarantineNote.SIGNER)).isNull();
                assertThat(kept.getStringProperty("JMSXGroupID")).isEqualTo("a group");
                assertThat(kept.getStringProperty(QuarantineNote.DUPLICATE_ID))
                        .satisfies(id -> assertThat(id == null || id.startsWith("sq-"))
                                .as(String.valueOf(id))
                                .isTrue());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void clientAcknowledge_besideAnUnacknowledgedMessage_givesAllBack(Client client) throws Exception {
        String address = address("evidence");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext(JMSContext.CLIENT_ACKNOWLEDGE);
                var consumer = context.createConsumer(context.createQueue(address))) {
            producer.send(address, keys.sealText(address, "before"));
            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("before");
            producer.send(address, FailureIT.Flaw.UNPROTECTED.body(keys, address));

            assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenRuntimeException.class);
        }
        awaitMessages(address, 2);
        assertThat(broker.messages(Keys.EVIDENCE)).isZero();
    }

    @ParameterizedTest
    @MethodSource("clients")
    void transaction_withOtherWork_decidesAboutTheQuarantineToo(Client client) throws Exception {
        String address = address("evidence");
        String replies = address("open");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext(JMSContext.SESSION_TRANSACTED);
                var consumer = context.createConsumer(context.createQueue(address))) {
            producer.send(address, FailureIT.Flaw.UNPROTECTED.body(keys, address), keys.sealText(address, "after"));

            context.createProducer().send(context.createQueue(replies), "a reply");
            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("after");
            assertThat(broker.messages(Keys.EVIDENCE)).isZero();
            context.rollback();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(broker.messages(address)).isEqualTo(2));
            assertThat(broker.messages(Keys.EVIDENCE)).isZero();

            context.createProducer().send(context.createQueue(replies), "a reply");
            assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("after");
            context.commit();
            awaitMessages(replies, 1);
            awaitMessages(address, 0);
            awaitMessages(Keys.EVIDENCE, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("stuck")
    void quarantineThatTakesNothing_becomesARejection_withOneWarning(Way way, Client client) throws Exception {
        String address = address("stuck");
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address);
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, flawed, keys.sealText(address, "after"));

            try (Taking taking = way.open(signet(client), address)) {
                assertThat(text(taking.take())).isEqualTo("after");
                awaitMessages(TestBroker.DEAD_LETTERS, 1);
                awaitMessages(address, 0);
            }
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
        assertThat(RecordingLogs.troubleOf(address))
                .filteredOn(line -> line.contains("permission 'send'"))
                .singleElement()
                .asString()
                .contains(TestBroker.REFUSED);
    }

    static Stream<Arguments> stuck() {
        return Stream.of(Way.LISTENER, Way.TRANSACTED_LISTENER, Way.CONTEXT_LISTENER)
                .flatMap(way -> Stream.of(Client.values()).map(client -> Arguments.of(way, client)));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.client.TestBroker$Client#oneOrAll")
    void skippedMessage_isGoneAndCounted(Client client) throws Exception {
        String address = address("skipped");
        SignetConnectionFactory factory = signet(client);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new SignetMetrics(factory).bindTo(registry);
        try (Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.RECEIVE_TIMEOUT.open(factory, address)) {
            producer.send(address, FailureIT.Flaw.TAMPERED.body(keys, address), keys.sealText(address, "after"));

            assertThat(text(taking.take())).isEqualTo("after");
            awaitMessages(address, 0);
        }
        assertThat(broker.messages(QUARANTINE) + broker.messages(TestBroker.DEAD_LETTERS))
                .isZero();
        assertThat(RecordingLogs.troubleOf(address)).singleElement().asString().contains("skipped");
        assertThat(registry.get("signet.client.unopened")
                        .tags("fate", "skipped", "reason", "authentication-failed")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    /** It would come back for ever. */
    @Test
    void messageInQuarantine_isNotSentThereAgain() throws Exception {
        byte[] flawed = FailureIT.Flaw.TAMPERED.body(keys, address("usual"));
        send(QUARANTINE, flawed);
        try (Taking taking = Way.LISTENER.open(signet(Client.CORE), QUARANTINE)) {
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
            assertThat(taking).isNotNull();
        }
        send(Keys.EVIDENCE, flawed);
        try (Taking taking = Way.LISTENER.open(signet(Client.CORE), Keys.EVIDENCE)) {
            awaitMessages(TestBroker.DEAD_LETTERS, 2);
            assertThat(taking).isNotNull();
        }
        assertThat(broker.messages(QUARANTINE) + broker.messages(Keys.EVIDENCE)).isZero();
    }

    @Test
    void closedOpener_putsNothingIntoQuarantine() throws Exception {
        String address = address("usual");
        Opener closed = keys.newOpener();
        closed.close();
        send(address, keys.sealText(address, "a secret"));
        try (Taking taking = Way.LISTENER.open(SignetConnectionFactory.wrap(broker.core(), closed), address)) {
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
            assertThat(taking).isNotNull();
        }
        assertThat(broker.messages(QUARANTINE)).isZero();
    }

    @Test
    void listenerThatGetsOnlyBadMessages_saysSoInTheLogAndInTheMetrics() throws Exception {
        String address = address("usual");
        SignetConnectionFactory factory = signet(Client.CORE);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new SignetMetrics(factory).bindTo(registry);
        byte[][] bad = new byte[12][];
        for (int i = 0; i < bad.length; i++) {
            bad[i] = (i == 3 ? FailureIT.Flaw.WRONG_ADDRESS : FailureIT.Flaw.TAMPERED).body(keys, address);
        }
        send(address, bad);
        try (Taking taking = Way.LISTENER.open(factory, address)) {
            awaitMessages(QUARANTINE, bad.length);
            awaitMessages(address, 0);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(registry.get("signet.client.failing")
                                    .gauge()
                                    .value())
                            .isEqualTo(bad.length));
            assertThat(registry.get("signet.client.unopened")
                            .tags("fate", "quarantined", "reason", "address-mismatch")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            send(address, keys.sealText(address, "good"));
            assertThat(text(taking.take())).isEqualTo("good");
            assertThat(registry.get("signet.client.failing").gauge().value()).isZero();
        }
        assertThat(RecordingLogs.troubleOf(address))
                .filteredOn(line -> line.startsWith("ERROR"))
                .singleElement()
                .asString()
                .contains("the last 10 attempts", "authentication-failed");
    }

    /** The Artemis client streams it, and finds the damage after the listener has begun to read it. */
    @ParameterizedTest
    @MethodSource("large")
    void largeMessage_whoseEndIsDamaged_isInQuarantineUnchanged(int length, Client client, Way way) throws Exception {
        String address = address("usual");
        byte[] sealed = keys.sealLarge(address, BodyKind.JMS_BYTES, new byte[length]);
        sealed[sealed.length - 50] ^= 1;
        send(address, sealed, keys.sealText(address, "after"));
        try (Taking taking = way.open(signet(client), address)) {
            Awaitility.await().until(() -> broker.messages(QUARANTINE) == 1 && broker.messages(address) == 0);
            assertThat(taking).isNotNull();
        }
        Message message = fromQuarantine(QUARANTINE);
        assertThat(message.getBody(byte[].class)).isEqualTo(sealed);
        assertThat(message.getStringProperty(QuarantineNote.REASON)).isEqualTo("authentication-failed");
        assertThat(message.getStringProperty("region")).isEqualTo("eu");
        assertDuplicateId(message, sealed, way != Way.TRANSACTED_LISTENER);
    }

    static Stream<Arguments> large() {
        Stream<Arguments> tiers = Tier.cases(1, 1_200_000, 64 << 20)
                .flatMap(
                        length -> Stream.of(Client.values()).map(client -> Arguments.of(length, client, Way.LISTENER)));
        return Stream.concat(
                tiers,
                Stream.of(
                        Arguments.of(8_500_000, Client.CORE, Way.LISTENER),
                        Arguments.of(8_500_000, Client.CORE, Way.TRANSACTED_LISTENER)));
    }
}
