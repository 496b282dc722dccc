/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBridgeAddressPolicyElement;
import org.apache.activemq.artemis.core.config.amqpBrokerConnectivity.AMQPBridgeBrokerConnectionElement;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.testkit.Cases;

/**
 * Large Core messages that an AMQP bridge brings from a broker without Signet. The head of such a message names the
 * address where it was; the broker knows where it goes when all of it is there.
 */
final class TunneledCoreIT extends OneBroker {
    private static final String THERE = "outgoing";

    /** Which broker has the bridge, and whether the addresses have one name. */
    enum Bridge {
        PULLING(THERE),
        PUSHING(THERE),
        PULLING_FROM_THE_SAME_NAME("orders");

        final String from;

        Bridge(String from) {
            this.from = from;
        }

        void configure(TestBroker.Setup here, TestBroker.Setup there) {
            AMQPBridgeAddressPolicyElement policy = new AMQPBridgeAddressPolicyElement().setName("policy");
            AMQPBridgeBrokerConnectionElement bridge = new AMQPBridgeBrokerConnectionElement("bridge");
            if (this == PUSHING) {
                bridge.addBridgeToAddressPolicy(policy.addToIncludes(from).setRemoteAddress("orders"));
                there.connected(here.uri(), bridge);
            } else {
                bridge.addBridgeFromAddressPolicy(policy.addToIncludes("orders").setRemoteAddress(from));
                here.connected(there.uri(), bridge);
            }
        }
    }

    @ParameterizedTest
    @Cases({"PULLING", "PUSHING", "PULLING_FROM_THE_SAME_NAME"})
    void largeMessage_isSealedForWhereItGoes_andNeverInClearOnTheDisk(Bridge bridge) throws Exception {
        TestBroker.Setup there =
                new TestBroker.Setup(TestHomes.withoutPolicies(folder), folder.resolve("there")).bare();
        homes.policies(1, TestHomes.privacy("orders"));
        bridge.configure(setup, there);
        TestBroker source = start(there);
        TestBroker broker = start();
        DiskWatch watch = closing(new DiskWatch(broker.disk(), LargeBodies.MARK));
        JMSContext receiving = closing(Producers.core(broker).createContext());
        JMSContext sending = closing(Producers.core(source).createContext());
        source.server().addAddressInfo(new AddressInfo(SimpleString.of(bridge.from), RoutingType.MULTICAST));
        JMSConsumer consumer = receiving.createConsumer(receiving.createTopic("orders"));
        source.awaitBound(bridge.from);

        sending.createProducer().send(sending.createTopic(bridge.from), LargeBodies.TEXT);

        Message received = consumer.receive(180_000);
        assertThat(received).isNotNull();
        assertThat(homes.text(received.getBody(byte[].class), "orders").equals(LargeBodies.TEXT))
                .isTrue();
        assertThat(watch.seen()).isEmpty();
        assertThat(broker.sealed()).isEqualTo(1);
        assertThat(broker.rejected()).isZero();
    }
}
