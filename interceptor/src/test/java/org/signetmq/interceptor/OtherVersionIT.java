/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.activemq.artemis.core.postoffice.PostOffice;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.EmbeddedBroker;

/** A version of the broker that keeps its storage elsewhere. */
final class OtherVersionIT extends OneBroker {
    private static <T> T as(Class<T> type, Object target, UnaryOperator<Object> change) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Object[] arguments = given == null ? new Object[0] : given.clone();
            if (method.getName().equals("registered")) {
                arguments[0] = change.apply(arguments[0]);
            }
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** The broker seems to be of another class to the plugin. */
    @Test
    void brokerOfAnotherVersion_doesNotStart_andSaysWhy() throws Exception {
        SignetPlugin plugin = new SignetPlugin();
        try (EmbeddedBroker broker = new EmbeddedBroker("").storingIn(folder)) {
            broker.configuration()
                    .registerBrokerPlugin(as(
                            ActiveMQServerPlugin.class,
                            plugin,
                            server -> as(ActiveMQServer.class, server, same -> same)));
            broker.launch();

            assertThat(broker.server().isActive()).isFalse();
            assertThatThrownBy(() -> plugin.registered(as(ActiveMQServer.class, broker.server(), same -> same)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Signet refuses to start: this version of Artemis is not one that")
                    .hasMessageContaining("no StorageManager in ");
        }
    }

    @Test
    void pluginInTwoJarsOfTheClassPath_refusesToStart_andNamesBoth() throws Exception {
        URL own = SignetPlugin.class.getProtectionDomain().getCodeSource().getLocation();
        Path other = folder.resolve("lib/org/signetmq/interceptor/SignetPlugin.class");
        Files.createDirectories(other.getParent());
        Files.write(other, new byte[] {1});
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {own, folder.resolve("lib").toUri().toURL()}, null)) {
            assertThatThrownBy(() -> SignetPlugin.requireOneJar(loader))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Signet refuses to start: it is on the broker's class path 2 times")
                    .hasMessageContaining(own.toString())
                    .hasMessageContaining(other.toString());
        }
    }

    /** The broker lists a plugin before it tells it so. */
    @Test
    void runningBrokerWhosePluginRefuses_takesNoClients() throws Exception {
        SignetPlugin plugin = new SignetPlugin();
        setup.bare();
        TestBroker broker = start();
        assertThatThrownBy(() -> broker.server()
                        .registerBrokerPlugin(as(
                                ActiveMQServerPlugin.class,
                                plugin,
                                server -> as(ActiveMQServer.class, server, same -> same))))
                .hasMessageStartingWith("Signet refuses to start: ");

        // a session alone could write a large body in clear, until the end of the message
        assertThatThrownBy(() -> Producers.core(broker).createConnection().close())
                .hasMessageContaining("the plugin has not started");
    }

    /** What cannot be seen before the broker has started. */
    private record OtherPostOffice() implements ActiveMQServerPlugin {
        @Override
        public void registered(ActiveMQServer server) {
            try {
                BrokerField<PostOffice> field = BrokerField.of(server, PostOffice.class);
                field.set(as(PostOffice.class, field.get(), same -> same));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void brokerWhoseStorageCannotBeGuarded_rejectsAllClients_andNothingIsWritten() throws Exception {
        setup.with(configuration -> configuration.getBrokerPlugins().add(0, new OtherPostOffice()));
        homes.policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        TestBroker broker = start();
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        for (Producers producer : List.of(Producers.CORE, Producers.AMQP, Producers.MQTT_5)) {
            assertThatThrownBy(() -> producer.send(broker, "orders", LargeBodies.TEXT))
                    .isNotNull();
        }
        assertThat(watch.seen()).isEmpty();
        assertThat(broker.disk().largeFiles()).isEmpty();
        assertThat(broker.state().reason()).contains("no StorageManager");
        assertThat(AuditLines.of("message-rejected")).isNotEmpty().allSatisfy(line -> {
            assertThat(line.path("text").textValue()).startsWith("Signet rejects all clients: ");
            assertThat(line.path("from").textValue()).contains("127.0.0.1:");
        });
    }
}
