/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import java.util.List;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBridgeBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBridgeQueuePolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectionAddressType;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationQueuePolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/**
 * Messages of a broker without Signet that come by receivers which take large messages in parts. No setting of the
 * plugin prevents this.
 */
@SuppressWarnings("try") // there is demand for the messages that it makes
final class AmqpReceiverIT extends OneBroker {
    private static final int LARGE = 200_000; // more than the 100 KiB that AMQP counts as large
    private static final String TEXT = LargeBodies.text(LARGE);

    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    private TestBroker.Setup to;
    private TestBroker.Setup from;

    /** How the one broker is connected to the other. */
    enum Way {
        /** The broker without Signet asks the other one to fetch, and sets the size from which messages are large. */
        REMOTE_FEDERATION {
            @Override
            void connect(TestBroker.Setup to, TestBroker.Setup from) {
                from.connected(to.uri(), federation().addRemoteQueuePolicy(orders()));
            }
        },
        /** One policy sets more than its federation. */
        PROPERTY_OF_A_POLICY {
            @Override
            void connect(TestBroker.Setup to, TestBroker.Setup from) {
                to.connected(
                        from.uri(),
                        federation().addLocalQueuePolicy(orders().addProperty("minLargeMessageSize", 1000)));
            }
        },
        BRIDGE {
            @Override
            void connect(TestBroker.Setup to, TestBroker.Setup from) {
                AMQPBridgeQueuePolicyElement orders =
                        new AMQPBridgeQueuePolicyElement().setName("queues").addToIncludes("#", "orders");
                to.connected(
                        from.uri(), new AMQPBridgeBrokerConnectionElement("bridge").addBridgeFromQueuePolicy(orders));
            }
        },
        RECEIVER {
            @Override
            void connect(TestBroker.Setup to, TestBroker.Setup from) {
                to.connected(
                        from.uri(),
                        new AMQPBrokerConnectionElement()
                                .setType(AMQPBrokerConnectionAddressType.RECEIVER)
                                .setQueueName("orders"));
            }
        };

        abstract void connect(TestBroker.Setup to, TestBroker.Setup from);

        private static AMQPFederatedBrokerConnectionElement federation() {
            return new AMQPFederatedBrokerConnectionElement("federation");
        }

        private static AMQPFederationQueuePolicyElement orders() {
            return new AMQPFederationQueuePolicyElement().setName("queues").addToIncludes("#", "orders");
        }
    }

    @BeforeEach
    void prepare() throws Exception {
        homes.policies(policies);
        to = setup("data");
        from = setup("other").bare();
    }

    private TestBroker.Setup setup(String data) {
        return new TestBroker.Setup(homes, folder.resolve(data))
                .queues(List.of("orders", "dead"))
                .with(configuration -> configuration.addAddressSetting(
                        "orders",
                        new AddressSettings().setMaxDeliveryAttempts(1).setDeadLetterAddress(SimpleString.of("dead"))));
    }

    /** Makes messages come, and leaves them on the queue. */
    private static JMSContext demand(TestBroker broker) {
        JMSContext context = Producers.core(broker).createContext();
        context.setAutoStart(false);
        context.createConsumer(context.createQueue("orders"));
        return context;
    }

