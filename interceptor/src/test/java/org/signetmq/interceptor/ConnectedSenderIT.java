/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSSecurityRuntimeException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/** Permissions and policies change while a client is connected, whose last messages were sealed. */
final class ConnectedSenderIT extends OneBroker {
    private static final String TEXT = "a text of a connected sender";

    @BeforeEach
    void protectOrders() throws Exception {
        setup.secured();
        setup.homes().policies(1, TestHomes.privacy("orders.#"));
    }

    @Test
    void revokedPermission_isNoticedByThePluginAtTheNextMessage() throws Exception {
        TestBroker broker = start();
        ActiveMQConnectionFactory factory = closing(new ActiveMQConnectionFactory(broker.uri()));
        JMSContext context = closing(factory.createContext("alice", "secret"));
        JMSProducer producer = context.createProducer();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_500); // beyond the start of the memory
        while (System.nanoTime() < end) {
            producer.send(context.createQueue("orders.eu"), TEXT);
        }
        long sealed = broker.sealed();

        for (int i = 0; i < 3; i++) {
            allow(broker, "orders.#", false);
            assertThatThrownBy(() -> producer.send(context.createQueue("orders.eu"), TEXT))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
            assertThat(broker.rejected()).isEqualTo(i + 1);
            assertThat(broker.sealed()).isEqualTo(sealed + i);

            allow(broker, "orders.#", true);
            producer.send(context.createQueue("orders.eu"), TEXT);
        }
    }

    private static void allow(TestBroker broker, String match, boolean send) {
        broker.server()
                .getSecurityRepository()
                .addMatch(
                        match,
                        Set.of(new Role(
                                "all", send, true, true, true, true, true, true, true, true, true, false, false)));
    }

    @Tag(Tier.LONG)
    @Test
    void reloadedPolicies_applyToAConnectedSender() throws Exception {
        TestBroker broker = start();
        ActiveMQConnectionFactory factory = closing(new ActiveMQConnectionFactory(broker.uri()));
        JMSContext context = closing(factory.createContext("alice", "secret"));
        JMSProducer producer = context.createProducer();
        producer.send(context.createQueue("orders.eu"), TEXT);
        for (int version = 2; version < 5; version++) {
            homes.policies(version, TestHomes.privacy("orders.#"));
            String reference = "orders.#@" + version;
            PolicySet policies = PolicySet.of(version, UnmatchedAddress.PASS, List.of(TestHomes.privacy("orders.#")));
            String address = "orders.v" + version;
            Awaitility.await().untilAsserted(() -> {
                producer.send(context.createQueue(address), TEXT);
                OpenedMessage opened = homes.open(broker.nextBody(address), address, policies);
                assertThat(opened.entityIfProtected())
                        .hasValueSatisfying(entity ->
                                assertThat(entity.attribution().policy()).isEqualTo(reference));
            });
        }

        homes.policies(PolicySet.of(9, UnmatchedAddress.REJECT, List.of()));
        Awaitility.await()
                .untilAsserted(() -> assertThatThrownBy(() -> producer.send(context.createQueue("orders.eu"), TEXT))
                        .isInstanceOf(JMSSecurityRuntimeException.class));
    }
}
