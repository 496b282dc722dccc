/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.testkit.RecordingLogs;
import org.signetmq.testkit.Tier;

/** A message that cannot be opened never reaches the application, and no message is lost. */
final class FailureIT extends BrokerTest {
    /** Makes a body that must not be opened. */
    enum Flaw {
        WRONG_KEY(OpenFailure.NOT_A_RECIPIENT),
        TAMPERED(OpenFailure.AUTHENTICATION_FAILED),
        UNPROTECTED(OpenFailure.UNPROTECTED),
        WRONG_ADDRESS(OpenFailure.ADDRESS_MISMATCH),
        TRUNCATED(OpenFailure.MALFORMED),
        TOO_WEAK(OpenFailure.POLICY_VIOLATION);

        final OpenFailure failure;

        Flaw(OpenFailure failure) {
            this.failure = failure;
        }

        byte[] body(Keys keys, String address) {
            byte[] sealed = keys.sealText(address, "a secret");
            return switch (this) {
                case WRONG_KEY -> keys.sealText("foreign." + address, "a secret");
                case TAMPERED -> {
                    sealed[sealed.length - 20] ^= 1;
                    yield sealed;
                }
                case UNPROTECTED -> new byte[] {1, 2, 3};
                case WRONG_ADDRESS -> keys.sealText(address + ".elsewhere", "a secret");
                case TRUNCATED -> Arrays.copyOf(sealed, sealed.length - 1);
                case TOO_WEAK -> keys.sealText("integrity." + address, "a secret");
            };
        }
    }

    /** One is enough where only the client libraries are others. */
    private static Stream<Flaw> flaws() {
        return "few".equals(System.getProperty("signet.tests"))
                ? Stream.of(Flaw.TAMPERED)
                : Tier.cases(2, Flaw.values());
    }

    static Stream<Arguments> cases() {
        return flaws().flatMap(flaw -> Stream.of(Way.values())
                .filter(way -> !way.topic())
                .flatMap(way -> Client.oneOrAll().map(client -> Arguments.of(flaw, way, client))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void messageThatCannotBeOpened_endsInDeadLetterQueue_othersArrive(Flaw flaw, Way way, Client client)
            throws Exception {
        String address = address("privacy");
        byte[] flawed = flaw.body(keys, address);
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "before"), flawed, keys.sealText(address, "after"));

            List<String> texts = new ArrayList<>();
            List<Throwable> failures = new ArrayList<>();
            int thrown = way.name().contains("LISTENER") ? 0 : TestBroker.ATTEMPTS;
            SignetConnectionFactory consumers = SignetConnectionFactory.wrap(
                            broker.factoryForPolling(client), keys.opener())
                    .withOpenFailuresThrown();
            try (Taking taking = way.open(consumers, address)) {
                while (texts.size() < 2 || failures.size() < thrown) {
                    takeOne(taking, texts, failures);
                }
                awaitMessages(address, 0);
            }

            assertThat(texts).containsExactlyInAnyOrder("before", "after");
            assertThat(failures).hasSize(thrown).allSatisfy(e -> assertNames(e, flaw.failure));
            assertThat(RecordingLogs.troubleOf(address))
                    .hasSize(TestBroker.ATTEMPTS - thrown)
                    .allSatisfy(line -> assertThat(line).contains(flaw.failure.name()));
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }

    /** A stranger needs no key to write an address into an envelope. */
    @Test
    void addressInAnEnvelope_isFitForTheLogAndTheException() throws Exception {
        String address = address("privacy");
        String hostile =
                address + "\n\r\u001b[31m\u0085\u009b\u202e\u2066\ufe0f\u2800 {\"event\":'" + "x".repeat(9_000);
        try (Producer producer = new Producer(broker.factory(Client.CORE));
                JMSContext context = SignetConnectionFactory.wrap(broker.factoryForPolling(Client.CORE), keys.opener())
                        .createContext()) {
            producer.send(address, keys.sealText(hostile, "a secret"), keys.sealText(address, "after"));

            assertThat(context.createConsumer(context.createQueue(address)).receiveBody(String.class, 180_000))
                    .isEqualTo("after");
        }
        assertThat(RecordingLogs.troubleOf(address))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .isEqualTo(PrintableText.of(line))
                        .doesNotContain("\"event\"")
                        .hasSizeLessThan(2_000));
        assertThat(catchThrowable(() -> keys.opener().open(keys.sealText(hostile, "a secret"), address)))
                .isInstanceOf(AddressMismatchException.class)
                .extracting(Throwable::getMessage)
                .satisfies(text ->
                        assertThat(text).isEqualTo(PrintableText.of(text)).hasSizeLessThan(1_000));
    }

