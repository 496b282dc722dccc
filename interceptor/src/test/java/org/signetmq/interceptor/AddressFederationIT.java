/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederatedBrokerConnectionElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPFederationAddressPolicyElement;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.testkit.Tier;

/**
 * Federation of an address from a broker without Signet. The broker then routes the arriving messages itself, and asks
 * no plugin.
 */
final class AddressFederationIT extends OneBroker {
    private static final String ADDRESS = "orders.federated";
    private static final String MARK = "federated secret words";

    /** The side that configures the federation. */
    enum Side {
        /** The broker with Signet fetches by its own configuration. */
        DOWNSTREAM,
        /** The broker without Signet tells the one with Signet to fetch. */
        UPSTREAM
    }

    static Stream<Arguments> messages() {
        return Stream.of(Side.values())
                .flatMap(side -> Stream.of(JmsClient.values())
                        .flatMap(client -> Tier.cases(1, 400_000, 200, 3_000_000)
                                .map(length -> Arguments.of(side, client, length))));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void clearMessageOfAnUpstreamWithoutSignet_isSealedBeforeItIsStored(Side side, JmsClient client, int length)
            throws Exception {
        TestBroker.Setup upstreamSetup =
                new TestBroker.Setup(TestHomes.withoutPolicies(folder), folder.resolve("upstream")).bare();
        homes.policies(1, TestHomes.privacy("orders.#"));
        if (side == Side.DOWNSTREAM) {
            setup.connected(upstreamSetup.uri(), federation(side, ADDRESS));
        } else {
            upstreamSetup.connected(setup.uri(), federation(side, ADDRESS));
        }
        String text = MARK + "x".repeat(length - MARK.length());
        TestBroker upstream = start(upstreamSetup);
        TestBroker broker = start();
        broker.reader().subscription("subscription", ADDRESS);
        try (JMSContext here = client.factory(broker).createContext()) {
            var consumer = here.createConsumer(here.createTopic(ADDRESS));
            upstream.awaitBound(ADDRESS);

            try (JMSContext there = client.factory(upstream).createContext()) {
                there.createProducer()
                        .setProperty("signet_sender", "root")
                        .setProperty("colour", "blue")
                        .send(there.createTopic(ADDRESS), text);
            }
            Message received = Objects.requireNonNull(consumer.receive(180_000), "the message is lost");

            assertThat(homes.text(received.getBody(byte[].class), ADDRESS)).isEqualTo(text);
            assertThat(received.propertyExists("signet_sender")).isFalse();
            assertThat(received.getStringProperty("colour")).isEqualTo("blue");
            Awaitility.await().until(() -> broker.waiting("subscription") == 1);
            assertThat(broker.disk().filesWith(MARK)).isEmpty();
            assertThat(broker.sealed()).isOne();
        }
    }

    static AMQPFederatedBrokerConnectionElement federation(Side side, String address) {
        AMQPFederationAddressPolicyElement policy =
                new AMQPFederationAddressPolicyElement().setName("addresses").addToIncludes(address);
        policy.addProperty("ignoreAddressBindingFilters", "false");
        AMQPFederatedBrokerConnectionElement federation = new AMQPFederatedBrokerConnectionElement("federation");
        federation.addProperty("ignoreAddressBindingFilters", "false");
        return side == Side.DOWNSTREAM
                ? federation.addLocalAddressPolicy(policy)
                : federation.addRemoteAddressPolicy(policy);
    }
}
