/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.RecordingLogs;

/** A version of the broker that does not let its storage be found. */
final class OtherVersionIT {
    private final PolicySet policies = LargeBodies.policies(QualityOfProtection.PRIVACY);

    @TempDir
    private Path folder;

    private TestBroker.Setup setup;

    @BeforeEach
    void prepare() throws Exception {
        RecordingLogs.forget();
        SignetPlugin plugin = new SignetPlugin();
        setup = new TestBroker.Setup(folder)
                .plugin(plugin)
                .bare()
                .with(configuration -> configuration.registerBrokerPlugin(inOtherVersion(plugin)));
        setup.homes().policies(policies);
    }

    /** The plugin, to which the broker seems to be of another class. */
    private static ActiveMQServerPlugin inOtherVersion(SignetPlugin plugin) {
        return as(
                ActiveMQServerPlugin.class,
                plugin,
                argument -> argument instanceof ActiveMQServer server
                        ? as(ActiveMQServer.class, server, same -> same)
                        : argument);
    }

    /** The use of an argument. */
    @FunctionalInterface
    private interface Change {
        Object of(Object argument);
    }

    private static <T> T as(Class<T> type, T target, Change change) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Object[] arguments = given == null ? new Object[0] : given.clone();
            if (method.getName().equals("registered")) {
                arguments[0] = change.of(arguments[0]);
            }
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    @Test
    void largeMessageOfACoreClient_isRejectedBeforeAnyOfItIsWritten() throws Exception {
        try (TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> Producers.CORE.send(broker, "orders", LargeBodies.TEXT))
                    .isInstanceOf(JMSException.class);

            assertThat(watch.seen()).isEmpty();
            LargeMessageIT.assertLeavesNothing(broker, reader);
        }
    }

    /** Its client does not count it as large, but the broker will. */
    @Test
    void longMessageOfACoreClient_isRejectedBeforeAnyOfItIsWritten() throws Exception {
        try (TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                QueueReader reader = new QueueReader(broker).queue("orders");
                ActiveMQConnectionFactory factory =
                        new ActiveMQConnectionFactory(broker.uri() + "?minLargeMessageSize=10000000")) {

            assertThatThrownBy(() ->
                            Producers.jms(factory, "orders", session -> session.createTextMessage(LargeBodies.TEXT)))
                    .isInstanceOf(JMSException.class);

            assertThat(watch.seen()).isEmpty();
            LargeMessageIT.assertLeavesNothing(broker, reader);
        }
    }

    @Test
    void otherMessagesOfCoreClients_areTaken_andTheSmallOnesSealed() throws Exception {
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("open")) {

            Producers.CORE.send(broker, "orders", "small");
            Producers.CORE.send(broker, "open", LargeBodies.TEXT);

            byte[] stored = reader.nextBody("orders");
            assertThat(new String(setup.homes().open(stored, "orders", policies).payload(), StandardCharsets.UTF_8))
                    .isEqualTo("small");
            assertThat(reader.nextBody("open").length).isGreaterThanOrEqualTo(LargeBodies.TEXT.length());
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"AMQP", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void clientOfAnotherProtocol_isRejected(Producers producer) throws Exception {
        try (TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> producer.send(broker, "orders", LargeBodies.TEXT))
                    .isNotNull();

            assertThat(watch.seen()).isEmpty();
            assertThat(reader.poll("orders")).isNull();
            assertThat(broker.disk().largeFiles()).isEmpty();
            assertThat(AuditLines.of("message-rejected")).isNotEmpty().allSatisfy(line -> {
                assertThat(line.path("text").textValue()).startsWith("clients of ");
                assertThat(line.path("from").textValue()).contains("127.0.0.1:");
            });
        }
    }

    @Test
    void plugin_saysSo() throws Exception {
        try (TestBroker broker = setup.start()) {
            PluginStatus.LargeMessages large = broker.plugin.state().largeMessages();

            assertThat(large.mode()).isEqualTo(PluginStatus.LargeMessages.Mode.REFUSED);
            assertThat(large.reason())
                    .contains("this version of Artemis keeps its storage elsewhere")
                    .contains("rejects clients of other protocols than Core");
        }
    }
}
