/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** The ways of large messages within the broker and between brokers. */
final class LargePathIT {
    private static final List<String> CONSUMER = List.of(TestHomes.CONSUMER);

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @TempDir
    private Path folder;

    private TestBroker.Setup setup() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(policies);
        return setup;
    }

    private void assertOpens(TestBroker broker, byte[] stored) {
        String text = broker.homes.text(stored, "orders", policies);
        assertThat(text.equals(LargeBodies.TEXT)).isTrue();
    }

    static Stream<Integer> versionsOfMqtt() {
        return Tier.cases(1, 5, 3);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("versionsOfMqtt")
    void retainedMessage_isSealedOnceForLateSubscribers(int version) throws Exception {
        try (TestBroker broker = setup().start()) {
            if (version == 3) {
                var message = new MqttMessage(Producers.utf8(LargeBodies.TEXT));
                message.setRetained(true);
                Producers.mqtt3(broker, "orders", message);
            } else {
                var message = new org.eclipse.paho.mqttv5.common.MqttMessage(Producers.utf8(LargeBodies.TEXT));
                message.setRetained(true);
                Producers.mqtt5(broker, "orders", message);
            }

            BlockingQueue<byte[]> received = new ArrayBlockingQueue<>(10);
            MqttClient client = new MqttClient("tcp://127.0.0.1:" + broker.port, "late", new MemoryPersistence());
            client.connect();
            client.subscribe("orders", (topic, message) -> received.add(message.getPayload()));

            assertOpens(broker, received.poll(3, TimeUnit.MINUTES));
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            assertThat(broker.sealed()).isEqualTo(1);
            client.disconnect();
            client.close();
        }
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void restart_keepsMessagesSealedAndProtectsOnceMore(Producers producer) throws Exception {
        try (TestBroker broker = setup().start()) {
            new QueueReader(broker).queue("orders").close();
            producer.send(broker, "orders", LargeBodies.TEXT);

            broker.server().stop();
            broker.server().start();

            producer.send(broker, "orders", LargeBodies.TEXT);
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            try (QueueReader again = new QueueReader(broker)) {
                assertOpens(broker, again.nextBody("orders"));
                assertOpens(broker, again.nextBody("orders"));
            }
            assertThat(broker.sealed()).isEqualTo(2);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void pagedMessage_isSealed() throws Exception {
        TestBroker.Setup setup = setup().with(configuration -> configuration.addAddressSetting(
                "orders",
                new AddressSettings()
                        .setAutoCreateAddresses(true)
                        .setAutoCreateQueues(true)
                        .setMaxSizeBytes(10_000)
                        .setPageSizeBytes(5_000)
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            for (int i = 0; i < 20; i++) {
                Producers.CORE.send(broker, "orders", "small " + "x".repeat(2_000));
            }
            assertThat(broker.server()
                            .getPagingManager()
                            .getPageStore(SimpleString.of("orders"))
                            .isPaging())
                    .isTrue();

            Producers.CORE.send(broker, "orders", LargeBodies.TEXT);
            Producers.AMQP.send(broker, "orders", LargeBodies.TEXT);

            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            for (int i = 0; i < 20; i++) {
                reader.nextBody("orders");
            }
            assertOpens(broker, reader.nextBody("orders"));
            assertOpens(broker, reader.nextBody("orders"));
        }
    }

    /** The copy that the divert makes is found to be sealed; it is not sealed once more. */
    @Test
    void sealedMessage_divertedIntoAProtectedAddress_passesAsItIs() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("orders", "audit")));
        setup.homes().policies(1, Policy.privacy("orders", CONSUMER), Policy.privacy("audit", CONSUMER));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("audit")) {

            Producers.CORE.send(broker, "orders", LargeBodies.TEXT);

            byte[] original = reader.nextBody("orders");
            assertThat(reader.nextBody("audit")).isEqualTo(original);
            assertOpens(broker, original);
            assertThat(broker.sealed()).isEqualTo(1);
        }
    }

    @Test
    void sealedMessage_movedWhereTheSamePolicyHolds_passesAsItIs() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(1, Policy.privacy("#", CONSUMER));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("dead")) {
            Producers.AMQP.send(broker, "orders", LargeBodies.TEXT);
            QueueControl control = broker.control("orders");

            control.moveMessages(null, "dead");

            assertThat(broker.sealed()).isEqualTo(1);
            PolicySet all = LargeBodies.forAll();
            assertThat(broker.homes.open(reader.nextBody("dead"), "orders", all).payload())
                    .isEqualTo(Producers.utf8(LargeBodies.TEXT));
        }
    }

    @Test
    void transactedSends_commitAndRollBack() throws Exception {
        try (TestBroker broker = setup().start();
                QueueReader reader = new QueueReader(broker).queue("orders");
                var context = Producers.core(broker).createContext(jakarta.jms.JMSContext.SESSION_TRANSACTED)) {
            var producer = context.createProducer();
            var queue = context.createQueue("orders");

            producer.send(queue, LargeBodies.TEXT);
            context.rollback();
            assertThat(reader.poll("orders")).isNull();
            producer.send(queue, LargeBodies.TEXT);
            context.commit();

            assertOpens(broker, reader.nextBody("orders"));
            broker.awaitNoLargeFiles();
        }
    }

    /** How storage fails: so that the caller knows, or as the broker's does when a disk is full. */
    enum Fault {
        THROWN,
        SWALLOWED
    }

    /** Stands in front of the real storage, and fails in the method of this name, which only large messages use. */
    private record Failing(String method, Fault fault) implements ActiveMQServerPlugin {
        @Override
        public void registered(ActiveMQServer server) {
            try {
                BrokerField<StorageManager> field = BrokerField.of(server, StorageManager.class);
                StorageManager real = field.get();
                field.set((StorageManager) Proxy.newProxyInstance(
                        StorageManager.class.getClassLoader(),
                        new Class<?>[] {StorageManager.class},
                        (self, called, arguments) -> {
                            if (called.getName().equals(method)) {
                                if (fault == Fault.SWALLOWED) {
                                    return null;
                                }
                                throw new IOException("injected");
                            }
                            try {
                                return called.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getTargetException();
                            }
                        }));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {
                "addBytesToLargeMessage, SWALLOWED, AMQP",
                "largeMessageClosed, THROWN, CORE",
                "addBytesToLargeMessage, THROWN, CORE",
                "addBytesToLargeMessage, THROWN, AMQP",
                "addBytesToLargeMessage, THROWN, STOMP_BYTES",
                "addBytesToLargeMessage, SWALLOWED, CORE",
                "addBytesToLargeMessage, SWALLOWED, STOMP_BYTES",
                "addBytesToLargeMessage, SWALLOWED, MQTT_3",
                "largeMessageClosed, THROWN, AMQP",
                "largeMessageClosed, THROWN, MQTT_3"
            })
    void storageThatFails_rejectsTheSendAndLeavesNoFile(String method, Fault fault, Producers producer)
            throws Exception {
        TestBroker.Setup setup =
                setup().with(configuration -> configuration.getBrokerPlugins().add(0, new Failing(method, fault)));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> producer.send(broker, "orders", LargeBodies.TEXT))
                    .isInstanceOf(Exception.class);

            LargeMessageIT.assertLeavesNothing(broker, reader);
        }
    }

    @Test
    void storageThatFails_inATransaction_keepsItFromCommitting() throws Exception {
        TestBroker.Setup setup = setup().with(configuration ->
                configuration.getBrokerPlugins().add(0, new Failing("addBytesToLargeMessage", Fault.THROWN)));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders");
                var context = Producers.amqp(broker).createContext(jakarta.jms.JMSContext.SESSION_TRANSACTED)) {

            assertThatThrownBy(() -> {
                        context.createProducer().send(context.createQueue("orders"), LargeBodies.TEXT);
                        context.commit();
                    })
                    .isInstanceOf(jakarta.jms.JMSRuntimeException.class);

            LargeMessageIT.assertLeavesNothing(broker, reader);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void openAddress_passesLargeMessagesAsTheyAre() throws Exception {
        try (TestBroker broker = setup().start();
                QueueReader reader = new QueueReader(broker).queue("open")) {
            for (Producers producer : Producers.values()) {
                producer.send(broker, "open", LargeBodies.TEXT);

                assertThat(reader.nextBody("open").length).as(producer.name()).isGreaterThanOrEqualTo(3_000_000);
            }
            assertThat(broker.sealed()).isZero();
        }
    }

    @Test
    void openConnection_survivesARejectedStream() throws Exception {
        try (TestBroker broker = setup().start();
                QueueReader reader = new QueueReader(broker).queue("orders");
                var connection = new ActiveMQConnectionFactory(broker.uri()).createConnection();
                var session = connection.createSession();
                var producer = session.createProducer(session.createQueue("orders"))) {
            assertThatThrownBy(() -> producer.send(session.createTextMessage(LargeBodies.TEXT + '\ud83d')))
                    .isInstanceOf(JMSException.class);

            producer.send(session.createTextMessage(LargeBodies.TEXT));

            assertOpens(broker, reader.nextBody("orders"));
        }
    }
}
