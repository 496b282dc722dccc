/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Mqtt3;

/**
 * Addresses with empty words and with delimiters inside a word, which the broker routes to consumers of a pattern. The
 * attack: no policy covered them, so the message lay in clear on the disk and on the queues of these consumers.
 */
final class RoutedAddressIT {
    private static TestBroker broker;
    private static PolicySet policies;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().create(setup.homes().broker, "acme-archive");
        List<String> consumer = List.of(TestHomes.CONSUMER);
        policies = setup.homes()
                .policies(
                        1,
                        Policy.privacy("orders.#", consumer),
                        Policy.privacy("one.*", consumer),
                        Policy.privacy("shop.*.x", consumer),
                        Policy.privacy("kept.*.*", consumer),
                        Policy.privacy("tenant.{t}.x", List.of("{t}-archive")),
                        Policy.integrity("signed.{t}.x"));
        broker = setup.start();
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    @AfterEach
    void nothingIsInClearOnTheDisk() throws Exception {
        assertThat(broker.disk().filesWith(Letter.MARK)).isEmpty();
    }

    private static void publish(String topic, String text, boolean retained) throws MqttException {
        MqttClient client = Mqtt3.connect(broker.uri(), "producer", Mqtt3.user("alice", "secret"));
        try {
            client.publish(topic, Producers.utf8(text), 1, retained);
            client.disconnect();
        } finally {
            client.close(true);
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 3,
            value = {
                "orders/, orders.#, orders.",
                "orders//eu/, orders.#, orders..eu.",
                "one/v1.2, one.*, one.v1\\.2",
                "one/., one.*, one.\\.",
                "one/, one.*, one.",
                "shop//x, shop.*.x, shop..x",
                "shop/.a/x, shop.*.x, shop.\\.a.x"
            })
    void topic_ofTheQueueOfAPattern_isSealed(String topic, String pattern, String address) throws Exception {
        for (String text : List.of(Letter.text("topic " + topic), Letter.largeText("topic " + topic))) {
            String queue = "of " + address + text.length();
            try (QueueReader reader = new QueueReader(broker).subscription(queue, pattern)) {
                publish(topic, text, false);

                OpenedMessage opened = broker.homes.open(reader.nextBody(queue), address, policies);

                assertThat(opened.entityIfProtected()).isPresent();
                assertThat(opened.payload()).isEqualTo(Producers.utf8(text));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"kept/v1., kept.v1\\.", "kept//, kept.."})
    void retainedMessage_isSealed(String topic, String address) throws Exception {
        String queue = BrokerAddresses.RETAINED + address;
        publish(topic, Letter.text("retained"), true);
        Awaitility.await().until(() -> broker.server().locateQueue(queue) != null);

        assertThat(broker.homes.open(broker.nextBody(queue), address, policies).payload())
                .isEqualTo(Producers.utf8(Letter.text("retained")));
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"tenant//x", "tenant/a.b/x", "tenant/acme./x", "signed//x", "signed/a.b/x"})
    void topicWithoutAValueOfTheVariable_isRejected(String topic) throws Exception {
        long before = broker.rejected();
        String queue = "of " + topic;
        String pattern = topic.startsWith("tenant") ? "tenant.*.x" : "signed.*.x";
        try (QueueReader reader = new QueueReader(broker).subscription(queue, pattern)) {
            assertThatThrownBy(() -> publish(topic, Letter.text("no tenant"), false))
                    .isInstanceOf(MqttException.class);

            Awaitility.await().until(() -> broker.rejected() > before);
            assertThat(reader.poll(queue)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tenant..x", "tenant.acme\\.b.x", "signed..x"})
    void addressWithoutAValueOfTheVariable_isRejectedWithTheReason(String address) {
        assertThatThrownBy(() -> Producers.CORE.send(broker, address, Letter.text("no tenant")))
                .hasMessageContaining("the address gives no value for {t}");
    }

    @Test
    void addressWithAValueOfTheVariable_isSealedForIt() throws Exception {
        try (QueueReader reader = new QueueReader(broker).subscription("of acme", "tenant.*.x")) {
            publish("tenant/acme/x", Letter.text("a tenant"), false);

            assertThat(reader.nextBody("of acme")).isNotEqualTo(Producers.utf8(Letter.text("a tenant")));
        }
    }
}
