/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** The ways of large messages within the broker and between brokers. */
final class LargePathIT extends OneBroker {
    private static final List<String> CONSUMER = List.of(TestHomes.CONSUMER);

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(policies);
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void restart_keepsMessagesSealedAndProtectsOnceMore(Producers producer) throws Exception {
        TestBroker broker = start();
        broker.createQueue("orders");
        producer.send(broker, "orders", LargeBodies.TEXT);

        broker.server().stop();
        broker.server().start();

        producer.send(broker, "orders", LargeBodies.TEXT);
        assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
        broker.assertNext("orders", LargeBodies.TEXT);
        broker.assertNext("orders", LargeBodies.TEXT);
        assertThat(broker.sealed()).isEqualTo(2);
    }

    @Tag(Tier.LONG)
    @Test
    void pagedMessage_isSealed() throws Exception {
        setup.with(configuration -> configuration.addAddressSetting(
                "orders",
                new AddressSettings()
                        .setAutoCreateAddresses(true)
                        .setAutoCreateQueues(true)
                        .setMaxSizeBytes(10_000)
                        .setPageSizeBytes(5_000)
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)));
        TestBroker broker = start("orders");
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
            broker.nextBody("orders");
        }
        broker.assertNext("orders", LargeBodies.TEXT);
        broker.assertNext("orders", LargeBodies.TEXT);
    }

    /** The copy that the divert makes is found to be sealed; it is not sealed once more. */
    @Test
    void sealedMessage_divertedIntoAProtectedAddress_passesAsItIs() throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("orders", "audit")));
        homes.policies(1, Policy.privacy("orders", CONSUMER), Policy.privacy("audit", CONSUMER));
        TestBroker broker = start("orders", "audit");

        Producers.CORE.send(broker, "orders", LargeBodies.TEXT);

        byte[] original = broker.nextBody("orders");
        assertThat(broker.nextBody("audit")).isEqualTo(original);
        assertThat(homes.text(original, "orders").equals(LargeBodies.TEXT)).isTrue();
        assertThat(broker.sealed()).isEqualTo(1);
    }

    @Test
    void sealedMessage_movedWhereTheSamePolicyHolds_passesAsItIs() throws Exception {
        homes.policies(1, Policy.privacy("#", CONSUMER));
        TestBroker broker = start("orders", "dead");
        Producers.AMQP.send(broker, "orders", LargeBodies.TEXT);
        QueueControl control = broker.control("orders");

        control.moveMessages(null, "dead");

        assertThat(broker.sealed()).isEqualTo(1);
        broker.assertNext("dead", "orders", LargeBodies.TEXT);
    }

    @Test
    void transactedSends_commitAndRollBack() throws Exception {
        TestBroker broker = start("orders");
        var context = closing(Producers.core(broker).createContext(jakarta.jms.JMSContext.SESSION_TRANSACTED));
        var producer = context.createProducer();
        var queue = context.createQueue("orders");

        producer.send(queue, LargeBodies.TEXT);
        context.rollback();
        assertThat(broker.poll("orders")).isNull();
        producer.send(queue, LargeBodies.TEXT);
        context.commit();

        broker.assertNext("orders", LargeBodies.TEXT);
        broker.awaitNoLargeFiles();
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
        setup.with(configuration -> configuration.getBrokerPlugins().add(0, new Failing(method, fault)));
        TestBroker broker = start("orders");

        assertThatThrownBy(() -> producer.send(broker, "orders", LargeBodies.TEXT))
                .isInstanceOf(Exception.class);

        LargeMessageIT.assertLeavesNothing(broker);
    }

    @Test
    void storageThatFails_inATransaction_keepsItFromCommitting() throws Exception {
        setup.with(configuration ->
                configuration.getBrokerPlugins().add(0, new Failing("addBytesToLargeMessage", Fault.THROWN)));
        TestBroker broker = start("orders");
        var context = closing(Producers.amqp(broker).createContext(jakarta.jms.JMSContext.SESSION_TRANSACTED));

        assertThatThrownBy(() -> {
                    context.createProducer().send(context.createQueue("orders"), LargeBodies.TEXT);
                    context.commit();
                })
                .isInstanceOf(jakarta.jms.JMSRuntimeException.class);

        LargeMessageIT.assertLeavesNothing(broker);
    }

    @Tag(Tier.LONG)
    @Test
    void openAddress_passesLargeMessagesAsTheyAre() throws Exception {
        TestBroker broker = start("open");
        for (Producers producer : Producers.values()) {
            producer.send(broker, "open", LargeBodies.TEXT);

            assertThat(broker.nextBody("open").length).as(producer.name()).isGreaterThanOrEqualTo(LargeBodies.LENGTH);
        }
        assertThat(broker.sealed()).isZero();
    }

    @Test
    void openConnection_survivesARejectedStream() throws Exception {
        TestBroker broker = start("orders");
        var connection = closing(new ActiveMQConnectionFactory(broker.uri()).createConnection());
        var session = closing(connection.createSession());
        var producer = closing(session.createProducer(session.createQueue("orders")));
        assertThatThrownBy(() -> producer.send(session.createTextMessage(LargeBodies.TEXT + '\ud83d')))
                .isInstanceOf(JMSException.class);

        producer.send(session.createTextMessage(LargeBodies.TEXT));

        broker.assertNext("orders", LargeBodies.TEXT);
    }
}
