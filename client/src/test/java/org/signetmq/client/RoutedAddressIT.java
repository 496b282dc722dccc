/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Mqtt3;

/** Consumers of a pattern, where addresses have empty words, or words with a delimiter inside. */
final class RoutedAddressIT extends BrokerTest {
    private static final PolicySet POLICIES = PolicySet.of(
            1,
            UnmatchedAddress.PASS,
            List.of(Policy.integrity("orders.#"), Policy.integrity("one.*"), Policy.integrity("tenant.{t}.x")));

    private Opener opener;

    @BeforeAll
    void open() {
        Home home = new Home(keys.folder);
        opener = Opener.create(
                new Opener.Keys(List.of(), home.recipientDirectory(), home.certificateTrust()), () -> POLICIES);
    }

    @AfterAll
    void close() {
        opener.close();
    }

    private void publish(String topic, byte[] payload) throws MqttException {
        MqttClient client = Mqtt3.connect(Sender.uri(broker), "producer", new MqttConnectOptions());
        client.publish(topic, payload, 1, false);
        Mqtt3.end(client);
    }

    /** The attack: the consumer got the message as one without a policy. */
    @ParameterizedTest
    @Cases(
            inShortTier = 3,
            value = {
                "orders//, orders.#",
                "one/v1.2, one.*",
                "tenant//x, tenant.*.x",
                "orders/, orders.#",
                "one/, one.*",
                "one/., one.*",
                "tenant/a.b/x, tenant.*.x"
            })
    void unsignedMessage_isNotHandedOut(String topic, String pattern) throws Exception {
        SignetConnectionFactory factory =
                SignetConnectionFactory.wrap(broker.core(), opener).withOpenFailuresThrown();
        try (Taking taking = Way.TOPIC.open(factory, pattern)) {
            publish(topic, "pay mallory".getBytes(UTF_8));

            for (int i = 0; i < TestBroker.ATTEMPTS; i++) {
                assertThatThrownBy(taking::take).isInstanceOf(MessageOpenException.class);
            }
            awaitMessages(TestBroker.DEAD_LETTERS, 1);
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {
                "orders/, orders.#, orders.",
                "one/v1.2, one.*, one.v1\\.2",
                "one/, one.*, one.",
                "tenant/acme/x, tenant.*.x, tenant.acme.x"
            })
    void signedMessage_isHandedOut(String topic, String pattern, String address) throws Exception {
        ClearMessage letter = new ClearMessage(
                address,
                new ClearMessage.Body(BodyKind.JMS_TEXT, "text/plain"),
                "pay alice".getBytes(UTF_8),
                Keys.SENDER,
                Map.of());
        byte[] sealed = keys.sealer().seal(letter, POLICIES.find(address).orElseThrow(), keys.signer());
        for (Client client : List.of(Client.CORE, Client.AMQP)) {
            try (Taking taking =
                    Way.TOPIC.open(SignetConnectionFactory.wrap(broker.factory(client), opener), pattern)) {
                publish(topic, sealed);

                assertThat(taking.take().getBody(String.class)).isEqualTo("pay alice");
            }
        }
    }
}
