/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import java.util.List;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;

/** Filters of queues, which the broker compares before a plugin sees the message, or another broker compares. */
final class FilteredQueueIT extends OneBroker {
    private static final String FORGED = "signet_sender = 'root'";

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
    }

    private static void queues(TestBroker broker) throws Exception {
        broker.server()
                .createQueue(QueueConfiguration.of("forged")
                        .setAddress("orders")
                        .setFilterString(FORGED)
                        .setRoutingType(RoutingType.MULTICAST));
        broker.reader().subscription("all", "orders");
    }

    private static void sendForged(JMSContext context, String topic) {
        context.createProducer().setProperty("signet_sender", "root").send(context.createTopic(topic), "text");
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void divertedMessage_doesNotReachAQueueByAForgedProperty(JmsClient client) throws Exception {
        setup.with(configuration -> configuration.addDivertConfiguration(
                SafetyNetIT.divert("open", "orders").setExclusive(true)));
        TestBroker broker = start();
        JMSContext context = closing(client.factory(broker).createContext());
        queues(broker);

        sendForged(context, "open");

        await().until(() -> broker.waiting("all") == 1);
        assertThat(broker.queue("forged").getMessagesAdded()).isZero();
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void federatedMessage_doesNotReachAQueueByAForgedProperty(JmsClient client) throws Exception {
        TestBroker.Setup without =
                new TestBroker.Setup(TestHomes.withoutPolicies(folder), folder.resolve("upstream")).bare();
        setup.connected(without.uri(), AddressFederationIT.federation(AddressFederationIT.Side.DOWNSTREAM, "orders"));
        TestBroker upstream = start(without);
        TestBroker broker = start();
        JMSContext there = closing(client.factory(upstream).createContext());
        queues(broker);
        upstream.awaitBound("orders");

        await().until(
                        () -> { // the bindings come one after the other
                            sendForged(there, "orders");
                            return broker.queue("all").getMessagesAdded() > 3;
                        });

        assertThat(broker.queue("forged").getMessagesAdded()).isZero();
    }

    /** A producer seals, and writes the property beside the envelope. */
    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void mirroredMessage_losesAForgedProperty(JmsClient client) throws Exception {
        byte[] sealed = LargeBodies.sealed(homes, LargeBodies.policies(QualityOfProtection.PRIVACY), "text");
        setup.queues(List.of("orders"));
        TestBroker source = start(new TestBroker.Setup(homes, folder.resolve("source"))
                .bare()
                .queues(List.of("orders"))
                .connected(
                        setup.uri(),
                        new AMQPMirrorBrokerConnectionElement().setDurable(true).setAddressFilter("orders")));
        TestBroker mirror = start();
        Producers.jms(client.factory(source), "orders", session -> {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(sealed);
            message.setStringProperty("signet_sender", "root");
            return message;
        });

        await().until(() -> mirror.waiting("orders") == 1);
        QueueControl control = mirror.control("orders");
        assertThat(control.countMessages(FORGED)).isZero();
        assertThat(control.countMessages("")).isEqualTo(1);
    }
}
