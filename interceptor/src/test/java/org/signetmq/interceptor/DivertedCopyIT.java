/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.activemq.artemis.core.config.DivertConfiguration;
import org.apache.activemq.artemis.core.config.TransformerConfiguration;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.Cases;

/**
 * Diverts of a protected address. The broker runs them before it asks the plugin about messages that no client sends
 * there.
 */
final class DivertedCopyIT extends OneBroker {
    private static final String MARK = "diverted secret words";
    private static final String TEXT = (MARK + " ").repeat(12);

    @BeforeEach
    void protectOrders() throws Exception {
        homes.policies(1, TestHomes.privacy("orders"));
    }

    private void divert(DivertConfiguration divert) {
        setup.with(configuration -> configuration.addDivertConfiguration(divert));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void messageThatComesByADivert_isSealedBeforeTheNextDivertCopiesIt(Producers producer) throws Exception {
        divert(SafetyNetIT.divert("open", "orders").setExclusive(true));
        divert(SafetyNetIT.divert("orders", "copies"));
        TestBroker broker = start("orders", "copies");

        producer.send(broker, "open", TEXT);

        broker.assertNext("orders", TEXT);
        broker.assertNext("copies", "orders", TEXT);
        assertThat(broker.sealed()).isOne();
    }

    @Test
    void messageMovedByTheManagement_isSealedBeforeADivertCopiesIt() throws Exception {
        divert(SafetyNetIT.divert("orders", "copies"));
        TestBroker broker = start("open", "orders", "copies");
        Producers.CORE.send(broker, "open", TEXT);

        // to the address and not to its queue: so the broker asks all bindings
        broker.server()
                .getAddressSettingsRepository()
                .addMatch("open", new AddressSettings().setDeadLetterAddress(SimpleString.of("orders")));
        QueueControl control = broker.control("open");
        control.sendMessagesToDeadLetterAddress(null);

        broker.assertNext("orders", TEXT);
        broker.assertNext("copies", "orders", TEXT);
    }

    @Test
    void divertMadeByTheManagement_copiesWhatIsSealed_afterARestartToo() throws Exception {
        divert(SafetyNetIT.divert("open", "orders").setExclusive(true));
        try (TestBroker broker = setup.queues(List.of("orders", "copies")).start()) {
            broker.server().deployDivert(SafetyNetIT.divert("orders", "copies"));
            Producers.CORE.send(broker, "open", TEXT);
            broker.assertNext("copies", "orders", TEXT);
        }
        TestBroker broker = start();
        Producers.AMQP.send(broker, "open", TEXT);
        broker.assertNext("copies", "orders", TEXT);
    }

    @Test
    void exclusiveDivertWithATransformer_transformsWhatIsSealed() throws Exception {
        DivertConfiguration divert = SafetyNetIT.divert("orders", "copies")
                .setExclusive(true)
                .setTransformerConfiguration(new TransformerConfiguration(
                                "org.apache.activemq.artemis.core.server.transformer.AddHeadersTransformer")
                        .setProperties(Map.of("seen", "yes")));
        divert(SafetyNetIT.divert("open", "orders").setExclusive(true));
        divert(divert);
        TestBroker broker = start("orders", "copies");

        Producers.CORE.send(broker, "open", TEXT);

        broker.assertNext("copies", "orders", TEXT);
    }

    @ParameterizedTest
    @Cases({"MQTT_5", "CORE", "STOMP_BYTES"})
    void lateSubscriberOfAnAddressThatKeepsMessages_getsThemSealed(Producers producer) throws Exception {
        divert(SafetyNetIT.divert("open", "orders").setExclusive(true));
        setup.with(configuration -> configuration.addAddressSetting(
                "orders",
                new AddressSettings()
                        .setRetroactiveMessageCount(10)
                        .setAutoCreateAddresses(true)
                        .setAutoCreateQueues(true)));
        TestBroker broker = start();
        broker.reader().subscription("early", "orders");
        producer.send(broker, "open", TEXT);
        broker.assertNext("early", "orders", TEXT);
        producer.send(broker, "open", TEXT);
        broker.assertNext("early", "orders", TEXT);

        broker.reader().subscription("late", "orders");
        Awaitility.await().until(() -> broker.waiting("late") == 2);

        broker.assertNext("late", "orders", TEXT);
        broker.assertNext("late", "orders", TEXT);
    }
}
