/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationAddressPolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPMirrorBrokerConnectionElement;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ConnectionInfo;
import org.awaitility.Awaitility;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.testkit.Mqtt3;

/** The messages that a broker sends for itself pass with a policy on every address. */
final class BrokerTrafficIT extends OneBroker {
    private TestBroker.Setup there;

    @BeforeEach
    void protectAll() throws Exception {
        homes.policies(1, TestHomes.privacy("#"));
        there = new TestBroker.Setup(homes, folder.resolve("other-data"));
    }

    @Test
    void mirror_getsCommandsAndMessages() throws Exception {
        setup.connected(there.uri(), new AMQPMirrorBrokerConnectionElement().setDurable(true));
        TestBroker other = start(there);
        TestBroker broker = start();
        broker.createQueue("orders");
        awaitQueue(other, "orders", 0); // the command that makes the queue

        Producers.AMQP.send(broker, "orders", Letter.text("a mirror"));
        Producers.CORE.send(broker, "orders", Letter.text("a mirror"));

        awaitQueue(other, "orders", 2);
        broker.assertNext("orders", Letter.text("a mirror"));
        awaitQueue(other, "orders", 1); // the command that acknowledges
        other.assertNext("orders", Letter.text("a mirror"));
        assertUndisturbed(broker);
        assertUndisturbed(other);
    }

    @Test
    void federation_getsEventsAndMessages() throws Exception {
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addLocalAddressPolicy(
                new AMQPFederationAddressPolicyElement().setName("from there").addToIncludes("news"));
        federation.addRemoteAddressPolicy(
                new AMQPFederationAddressPolicyElement().setName("from here").addToIncludes("prices"));
        setup.connected(there.uri(), federation);
        TestBroker other = start(there);
        TestBroker broker = start();
        assertFederated(broker, other, "news");
        assertFederated(other, broker, "prices"); // by a policy that the broker sent to the other
        assertUndisturbed(broker);
        assertUndisturbed(other);
    }

    private void assertFederated(TestBroker consuming, TestBroker producing, String address) throws Exception {
        try (JMSContext context = Producers.core(consuming).createContext()) {
            var consumer = context.createConsumer(context.createTopic(address));
            producing.awaitBound(address);
            try (JMSContext producer = Producers.core(producing).createContext()) {
                producer.createProducer().send(producer.createTopic(address), Letter.text(address));
            }

            byte[] stored = consumer.receiveBody(byte[].class, 180_000);

            assertThat(homes.text(stored, address)).isEqualTo(Letter.text(address));
        }
    }

    @Test
    void advisories_reachOpenWireClients() throws Exception {
        TestBroker broker = start();
        var connection = closing(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + broker.port).createConnection());
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

    /** The broker keeps subscriptions, and the second half of a delivery exactly once, in queues of its own. */
    @Test
    void sessionsOfMqtt_outliveTheBroker() throws Exception {
        setup.own();
        try (TestBroker broker = setup.start()) {
            MqttClient client = Mqtt3.connect(broker.uri(), "subscriber", lasting());
            client.subscribe("orders/eu", 2);
            Mqtt3.end(client);
            Producers.mqtt3(broker, "orders.eu", exactlyOnce(Letter.text("an absent subscriber")));
            assertUndisturbed(broker);
        }
        TestBroker broker = start(setup.plugin(new SignetPlugin()));
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        MqttClient client = Mqtt3.client(broker.uri(), "subscriber");
        client.setCallback(Mqtt3.callback((topic, message) -> received.add(message.getPayload()), lost -> {}));
        client.connect(lasting());
        Producers.mqtt3(broker, "orders.eu", exactlyOnce(Letter.text("a subscriber")));

        for (String text : List.of("an absent subscriber", "a subscriber")) {
            assertThat(homes.text(received.poll(3, TimeUnit.MINUTES), "orders.eu"))
                    .isEqualTo(Letter.text(text));
        }
        Mqtt3.end(client);
        assertUndisturbed(broker);
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

    private static void awaitQueue(TestBroker broker, String queue, long messages) {
        Awaitility.await().until(() -> {
            var found = broker.server().locateQueue(queue);
            return found != null && found.getMessageCount() == messages;
        });
    }

    /** Nothing of the broker's own was rejected, and nothing of a client's is in clear. */
    private static void assertUndisturbed(TestBroker broker) throws Exception {
        assertThat(broker.rejected()).isZero();
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }
}