    private static void awaitMessage(TestBroker broker, String queue) {
        Awaitility.await().until(() -> broker.waiting(queue) == 1);
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"REMOTE_FEDERATION", "RECEIVER", "BRIDGE", "PROPERTY_OF_A_POLICY"})
    void clearMessage_isSealed_andNoPartOfItIsEverOnDisk(Way way) throws Exception {
        way.connect(to, from);
        TestBroker source = start(from);
        try (TestBroker broker = to.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                JMSContext demand = demand(broker)) {
            Producers.AMQP.send(source, "orders", TEXT);
            awaitMessage(broker, "orders");

            assertThat(watch.seen()).isEmpty();
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            assertThat(broker.disk().largeFiles()).hasSize(1);
            assertThat(broker.sealed()).isEqualTo(1);
            assertThat(LargeBodies.openMessages(broker)).isZero();
        }
        start(to.plugin(new SignetPlugin())).assertNext("orders", TEXT);
    }

    @ParameterizedTest
    @Cases({"BRIDGE", "REMOTE_FEDERATION", "RECEIVER", "PROPERTY_OF_A_POLICY"})
    void rejectedMessage_leavesNothing_andGoesToTheDeadLettersOfTheOtherBroker(Way way) throws Exception {
        homes.policies(1, LargeBodies.sealedByClients(policies.policies().get(0)));
        assertRejected(way, TEXT);
    }

    @ParameterizedTest
    @Cases({"RECEIVER", "BRIDGE", "REMOTE_FEDERATION", "PROPERTY_OF_A_POLICY"})
    void messageLongerThanMayBeHeld_isRejected(Way way) throws Exception {
        to.property("max-message-size", "1KiB");
        assertRejected(way, LargeBodies.text(1_000_000));
    }

    private void assertRejected(Way way, String text) throws Exception {
        way.connect(to, from);
        TestBroker source = start(from);
        TestBroker broker = start(to);
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        closing(demand(broker));
        Producers.AMQP.send(source, "orders", text);

        awaitMessage(source, "dead");

        assertThat(watch.seen()).isEmpty();
        assertThat(broker.rejected()).isPositive();
        assertThat(LargeBodies.openMessages(broker)).isZero();
        broker.awaitNoLargeFiles();
    }

    @ParameterizedTest
    @Cases({"BRIDGE", "RECEIVER", "REMOTE_FEDERATION", "PROPERTY_OF_A_POLICY"})
    void messageWithoutAPolicy_passesAsItIs(Way way) throws Exception {
        homes.policies(1, EveryProtocolIT.none("orders"));
        way.connect(to, from);
        TestBroker source = start(from);
        TestBroker broker = start(to);
        JMSContext context = closing(Producers.amqp(broker).createContext());
        var consumer = context.createConsumer(context.createQueue("orders"));

        Producers.AMQP.send(source, "orders", TEXT);

        assertThat(consumer.receive(180_000).getBody(String.class).equals(TEXT)).isTrue();
    }

    /** Messages that the broker moves come by no gate but the last. */
    @ParameterizedTest
    @EnumSource(names = {"REMOTE_FEDERATION", "BRIDGE"})
    void sealedMessage_isKnownForSealed_whenItBecomesADeadLetterOrComesFromAnotherBroker(Way way) throws Exception {
        homes.policies(1, policies.policies().get(0), EveryProtocolIT.policy("dead", QualityOfProtection.PRIVACY));
        way.connect(to, from);
        TestBroker source = start(from);
        TestBroker broker = start(to);
        JMSContext context = closing(Producers.amqp(broker).createContext(JMSContext.SESSION_TRANSACTED));
        var consumer = context.createConsumer(context.createQueue("orders"));
        Producers.AMQP.send(source, "orders", TEXT);
        assertThat(consumer.receive(180_000)).isInstanceOf(BytesMessage.class);

        context.rollback();

        broker.assertNext("dead", "orders", TEXT);
        assertThat(broker.sealed()).isEqualTo(1);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @ValueSource(ints = {LARGE, 3_000_000})
    void mirror_getsWhatCameInParts(int length) throws Exception {
        String text = LargeBodies.text(length);
        TestBroker mirror = start(setup("mirror"));
        TestBroker source = start(mirrored(mirror));
        TestBroker broker = start(to);
        closing(demand(broker));
        Producers.AMQP.send(source, "orders", text);
        awaitMessage(mirror, "orders");

        assertThat(mirror.disk().filesWith(LargeBodies.MARK)).isEmpty();
        assertThat(LargeBodies.openMessages(mirror)).isZero();
        mirror.assertNext("orders", text);
    }

    private TestBroker.Setup mirrored(TestBroker mirror) {
        Way.REMOTE_FEDERATION.connect(to, from);
        to.connected(
                mirror.uri(),
                new AMQPMirrorBrokerConnectionElement().setDurable(true).setAddressFilter("orders"));
        return from;
    }

    /** Sealed by its producer: longer than a body, and as AMQP bytes. */
    @ParameterizedTest
    @Cases({"REMOTE_FEDERATION", "RECEIVER", "BRIDGE", "PROPERTY_OF_A_POLICY"})
    void messageThatCameSealed_staysAsItIs(Way way) throws Exception {
        byte[] sealed = LargeBodies.sealed(homes, policies, TEXT);
        way.connect(to, from);
        TestBroker source = start(from);
        TestBroker broker = start(to);
        Producers.jms(Producers.amqp(source), "orders", Producers.bytes(sealed));

        assertThat(broker.nextBody("orders")).isEqualTo(sealed);

        assertThat(broker.sealed()).isZero();
    }
}
