/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.config.DivertConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicaPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.protect.SeenMessages;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Stomp;
import org.signetmq.testkit.Tier;

/** Signed messages that a client sends again, at an address with a replay window. */
final class ReplayIT extends OneBroker {
    private static final String ORDERS = "orders";
    private static final String TAKEN = "took this message before";
    private static final Duration DAY = Duration.ofDays(1);

    private @Nullable Identity partner;
    private PolicySet policies = PolicySet.EMPTY;

    private TestBroker startWithWindow(Duration window) throws Exception {
        setup.own();
        partner = homes.createUser("partner");
        policies = homes.policies(
                1,
                Policy.integrity(ORDERS)
                        .with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT))
                        .with(new Enforcement(SignatureCheck.SIGNATURE, false, false, window, List.of())));
        return start(ORDERS);
    }

    private byte[] signed(Duration before) {
        ClearMessage message =
                new ClearMessage(ORDERS, ClearMessage.Body.BYTES, Producers.utf8("pay 100"), null, Map.of());
        try (Sealer sealer = sealer(before)) {
            return sealer.seal(message, policies.find(ORDERS).orElseThrow(), Objects.requireNonNull(partner));
        }
    }

    private Sealer sealer(Duration before) {
        return Sealer.create(
                homes.broker.recipientDirectory(),
                trustOfNow(homes.broker.certificateTrust()),
                Clock.fixed(Instant.now().minus(before), ZoneOffset.UTC),
                PregenerationSettings.AUTO);
    }

    /** Trusts certificates at the time of the test, whatever the clock of the signer says. */
    private static CertificateTrust trustOfNow(CertificateTrust trust) {
        return (CertificateTrust) Proxy.newProxyInstance(
                ReplayIT.class.getClassLoader(), new Class<?>[] {CertificateTrust.class}, (self, method, arguments) -> {
                    if (arguments != null && arguments[arguments.length - 1] instanceof Instant) {
                        arguments[arguments.length - 1] = Instant.now();
                    }
                    return method.invoke(trust, arguments);
                });
    }

    private byte[] large() throws Exception {
        ClearMessage head = new ClearMessage(ORDERS, ClearMessage.Body.BYTES, new byte[0], null, Map.of());
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (Sealer sealer = sealer(Duration.ZERO);
                SegmentSealer segments = sealer.segments(
                        head, policies.find(ORDERS).orElseThrow(), Objects.requireNonNull(partner), sealed::write)) {
            segments.add(new byte[1_500_000], 0, 1_500_000);
            segments.finish();
        }
        return sealed.toByteArray();
    }

    private static void send(Producers producer, TestBroker broker, byte[] bytes) throws Exception {
        switch (producer) {
            case CORE -> Producers.jms(Producers.core(broker), ORDERS, Producers.bytes(bytes));
            case AMQP -> Producers.jms(Producers.amqp(broker), ORDERS, Producers.bytes(bytes));
            case MQTT_5 -> Producers.mqtt5(broker, ORDERS, new org.eclipse.paho.mqttv5.common.MqttMessage(bytes));
            default -> throw new IllegalArgumentException(producer.name());
        }
    }

    private static void send(TestBroker broker, byte[] bytes) throws Exception {
        send(Producers.CORE, broker, bytes);
    }

    private static void assertReplayed(TestBroker broker, byte[] bytes) {
        assertThatThrownBy(() -> send(broker, bytes))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining(TAKEN);
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 4,
            value = {"CORE, false", "MQTT_5, false", "AMQP, true", "CORE, true", "AMQP, false", "MQTT_5, true"})
    void messageThatComesAgain_isRejected_byAnyProtocol(Producers producer, boolean isLarge) throws Exception {
        TestBroker broker = startWithWindow(DAY);
        byte[] envelope = isLarge ? large() : signed(Duration.ZERO);
        send(producer, broker, envelope);
        assertThat(broker.nextBody(ORDERS)).isEqualTo(envelope);

        try {
            send(producer, broker, envelope);
        } catch (Exception rejected) {
            assertThat(rejected).isNotInstanceOf(IllegalStateException.class);
        }

        await().until(() -> broker.rejected() == 1);
        assertReplayed(broker, envelope);
        assertThat(broker.poll(ORDERS)).isNull();
        assertThat(AuditLines.of("message-rejected"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.get("reason").asText()).isEqualTo("replayed"));
        send(producer, broker, isLarge ? large() : signed(Duration.ZERO));
        assertThat(broker.poll(ORDERS)).isNotNull();
        await().untilAsserted(() -> assertThat(broker.disk().largeFiles()).isEmpty()); // the broker deletes it later
    }

    @Test
    void messageThatComesAgainAfterARestart_isRejected() throws Exception {
        TestBroker broker = startWithWindow(DAY);
        byte[] envelope = signed(Duration.ZERO);
        send(broker, envelope);
        assertThat(broker.poll(ORDERS)).isNotNull();
        broker.close();

        TestBroker restarted = start(setup.plugin(new SignetPlugin()));

        assertReplayed(restarted, envelope);
        send(restarted, signed(Duration.ZERO));
        assertThat(roomAtStart(restarted)).isGreaterThan(SeenMessages.MOST);
        restarted.server().getAddressSettingsRepository().swap(Set.of()); // as a reload of broker.xml does
        assertThat(restarted
                        .server()
                        .getAddressSettingsRepository()
                        .getMatch("$signet::seen")
                        .getIDCacheSize())
                .isGreaterThan(SeenMessages.MOST);
    }

    /** Returns how many identifiers the broker loads, and does not delete. */
    private static int roomAtStart(TestBroker broker) {
        return broker.server()
                .getPostOffice()
                .getDuplicateIDCache(SimpleString.of("$signet::seen"))
                .getSize();
    }

    @Tag(Tier.LONG)
    @Test
    void messageThatComesAgainAtTheBackup_isRejected() throws Exception {
        TestBroker.Setup second = new TestBroker.Setup(homes, folder.resolve("backup-data")).backup();
        setup.with(configuration -> ReplicationIT.pair(
                configuration, List.of(setup.uri(), second.uri()), new ReplicatedPolicyConfiguration()));
        TestBroker primary = startWithWindow(DAY);
        TestBroker backup = closing(second.with(configuration -> ReplicationIT.pair(
                        configuration, List.of(second.uri(), setup.uri()), new ReplicaPolicyConfiguration()))
                .start());
        await().until(() -> backup.server().isReplicaSync());
        byte[] envelope = signed(Duration.ZERO);
        send(primary, envelope);
        primary.crash();
        assertThat(backup.server().waitForActivation(60, TimeUnit.SECONDS)).isTrue();
        await().until(backup.server()::isActive);

        assertReplayed(backup, envelope);

        send(backup, signed(Duration.ZERO));
        assertThat(backup.nextBody(ORDERS)).isEqualTo(envelope);
    }

    @Test
    void clockOffByADay_isRejectedWithBothTimes() throws Exception {
        TestBroker broker = startWithWindow(Duration.ofHours(12));

        assertThatThrownBy(() -> send(broker, signed(DAY)))
                .hasMessageContaining("longer ago than the replay-window of 12h")
                .hasMessageContaining("set the producer's clock");
        assertThatThrownBy(() -> send(broker, signed(DAY.negated())))
                .hasMessageContaining("more than 5m ahead")
                .hasMessageContaining("set the producer's clock");

        assertThat(broker.poll(ORDERS)).isNull();
        send(broker, signed(Duration.ofHours(11)));
        send(broker, signed(Duration.ofMinutes(4).negated()));
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void transaction_takesAMessageOnce_andForgetsItWithARollback(JmsClient client) throws Exception {
        TestBroker broker = startWithWindow(DAY);
        byte[] envelope = signed(Duration.ZERO);
        ConnectionFactory factory = client.factory(broker);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue(ORDERS))) {
            producer.send(Producers.bytes(envelope).make(session));
            session.rollback();
            assertThat(broker.waiting(ORDERS)).isZero();

            assertThatThrownBy(() -> {
                        producer.send(Producers.bytes(envelope).make(session));
                        producer.send(Producers.bytes(envelope).make(session));
                        session.commit();
                    })
                    .isInstanceOf(JMSException.class);
        }
        assertThat(broker.waiting(ORDERS)).isZero();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue(ORDERS))) {
            producer.send(Producers.bytes(envelope).make(session));
            assertReplayed(broker, envelope);
            session.commit();
        }
        await().until(() -> broker.waiting(ORDERS) == 1);
        assertReplayed(broker, envelope);
    }

    @Test
    void twoSendsAtOnce_ofOneMessage_areTakenOnce() throws Exception {
        TestBroker broker = startWithWindow(DAY);
        int rounds = Tier.isLong() ? 50 : 5;
        CyclicBarrier barrier = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 1; round <= rounds; round++) {
                byte[] envelope = signed(Duration.ZERO);
                List<Future<?>> sends = threads
                        .invokeAll(List.of(
                                () -> sendAtOnce(Producers.CORE, broker, envelope, barrier),
                                () -> sendAtOnce(Producers.AMQP, broker, envelope, barrier)))
                        .stream()
                        .<Future<?>>map(send -> send)
                        .toList();
                for (Future<?> send : sends) {
                    assertThat(send.get()).isNotNull();
                }
                long taken = round;
                await().until(() -> broker.waiting(ORDERS) == taken);
                assertThat(broker.rejected()).isEqualTo(taken);
            }
        } finally {
            threads.shutdown();
        }
    }

    private static Boolean sendAtOnce(Producers producer, TestBroker broker, byte[] envelope, CyclicBarrier barrier)
            throws Exception {
        barrier.await();
        try {
            send(producer, broker, envelope);
            return true;
        } catch (JMSException rejected) {
            return false;
        }
    }

    /** The message of a stranger leaves nothing, and the broker's own duplicate detection cannot name an identifier. */
    @Test
    void rejectedMessage_isNotRemembered() throws Exception {
        setup.secured();
        TestBroker broker = startWithWindow(DAY);
        byte[] envelope = signed(Duration.ZERO);
        var mallory =
                new org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory(broker.uri(), "mallory", "secret");
        assertThatThrownBy(() -> Producers.jms(mallory, ORDERS, Producers.bytes(envelope)))
                .isInstanceOf(JMSException.class);
        byte[] changed = envelope.clone();
        changed[changed.length - 1] ^= 1;
        assertThatThrownBy(() -> send(broker, changed)).isInstanceOf(JMSException.class);
        broker.createQueue("$signet");
        Producers.jms(Producers.core(broker), "$signet::seen", Producers.bytes(new byte[1]));

        send(broker, envelope);

        assertThat(broker.nextBody(ORDERS)).isEqualTo(envelope);
    }

    @Test
    void messageThatTheBrokerCannotTake_isNotRemembered() throws Exception {
        setup.with(configuration -> configuration
                .getAddressSettings()
                .put(
                        ORDERS,
                        new AddressSettings()
                                .setMaxSizeBytes(2_000)
                                .setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL)));
        TestBroker broker = startWithWindow(DAY);
        byte[] envelope = signed(Duration.ZERO);
        int before = 0;
        try (Stomp client = Producers.stomp(broker)) { // without flow control
            for (; before < 100; before++) {
                client.sendBytes(ORDERS, signed(Duration.ZERO));
            }
        } catch (IOException full) {
            assertThat(before).isPositive();
        }
        assertThat(before).isLessThan(100);
        try (Stomp client = Producers.stomp(broker)) {
            assertThatThrownBy(() -> client.sendBytes(ORDERS, envelope)).isInstanceOf(IOException.class);
        }
        for (int i = 0; i < before; i++) {
            assertThat(broker.poll(ORDERS)).isNotNull();
        }

        send(broker, envelope);

        assertThat(broker.nextBody(ORDERS)).isEqualTo(envelope);
    }

    /** A producer that is not sure gives an identifier for the broker's duplicate detection. */
    @Test
    void messageWithAnIdentifierAgainstDuplicates_maySafelyComeAgain() throws Exception {
        TestBroker broker = startWithWindow(DAY);
        byte[] envelope = signed(Duration.ZERO);
        for (int i = 0; i < 2; i++) {
            Producers.jms(Producers.core(broker), ORDERS, session -> {
                BytesMessage message = (BytesMessage) Producers.bytes(envelope).make(session);
                message.setStringProperty("_AMQ_DUPL_ID", "the one");
                return message;
            });
        }

        assertThat(broker.nextBody(ORDERS)).isEqualTo(envelope);
        assertThat(broker.poll(ORDERS)).isNull();
        Producers.Making other = session -> {
            BytesMessage message = (BytesMessage) Producers.bytes(envelope).make(session);
            message.setStringProperty("_AMQ_DUPL_ID", "another");
            return message;
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Producers.jms(Producers.core(broker), ORDERS, other))
                    .hasMessageContaining(TAKEN);
        }
    }

    @Test
    void replay_reachesNoDivert_andTheMessageItselfReachesItOnce() throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(
                new DivertConfiguration().setName("copying").setAddress(ORDERS).setForwardingAddress("copies")));
        TestBroker broker = startWithWindow(DAY);
        broker.reader().queue("copies");
        byte[] envelope = signed(Duration.ZERO);
        send(broker, envelope);
        assertThat(broker.nextBody("copies")).isEqualTo(envelope);

        assertReplayed(broker, envelope);

        assertThat(broker.poll("copies")).isNull();
        assertThat(broker.nextBody(ORDERS)).isEqualTo(envelope);
        assertThat(broker.poll(ORDERS)).isNull();
    }

    /** A move of an administrator is no arrival. */
    @Test
    void movedMessage_isNotTakenForAReplay() throws Exception {
        TestBroker broker = startWithWindow(DAY);
        broker.reader()
                .session()
                .createQueue(QueueConfiguration.of("second").setAddress(ORDERS).setRoutingType(RoutingType.ANYCAST));
        send(broker, signed(Duration.ZERO));
        String from = broker.waiting(ORDERS) == 1 ? ORDERS : "second";
        String to = from.equals(ORDERS) ? "second" : ORDERS;

        assertThat(broker.control(from).moveMessages("", to)).isEqualTo(1);

        ClientMessage moved = broker.poll(to);
        assertThat(moved).isNotNull();
        assertThat(broker.rejected()).isZero();
    }

    @Test
    void brokerThatKeepsNoIdentifiers_rejectsTheMessages() throws Exception {
        setup.with(configuration -> configuration.setPersistIDCache(false));
        TestBroker broker = startWithWindow(DAY);

        assertThatThrownBy(() -> send(broker, signed(Duration.ZERO))).hasMessageContaining("persist-id-cache");
    }
}
