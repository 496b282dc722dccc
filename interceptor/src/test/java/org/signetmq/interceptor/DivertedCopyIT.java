/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.DivertConfiguration;
import org.apache.activemq.artemis.core.config.TransformerConfiguration;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Cases;

/**
 * Diverts of a protected address. The broker runs them before it asks the plugin about messages that no client sends
 * there.
 */
final class DivertedCopyIT {
    private static final String MARK = "diverted secret words";
    private static final String TEXT = (MARK + " ").repeat(12);

    @TempDir
    private Path folder;

    private PolicySet protectOrders(TestBroker.Setup setup) throws Exception {
        return setup.homes().policies(1, TestHomes.privacy("orders"));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void messageThatComesByADivert_isSealedBeforeTheNextDivertCopiesIt(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(
                        SafetyNetIT.divert("open", "orders").setExclusive(true)))
                .with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("orders", "copies")));
        PolicySet policies = protectOrders(setup);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("copies")) {

            producer.send(broker, "open", TEXT);

            assertOpens(broker, reader.nextBody("orders"), policies);
            assertOpens(broker, reader.nextBody("copies"), policies);
            assertThat(broker.sealed()).isOne();
        }
    }

    @Test
    void messageMovedByTheManagement_isSealedBeforeADivertCopiesIt() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(SafetyNetIT.divert("orders", "copies")));
        PolicySet policies = protectOrders(setup);
        try (TestBroker broker = setup.start();
                QueueReader reader =
                        new QueueReader(broker).queue("open").queue("orders").queue("copies")) {
            Producers.CORE.send(broker, "open", TEXT);

            // to the address and not to its queue: so the broker asks all bindings
            broker.server()
                    .getAddressSettingsRepository()
                    .addMatch("open", new AddressSettings().setDeadLetterAddress(SimpleString.of("orders")));
            QueueControl control = broker.control("open");
            control.sendMessagesToDeadLetterAddress(null);

            assertOpens(broker, reader.nextBody("orders"), policies);
            assertOpens(broker, reader.nextBody("copies"), policies);
        }
    }

    @Test
    void divertMadeByTheManagement_copiesWhatIsSealed_afterARestartToo() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(
                        SafetyNetIT.divert("open", "orders").setExclusive(true)));
        PolicySet policies = protectOrders(setup);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("copies")) {
            broker.server().deployDivert(SafetyNetIT.divert("orders", "copies"));
            Producers.CORE.send(broker, "open", TEXT);
            assertOpens(broker, reader.nextBody("copies"), policies);
        }
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker)) {
            Producers.AMQP.send(broker, "open", TEXT);
            assertOpens(broker, reader.nextBody("copies"), policies);
        }
    }

    @Test
    void exclusiveDivertWithATransformer_transformsWhatIsSealed() throws Exception {
        DivertConfiguration divert = SafetyNetIT.divert("orders", "copies")
                .setExclusive(true)
                .setTransformerConfiguration(new TransformerConfiguration(
                                "org.apache.activemq.artemis.core.server.transformer.AddHeadersTransformer")
                        .setProperties(Map.of("seen", "yes")));
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(
                        SafetyNetIT.divert("open", "orders").setExclusive(true)))
                .with(configuration -> configuration.addDivertConfiguration(divert));
        PolicySet policies = protectOrders(setup);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders").queue("copies")) {

            Producers.CORE.send(broker, "open", TEXT);

            assertOpens(broker, reader.nextBody("copies"), policies);
        }
    }

    @ParameterizedTest
    @Cases({"MQTT_5", "CORE", "STOMP_BYTES"})
    void lateSubscriberOfAnAddressThatKeepsMessages_getsThemSealed(Producers producer) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder)
                .with(configuration -> configuration.addDivertConfiguration(
                        SafetyNetIT.divert("open", "orders").setExclusive(true)))
                .with(configuration -> configuration.addAddressSetting(
                        "orders",
                        new AddressSettings()
                                .setRetroactiveMessageCount(10)
                                .setAutoCreateAddresses(true)
                                .setAutoCreateQueues(true)));
        PolicySet policies = protectOrders(setup);
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).subscription("early", "orders")) {
            producer.send(broker, "open", TEXT);
            assertOpens(broker, reader.nextBody("early"), policies);
            producer.send(broker, "open", TEXT);
            assertOpens(broker, reader.nextBody("early"), policies);

            broker.server()
                    .createQueue(
                            QueueConfiguration.of("late").setAddress("orders").setRoutingType(RoutingType.MULTICAST));
            Awaitility.await().until(() -> broker.waiting("late") == 2);

            assertOpens(broker, reader.nextBody("late"), policies);
            assertOpens(broker, reader.nextBody("late"), policies);
        }
    }

    /** Opens as sealed for the protected address, on any queue. A body that was sealed twice is no text. */
    private static void assertOpens(TestBroker broker, byte[] stored, PolicySet policies) throws Exception {
        assertThat(broker.homes.text(stored, "orders", policies)).isEqualTo(TEXT);
    }
}
