/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.SessionSendMessage;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;

/**
 * Clients that send to names which look like the broker's own. One policy protects every address but {@code open.#}, so
 * nothing that a client sends may lie on the disk in clear.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BrokerAddressIT {
    private TestBroker broker;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes()
                .policies(
                        1,
                        TestHomes.privacy("#"),
                        new Policy(
                                "open.#",
                                QualityOfProtection.NONE,
                                Policy.Signing.DEFAULT,
                                Policy.Encryption.UNUSED,
                                Policy.Acceptance.DEFAULT));
        broker = setup.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    static Stream<String> names() {
        return Stream.of(
                "$orders",
                "$orders.eu",
                "$SYS.orders",
                "$.orders",
                "$sys.mqtt.sessions",
                "$sys.mqtt.orders",
                "$sys.mqtt.queue.qos2.mallory",
                "$.artemis.internal.orders",
                "$.artemis.internal.sf.cluster.node",
                "$ACTIVEMQ_ARTEMIS_MIRROR_orders",
                "$ACTIVEMQ_ARTEMIS_FEDERATION.events.orders",
                "ActiveMQ.Advisory.orders",
                "ActiveMQ.Advisory.Connection",
                "activemq.notifications",
                "activemq.management");
    }

    @ParameterizedTest
    @MethodSource("names")
    void nameOfTheBrokers_ofACoreClient_isProtected(String address) throws Exception {
        String queue = queue(address, "core");
        String text = Letter.text("core to " + address);

        core(address + "::" + queue, text);

        assertSealed(queue, address, text);
    }

    static Stream<Arguments> producers() {
        return Producers.few()
                .flatMap(producer -> Stream.of("$queue", "ActiveMQ.Advisory.queue", "$.artemis.internal.queue")
                        .map(name -> Arguments.of(producer, name + "." + producer)));
    }

    @ParameterizedTest
    @MethodSource("producers")
    void nameOfTheBrokers_ofEachProtocol_isProtected(Producers producer, String address) throws Exception {
        broker.createQueue(address);
        String text = Letter.text(producer + " to " + address);

        producer.send(broker, address, text);

        assertSealed(address, address, text);
    }

    /** The broker compares the name as the client wrote it, and answers no request to a name with a prefix. */
    @ParameterizedTest
    @ValueSource(strings = {"queue://", "to-queue."})
    void managementAddress_behindAnAcceptorsPrefix_isProtected(String prefix) throws Exception {
        String queue = queue("activemq.management", "prefixed" + prefix.length());
        String text = Letter.text("management behind " + prefix);

        core(prefix + "activemq.management", text);

        assertSealed(queue, "activemq.management", text);
    }

    /** The broker marks the address of an advisory that a client names: the mark is no proof. */
    @Test
    void addressThatIsMarkedInternal_isProtected() throws Exception {
        String address = "ActiveMQ.Advisory.made.by.client";
        OpenWire.inSession(broker, session -> {
            var topic = session.createTopic(address);
            session.createConsumer(topic).close();
            session.createProducer(topic).close();
        });
        broker.server()
                .addOrUpdateAddressInfo(
                        new AddressInfo(SimpleString.of("marked"), RoutingType.ANYCAST).setInternal(true));
        for (String marked : List.of(address, "marked")) {
            String queue = queue(marked, "marked");
            String text = Letter.text("to " + marked);

            core(marked + "::" + queue, text);

            assertSealed(queue, marked, text);
        }
    }

    @Test
    void queueThatAClientMakesInternalByManagement_isProtected() throws Exception {
        broker.server()
                .getActiveMQServerControl()
                .createQueue(QueueConfiguration.of("smuggled")
                        .setRoutingType(RoutingType.ANYCAST)
                        .setInternal(true)
                        .toJSON());
        assertThat(broker.server().getAddressInfo(SimpleString.of("smuggled")).isInternal())
                .as("or the attack is none")
                .isTrue();
        String text = Letter.text("to an internal queue");

        core("smuggled", text);

        assertSealed("smuggled", "smuggled", text);
    }

    /** Over AMQP the broker takes only commands of mirrors to such an address. */
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"CORE", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void addressOfAMirror_isProtected(Producers producer) throws Exception {
        String address = "$ACTIVEMQ_ARTEMIS_MIRROR_" + producer;
        broker.createQueue(address);
        String text = Letter.text(producer + " to a mirror");

        producer.send(broker, address, text);

        assertSealed(address, address, text);
    }

    /** Messages that the broker moves have no session, as its own messages have none. */
    @ParameterizedTest
    @MethodSource("names")
    void messageThatIsMovedToANameOfTheBrokers_isProtected(String address) throws Exception {
        String from = queue("open.from", "from");
        String to = queue(address, "moved");
        String text = "moved to " + address; // without the mark: where it comes from it lies in clear
        core("open.from", text);
        QueueControl control = broker.control(from);

        assertThat(control.moveMessages("", to)).isOne();

        assertSealed(to, address, text);
        broker.server().destroyQueue(SimpleString.of(from));
    }

    private String queue(String address, String suffix) throws Exception {
        String name = "q." + address + "." + suffix;
        broker.server()
                .createQueue(QueueConfiguration.of(name).setAddress(address).setRoutingType(RoutingType.ANYCAST));
        return name;
    }

    private void core(String address, String text) throws Exception {
        ClientSession session = broker.reader().session();
        try (ClientProducer producer = session.createProducer(address)) {
            ClientMessage message = message(session, text);
            message.setRoutingType(RoutingType.ANYCAST);
            producer.send(message);
        }
    }

    private void assertSealed(String queue, String address, String text) throws Exception {
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
        broker.assertNext(queue, address, text);
        broker.server().destroyQueue(SimpleString.of(queue));
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void temporaryQueue_isProtectedByThePatternOfAll(JmsClient client) throws Exception {
        try (JMSContext context = client.factory(broker).createContext()) {
            var queue = context.createTemporaryQueue();

            context.createProducer().send(queue, "for a while");

            byte[] stored = context.createConsumer(queue).receiveBody(byte[].class, 180_000);
            assertThat(broker.homes.text(stored, queue.getQueueName())).isEqualTo("for a while");
        }
    }

    @Test
    void temporaryQueueOfOpenWire_isProtectedByThePatternOfAll() throws Exception {
        OpenWire.inSession(broker, session -> {
            var queue = session.createTemporaryQueue();

            session.createProducer(queue).send(session.createTextMessage("for a while"));

            var message = (javax.jms.BytesMessage) session.createConsumer(queue).receive(180_000);
            byte[] stored = new byte[(int) message.getBodyLength()];
            message.readBytes(stored);
            assertThat(broker.homes.text(stored, queue.getQueueName())).isEqualTo("for a while");
        });
    }

    @Test
    void messageWithoutAddress_goesToTheSessionsDefaultOrNowhere() throws Exception {
        broker.createQueue("orders");
        Interceptor withoutAddress = (packet, connection) -> {
            if (packet instanceof SessionSendMessage send && send.getMessage().getBooleanProperty("strip")) {
                send.getMessage().setAddress((SimpleString) null);
            }
            return true;
        };
        try (ServerLocator locator =
                        ActiveMQClient.createServerLocator(broker.uri()).addOutgoingInterceptor(withoutAddress);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession();
                ClientProducer producer = session.createProducer("orders")) {
            assertThatThrownBy(() -> producer.send(message(session, "nowhere").putBooleanProperty("strip", true)))
                    .isInstanceOf(ActiveMQException.class)
                    .hasMessageContaining("no address");
            producer.send(message(session, "first").putBooleanProperty("strip", false));

            producer.send(message(session, "second").putBooleanProperty("strip", true));
        }

        assertThat(List.of(broker.nextText("orders"), broker.nextText("orders")))
                .containsExactly("first", "second");
    }

    private static ClientMessage message(ClientSession session, String text) {
        ClientMessage message = session.createMessage((byte) 3, true);
        message.getBodyBuffer().writeNullableSimpleString(SimpleString.of(text));
        return message;
    }
}
