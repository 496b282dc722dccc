/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationAddressPolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;

/** Filters of queues, which the broker compares before a plugin sees the message, or another broker compares. */
final class FilteredQueueIT {
    private static final String FORGED = "signet_sender = 'root'";

    @TempDir
    private Path folder;

    private TestBroker.Setup protectedOrders() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(1, TestHomes.privacy("orders"));
        return setup;
    }

    private static void queues(TestBroker broker) throws Exception {
        broker.server()
                .createQueue(QueueConfiguration.of("forged")
                        .setAddress("orders")
                        .setFilterString(FORGED)
                        .setRoutingType(RoutingType.MULTICAST));
        broker.server()
                .createQueue(QueueConfiguration.of("all").setAddress("orders").setRoutingType(RoutingType.MULTICAST));
    }

    private static Queue queue(TestBroker broker, String name) {
        return Objects.requireNonNull(broker.queue(name));
    }

    private static void sendForged(JMSContext context, String topic) {
        context.createProducer().setProperty("signet_sender", "root").send(context.createTopic(topic), "text");
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP"})
    void divertedMessage_doesNotReachAQueueByAForgedProperty(JmsClient client) throws Exception {
        TestBroker.Setup setup = protectedOrders()
                .with(configuration -> configuration.addDivertConfiguration(
                        SafetyNetIT.divert("open", "orders").setExclusive(true)));
        try (TestBroker broker = setup.start();
                JMSContext context = client.factory(broker).createContext()) {
            queues(broker);

            sendForged(context, "open");

            await().until(() -> queue(broker, "all").getMessageCount() == 1);
            assertThat(queue(broker, "forged").getMessagesAdded()).isZero();
        }
    }

    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void federatedMessage_doesNotReachAQueueByAForgedProperty(JmsClient client) throws Exception {
        TestBroker.Setup without =
                new TestBroker.Setup(TestHomes.withoutPolicies(folder), folder.resolve("upstream")).bare();
        TestBroker.Setup setup = protectedOrders().with(configuration -> federate(configuration, without.uri()));
        try (TestBroker upstream = without.start();
                TestBroker broker = setup.start();
                JMSContext there = client.factory(upstream).createContext()) {
            queues(broker);
            await().until(() -> upstream.server().getPostOffice().isAddressBound(SimpleString.of("orders")));

            await().until(
                            () -> { // the bindings come one after the other
                                sendForged(there, "orders");
                                return queue(broker, "all").getMessagesAdded() > 3;
                            });

            assertThat(queue(broker, "forged").getMessagesAdded()).isZero();
        }
    }

    private static void federate(Configuration configuration, String uri) {
        AMQPFederationAddressPolicyElement policy =
                new AMQPFederationAddressPolicyElement().setName("addresses").addToIncludes("orders");
        policy.addProperty("ignoreAddressBindingFilters", "false");
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addProperty("ignoreAddressBindingFilters", "false");
        federation.addLocalAddressPolicy(policy);
        configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration("connection", uri)
                .setRetryInterval(100)
                .addFederation(federation));
    }

    /** A producer seals, and writes the property beside the envelope. */
    @ParameterizedTest
    @Cases({"AMQP", "CORE"})
    void mirroredMessage_losesAForgedProperty(JmsClient client) throws Exception {
        TestHomes homes = new TestHomes(folder);
        PolicySet policies = homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        byte[] sealed = LargeBodies.sealed(homes, policies, "text");
        TestBroker.Setup mirrorSetup =
                new TestBroker.Setup(homes, folder.resolve("mirror")).with(FilteredQueueIT::ordersQueue);
        TestBroker.Setup sourceSetup = new TestBroker.Setup(homes, folder.resolve("source"))
                .bare()
                .with(FilteredQueueIT::ordersQueue)
                .with(configuration ->
                        configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration("other", mirrorSetup.uri())
                                .setRetryInterval(100)
                                .addElement(new AMQPMirrorBrokerConnectionElement()
                                        .setDurable(true)
                                        .setAddressFilter("orders"))));
        try (TestBroker mirror = mirrorSetup.start();
                TestBroker source = sourceSetup.start()) {
            Producers.jms(client.factory(source), "orders", session -> {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(sealed);
                message.setStringProperty("signet_sender", "root");
                return message;
            });

            await().until(() -> queue(mirror, "orders").getMessageCount() == 1);
            QueueControl control = mirror.control("orders");
            assertThat(control.countMessages(FORGED)).isZero();
            assertThat(control.countMessages("")).isEqualTo(1);
        }
    }

    private static void ordersQueue(Configuration configuration) {
        configuration.addQueueConfiguration(QueueConfiguration.of("orders").setRoutingType(RoutingType.ANYCAST));
    }
}
