/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBrokerConnectConfiguration;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationAddressPolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ConnectionInfo;
import org.awaitility.Awaitility;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.PolicySet;

/** The messages that a broker sends for itself pass with a policy on every address. */
final class BrokerTrafficIT {
    @TempDir
    private Path folder;

    private PolicySet policies = PolicySet.EMPTY;

    private TestBroker.Setup setup() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        policies = setup.homes().policies(1, TestHomes.privacy("#"));
        return setup;
    }

    @Test
    void mirror_getsCommandsAndMessages() throws Exception {
        TestBroker.Setup here = setup();
        TestBroker.Setup there = new TestBroker.Setup(here.homes(), folder.resolve("other-data"));
        here.with(configuration ->
                configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration("other", there.uri())
                        .setRetryInterval(100)
                        .addMirror(new AMQPMirrorBrokerConnectionElement().setDurable(true))));
        try (TestBroker other = there.start();
                TestBroker broker = here.start()) {
            broker.createQueue("orders");
            awaitQueue(other, "orders", 0); // the command that makes the queue

            Producers.AMQP.send(broker, "orders", Letter.text("a mirror"));
            Producers.CORE.send(broker, "orders", Letter.text("a mirror"));

            awaitQueue(other, "orders", 2);
            assertSealed(broker, "orders", "orders", Letter.text("a mirror"));
            awaitQueue(other, "orders", 1); // the command that acknowledges
            assertSealed(other, "orders", "orders", Letter.text("a mirror"));
            assertUndisturbed(broker);
            assertUndisturbed(other);
        }
    }

    @Test
    void federation_getsEventsAndMessages() throws Exception {
        TestBroker.Setup here = setup();
        TestBroker.Setup there = new TestBroker.Setup(here.homes(), folder.resolve("other-data"));
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addLocalAddressPolicy(
                new AMQPFederationAddressPolicyElement().setName("from there").addToIncludes("news"));
        federation.addRemoteAddressPolicy(
                new AMQPFederationAddressPolicyElement().setName("from here").addToIncludes("prices"));
        here.with(configuration ->
                configuration.addAMQPConnection(new AMQPBrokerConnectConfiguration("other", there.uri())
                        .setRetryInterval(100)
                        .addFederation(federation)));
        try (TestBroker other = there.start();
                TestBroker broker = here.start()) {
            assertFederated(broker, other, "news");
            assertFederated(other, broker, "prices"); // by a policy that the broker sent to the other
            assertUndisturbed(broker);
            assertUndisturbed(other);
        }
    }

    private void assertFederated(TestBroker consuming, TestBroker producing, String address) throws Exception {
        try (JMSContext context = Producers.core(consuming).createContext()) {
            var consumer = context.createConsumer(context.createTopic(address));
            Awaitility.await().until(() -> producing.server().getPostOffice().isAddressBound(SimpleString.of(address)));
            try (JMSContext producer = Producers.core(producing).createContext()) {
                producer.createProducer().send(producer.createTopic(address), Letter.text(address));
            }

            byte[] stored = consumer.receiveBody(byte[].class, 180_000);

            assertThat(text(consuming, stored, address)).isEqualTo(Letter.text(address));
        }
    }

    @Test
    void advisories_reachOpenWireClients() throws Exception {
        try (TestBroker broker = setup().start();
                var connection = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port).createConnection()) {
            var session = connection.createSession(false, javax.jms.Session.AUTO_ACKNOWLEDGE);
            BlockingQueue<javax.jms.Message> advisories = new LinkedBlockingQueue<>();
            session.createConsumer(session.createTopic("ActiveMQ.Advisory.Connection"))
                    .setMessageListener(advisories::add);
            connection.start();

            OpenWire.inSession(broker, another -> {});

            javax.jms.Message advisory = advisories.poll(3, TimeUnit.MINUTES);
            assertThat(advisory).isInstanceOf(ActiveMQMessage.class);
            assertThat(((ActiveMQMessage) advisory).getDataStructure()).isInstanceOf(ConnectionInfo.class);
            assertUndisturbed(broker);
        }
    }

    /** The broker keeps subscriptions, and the second half of a delivery exactly once, in queues of its own. */
    @Test
    void sessionsOfMqtt_outliveTheBroker() throws Exception {
        TestBroker.Setup setup = setup().own();
        try (TestBroker broker = setup.start()) {
            MqttClient client = mqtt(broker);
            client.subscribe("orders/eu", 2);
            client.disconnect();
            client.close();
            Producers.mqtt3(broker, "orders.eu", exactlyOnce(Letter.text("an absent subscriber")));
            assertUndisturbed(broker);
        }
        try (TestBroker broker = setup.plugin(new SignetPlugin()).start()) {
            BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
            MqttClient client = new MqttClient(broker.uri(), "subscriber", new MemoryPersistence());
            client.setCallback(new Collecting(received));
            client.connect(lasting());
            Producers.mqtt3(broker, "orders.eu", exactlyOnce(Letter.text("a subscriber")));

            for (String text : List.of("an absent subscriber", "a subscriber")) {
                assertThat(text(broker, received.poll(3, TimeUnit.MINUTES), "orders.eu"))
                        .isEqualTo(Letter.text(text));
            }
            client.disconnect();
            client.close();
            assertUndisturbed(broker);
        }
    }

    private static MqttClient mqtt(TestBroker broker) throws Exception {
        MqttClient client = new MqttClient(broker.uri(), "subscriber", new MemoryPersistence());
        client.connect(lasting());
        return client;
    }

    private static MqttConnectOptions lasting() {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setCleanSession(false);
        return options;
    }

    private static org.eclipse.paho.client.mqttv3.MqttMessage exactlyOnce(String text) {
        var message = new org.eclipse.paho.client.mqttv3.MqttMessage(Producers.utf8(text));
        message.setQos(2);
        return message;
    }

    /** Keeps the arriving messages. */
    private record Collecting(BlockingQueue<byte[]> received) implements org.eclipse.paho.client.mqttv3.MqttCallback {
        @Override
        public void connectionLost(Throwable cause) {
            // the test ends without it
        }

        @Override
        public void messageArrived(String topic, org.eclipse.paho.client.mqttv3.MqttMessage message) {
            received.add(message.getPayload());
        }

        @Override
        public void deliveryComplete(org.eclipse.paho.client.mqttv3.IMqttDeliveryToken token) {
            // it only receives
        }
    }

    private static void awaitQueue(TestBroker broker, String queue, long messages) {
        Awaitility.await().until(() -> {
            var found = broker.queue(queue);
            return found != null && found.getMessageCount() == messages;
        });
    }

    private void assertSealed(TestBroker broker, String queue, String address, String text) throws Exception {
        try (QueueReader reader = new QueueReader(broker)) {
            assertThat(text(broker, reader.nextBody(queue), address)).isEqualTo(text);
        }
    }

    private String text(TestBroker broker, byte[] stored, String address) {
        var opened = broker.homes.open(stored, address, policies);
        assertThat(opened.entityIfProtected()).isPresent();
        return new String(opened.payload(), StandardCharsets.UTF_8);
    }

    /** Nothing of the broker's own was rejected, and nothing of a client's is in clear. */
    private static void assertUndisturbed(TestBroker broker) throws Exception {
        assertThat(broker.rejected()).isZero();
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }
}