    static Stream<Arguments> waysThatDoNotThrow() {
        return Stream.of(Way.values())
                .filter(way -> !way.topic() && !way.equals(Way.RECEIVE))
                .flatMap(way -> Client.oneOrAll().map(client -> Arguments.of(way, client)));
    }

    @ParameterizedTest
    @MethodSource("waysThatDoNotThrow")
    void messageThatCannotBeOpened_isSkippedAndLoggedOncePerDelivery_othersArrive(Way way, Client client)
            throws Exception {
        String address = address("privacy");
        byte[] flawed = Flaw.TAMPERED.body(keys, address);
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "before"), flawed, keys.sealText(address, "after"));

            List<String> texts = new ArrayList<>();
            SignetConnectionFactory consumers =
                    SignetConnectionFactory.wrap(broker.factoryForPolling(client), keys.opener());
            try (Taking taking = way.open(consumers, address)) {
                while (texts.size() < 2 || broker.messages(TestBroker.DEAD_LETTERS) == 0) {
                    if (texts.size() >= 2) { // else receive waits to its end for a message after the flawed one
                        producer.send(address, keys.sealText(address, "more"));
                    }
                    Message message = taking.next();
                    if (message != null) {
                        texts.add(message.getBody(String.class));
                        taking.done(message);
                    }
                }
                awaitMessages(address, 0);
            }

            assertThat(texts).filteredOn(text -> !text.equals("more")).containsExactlyInAnyOrder("before", "after");
            assertThat(RecordingLogs.troubleOf(address))
                    .hasSize(TestBroker.ATTEMPTS)
                    .allSatisfy(line -> assertThat(line).contains("AUTHENTICATION_FAILED"));
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void receive_inATransactionThatSentSomething_throwsAndNothingIsLost(Client client) throws Exception {
        String address = address("privacy");
        String replies = address("open");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext(JMSContext.SESSION_TRANSACTED);
                var consumer = context.createConsumer(context.createQueue(address))) {
            context.createProducer().send(context.createQueue(replies), "a reply");
            producer.send(address, Flaw.TAMPERED.body(keys, address));

            assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenRuntimeException.class);
            assertThatThrownBy(context::commit).isInstanceOf(jakarta.jms.TransactionRolledBackRuntimeException.class);

            assertThat(broker.messages(replies)).isZero();
            // the broker counts a message twice while it puts it back into its queue
            Awaitility.await()
                    .untilAsserted(() -> assertThat(broker.messages(address)).isEqualTo(1));
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void receive_besideAnUnacknowledgedMessage_throwsAndNothingIsLost(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client))) {
            producer.send(address, keys.sealText(address, "before"));
            try (JMSContext context = signet(client).createContext(JMSContext.CLIENT_ACKNOWLEDGE);
                    var consumer = context.createConsumer(context.createQueue(address))) {
                assertThat(consumer.receiveBody(String.class, Taking.PATIENCE)).isEqualTo("before");
                producer.send(address, Flaw.TAMPERED.body(keys, address));

                assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE))
                        .isInstanceOf(MessageOpenRuntimeException.class);
            }
            assertThat(broker.messages(address)).isEqualTo(2);
        }
    }

    @Test
    void receive_endsWhenItsTimeIsOver_howeverManyMessagesCannotBeOpened() throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.core());
                JMSContext context = signet(Client.CORE).createContext();
                var consumer = context.createConsumer(context.createQueue(address))) {
            for (int i = 0; i < 5; i++) {
                producer.send(address, Flaw.TAMPERED.body(keys, address));
            }
            long began = System.nanoTime();

            assertThat(consumer.receive(700)).isNull();

            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(690));
            Tier.report("receive(700) over messages that cannot be opened", took, Duration.ofSeconds(2));
        }
    }

    private static void takeOne(Taking taking, List<String> texts, List<Throwable> failures) throws Exception {
        Message message;
        try {
            message = taking.take();
        } catch (MessageOpenException | MessageOpenRuntimeException e) {
            failures.add(e);
            taking.failed();
            return;
        }
        texts.add(message.getBody(String.class));
        taking.done(message);
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void receiveBody_messageThatCannotBeOpened_throwsAndKeepsIt(Client client) throws Exception {
        String address = address("privacy");
        byte[] flawed = Flaw.TAMPERED.body(keys, address);
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = throwing(client).createContext();
                var consumer = context.createConsumer(context.createQueue(address))) {
            producer.send(address, flawed);

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertFails(
                        () -> consumer.receiveBody(String.class, Taking.PATIENCE),
                        MessageOpenRuntimeException.class,
                        OpenFailure.AUTHENTICATION_FAILED);
            }

            assertThat(consumer.receiveBody(String.class, 100)).isNull();
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void browser_messageThatCannotBeOpened_throwsAndGoesOn(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            producer.send(address, Flaw.TAMPERED.body(keys, address), keys.sealText(address, "after"));

            Enumeration<?> shown =
                    context.createBrowser(context.createQueue(address)).getEnumeration();

            assertThat(shown.hasMoreElements()).isTrue();
            assertThat(catchThrowable(() -> shown.nextElement()))
                    .satisfies(e -> assertNames(e, OpenFailure.AUTHENTICATION_FAILED));
            assertThat(shown.hasMoreElements()).isTrue();
            assertThat(((Message) shown.nextElement()).getBody(String.class)).isEqualTo("after");
            assertThat(shown.hasMoreElements()).isFalse();
            assertThat(catchThrowable(() -> shown.nextElement())).isInstanceOf(NoSuchElementException.class);
            assertThat(broker.messages(address)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void closedOpener_keepsMessages(Client client) throws Exception {
        String address = address("privacy");
        Opener closed = keys.newOpener();
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = SignetConnectionFactory.wrap(broker.factory(client), closed)
                        .createContext();
                var consumer = context.createConsumer(context.createQueue(address))) {
            producer.send(address, keys.sealText(address, "a secret"));
            closed.close();

            assertThat(catchThrowable(() -> consumer.receive(Taking.PATIENCE)))
                    .satisfies(e -> assertNames(e, OpenFailure.KEYSTORE));
        }

        try (Taking taking = Way.RECEIVE_TIMEOUT.open(signet(client), address)) {
            Message message = taking.take();
            assertThat(message.getBody(String.class)).isEqualTo("a secret");
            assertThat(message.getJMSRedelivered()).isTrue();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
    }

    /** Messages in clear that are not even bytes. */
    @Nested
    final class InClear {
        @ParameterizedTest
        @EnumSource(Client.class)
        void textAndMap_areRejected(Client client) throws Exception {
            String address = address("privacy");
            try (Producer producer = new Producer(broker.factory(client));
                    Taking taking = Way.RECEIVE_TIMEOUT.open(throwing(client), address)) {
                Queue queue = producer.context.createQueue(address);
                producer.context.createProducer().send(queue, "a secret");

                assertFails(taking::take, MessageOpenException.class, OpenFailure.UNPROTECTED);
            }
            try (Producer producer = new Producer(broker.factory(client))) {
                producer.take(address, 1);
                producer.context
                        .createProducer()
                        .send(producer.context.createQueue(address), java.util.Map.of("a", (Object) "secret"));
            }
            try (Taking taking = Way.CONTEXT.open(throwing(client), address)) {
                assertFails(taking::take, MessageOpenRuntimeException.class, OpenFailure.UNPROTECTED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void rollback_afterFailure_makesTheSessionUsableAgain(Client client) throws Exception {
        String address = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                var connection = signet(client).createConnection()) {
            producer.send(address, keys.sealText(address, "before"), Flaw.TAMPERED.body(keys, address));
            var session = connection.createSession(JMSContext.SESSION_TRANSACTED);
            var consumer = session.createConsumer(session.createQueue(address));
            connection.start();
            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("before");
            assertThatThrownBy(() -> consumer.receive(Taking.PATIENCE)).isInstanceOf(MessageOpenException.class);

            session.rollback();

            assertThat(consumer.receive(Taking.PATIENCE).getBody(String.class)).isEqualTo("before");
            session.commit();
            awaitMessages(address, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void destinationClaimedByMessage_isNotTrusted(Client client) throws Exception {
        String address = address("privacy");
        String other = address("privacy");
        try (Producer producer = new Producer(broker.factory(client));
                Taking taking = Way.RECEIVE_TIMEOUT.open(throwing(client), other)) {
            producer.send(other, keys.sealText(address, "moved"));

            assertFails(taking::take, MessageOpenException.class, OpenFailure.ADDRESS_MISMATCH);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void exceptionListener_isNotToldOfAMessage(Client client) throws Exception {
        String address = address("privacy");
        byte[] flawed = Flaw.TAMPERED.body(keys, address);
        List<String> texts = java.util.Collections.synchronizedList(new ArrayList<>());
        try (Producer producer = new Producer(broker.factory(client));
                JMSContext context = signet(client).createContext()) {
            List<JMSException> told = java.util.Collections.synchronizedList(new ArrayList<>());
            context.setExceptionListener(told::add);
            producer.send(address, flawed, keys.sealText(address, "after"));

            context.createConsumer(context.createQueue(address))
                    .setMessageListener(message -> texts.add(text(message)));

            awaitMessages(address, 0);
            assertThat(texts).containsExactly("after");
            assertThat(told).isEmpty();
            assertThat(producer.take(TestBroker.DEAD_LETTERS, 1)).containsExactly(flawed);
        }
    }
}
