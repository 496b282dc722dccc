/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.server.cluster.RemoteQueueBinding;
import org.apache.activemq.artemis.core.server.cluster.impl.MessageLoadBalancingType;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Tier;

/** Messages that go to another broker over Core: a bridge, and a cluster of two. */
final class BridgeIT extends TwoBrokers {
    private static final String BRIDGED = "safe.bridged";
    private static final String BRIDGED_LARGE = "safe.bridged.large";
    private static final String RENAMED = "safe.renamed";
    private static final String NEW_NAME = "safe.new.name";
    private static final String CLUSTERED = "safe.clustered";
    private static final String SELF = "self";

    @Override
    void configure(Configuration configuration) throws Exception {
        configuration.addConnectorConfiguration(CONNECTOR, other().uri());
        cluster(configuration, setup.uri());
        bridge(configuration, BRIDGED, BRIDGED);
        bridge(configuration, BRIDGED_LARGE, BRIDGED_LARGE);
        bridge(configuration, RENAMED, NEW_NAME);
    }

    private static void bridge(Configuration configuration, String from, String to) {
        configuration.addQueueConfiguration(QueueConfiguration.of(from).setRoutingType(RoutingType.ANYCAST));
        configuration
                .getBridgeConfigurations()
                .add(new BridgeConfiguration()
                        .setName("bridge to " + to)
                        .setQueueName(from)
                        .setForwardingAddress(to)
                        .setStaticConnectors(List.of(CONNECTOR)));
    }

    @Override
    void configureOther(Configuration configuration, String uri) throws Exception {
        configuration.addConnectorConfiguration(CONNECTOR, setup.uri());
        cluster(configuration, uri);
        for (String queue : List.of(BRIDGED, BRIDGED_LARGE, NEW_NAME)) {
            configuration.addQueueConfiguration(QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
        }
    }

    private static void cluster(Configuration configuration, String uri) throws Exception {
        configuration.addConnectorConfiguration(SELF, uri);
        configuration.addClusterConfiguration(new ClusterConnectionConfiguration()
                .setName("cluster")
                .setAddress(CLUSTERED)
                .setConnectorName(SELF)
                .setRetryInterval(100)
                .setMessageLoadBalancingType(MessageLoadBalancingType.ON_DEMAND)
                .setStaticConnectors(List.of(CONNECTOR)));
        configuration.addAddressSetting(CLUSTERED + ".#", new AddressSettings().setRedistributionDelay(0));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void bridge_carriesWhatIsSealedUnchanged(Producers producer) throws Exception {
        long before = sealedByBoth();
        String text = Letter.text("a bridge by " + producer);

        producer.send(broker, BRIDGED, text);

        assertThat(open(take(other(), BRIDGED), BRIDGED)).isEqualTo(text);
        assertSealedByOneBroker(before);
    }

    @ParameterizedTest
    @Cases({"CORE", "AMQP", "MQTT_3", "MQTT_5", "STOMP_TEXT", "STOMP_BYTES", "OPENWIRE"})
    void bridge_carriesALargeMessageUnchanged(Producers producer) throws Exception {
        long before = sealedByBoth();
        String text = Letter.largeText("a bridge by " + producer);

        producer.send(broker, BRIDGED_LARGE, text);

        assertThat(openLarge(other(), BRIDGED_LARGE).equals(text)).isTrue();
        assertSealedByOneBroker(before);
    }

    /** The address is within the encryption: the other broker does not see that it is not the one of the message. */
    @Test
    void bridge_toAnAddressOfAnotherName_carriesWhatIsEncryptedUnchanged() throws Exception {
        long before = sealedByBoth();

        Producers.CORE.send(broker, RENAMED, Letter.text("another name"));

        assertThat(open(take(other(), NEW_NAME), RENAMED)).isEqualTo(Letter.text("another name"));
        assertSealedByOneBroker(before);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void bridge_keepsMetadata(JmsClient client) throws Exception {
        client.send(broker, BRIDGED, Letter.text("metadata"));

        Letter.assertDressed(take(other(), BRIDGED), 1);
    }

    @ParameterizedTest
    @EnumSource(JmsClient.class)
    void redistribution_carriesWhatIsSealedUnchanged(JmsClient client) throws Exception {
        String queue = CLUSTERED + "." + client;
        for (TestBroker one : List.of(broker, other())) {
            one.createQueue(queue);
        }
        awaitClustered(queue);
        long before = sealedByBoth();
        client.send(broker, queue, session -> Letter.writeWithoutGroup(session, Letter.text("redistribution")));
        awaitWaiting(queue, 1);

        Message stored = take(other(), queue);

        assertThat(open(stored, queue)).isEqualTo(Letter.text("redistribution"));
        Letter.assertDressedWithoutGroup(stored, 1);
        awaitWaiting(queue, 0);
        assertSealedByOneBroker(before);
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @MethodSource("org.signetmq.interceptor.Producers#few")
    void redistribution_carriesALargeMessageUnchanged(Producers producer) throws Exception {
        String queue = CLUSTERED + ".large." + producer;
        for (TestBroker one : List.of(broker, other())) {
            one.createQueue(queue);
        }
        awaitClustered(queue);
        long before = sealedByBoth();
        String text = Letter.largeText("redistribution by " + producer);
        producer.send(broker, queue, text);
        awaitWaiting(queue, 1);

        assertThat(openLarge(other(), queue).equals(text)).isTrue();

        awaitWaiting(queue, 0);
        assertSealedByOneBroker(before);
    }

    @Test
    void loadBalancing_carriesWhatIsSealedUnchanged() throws Exception {
        String queue = CLUSTERED + ".balanced";
        for (TestBroker one : List.of(broker, other())) {
            one.createQueue(queue);
        }
        awaitClustered(queue);
        long before = sealedByBoth();
        try (var context = Producers.core(other()).createContext()) {
            var consumer = context.createConsumer(context.createQueue(queue));
            awaitRemoteConsumer(queue);

            Producers.CORE.send(broker, queue, Letter.text("the other node"));

            assertThat(open(consumer.receive(180_000), queue)).isEqualTo(Letter.text("the other node"));
        }
        assertSealedByOneBroker(before);
    }

    /** Each node knows the other's queue. */
    private void awaitClustered(String queue) {
        Awaitility.await()
                .until(() -> remoteBindings(broker, queue).count() == 1
                        && remoteBindings(other(), queue).count() == 1);
    }

    private void awaitRemoteConsumer(String queue) {
        Awaitility.await().until(() -> remoteBindings(broker, queue).allMatch(binding -> binding.consumerCount() == 1));
    }

    private static Stream<RemoteQueueBinding> remoteBindings(TestBroker at, String queue) throws Exception {
        return at.server().getPostOffice().getBindingsForAddress(SimpleString.of(queue)).getBindings().stream()
                .filter(RemoteQueueBinding.class::isInstance)
                .map(RemoteQueueBinding.class::cast);
    }
}
