/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Mqtt3;

/** The address that an MQTT consumer opens for, as docs/clients.md makes it from the topic. */
final class MqttTopicIT extends ProtectingBrokerTest {
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"privacy/attic", "privacy/v1.2", "privacy/a*b", "privacy/*", "privacy//end."})
    void topic_isTheAddressThatItWasSealedFor(String topic) throws Exception {
        BlockingQueue<byte[]> payloads = new LinkedBlockingQueue<>();
        try (MqttClient client = Mqtt3.connect(Sender.uri(broker), "topics", new MqttConnectOptions())) {
            client.subscribe(topic, 1, (name, message) -> payloads.add(message.getPayload()));

            client.publish(topic, "hello".getBytes(StandardCharsets.UTF_8), 1, false);

            byte[] payload = payloads.poll(3, TimeUnit.MINUTES);
            assertThat(payload).isNotNull();
            assertThat(ClientExamples.open(keys.opener(), payload, topic)).isEqualTo(Keys.SIGNER + " wrote hello");
            client.disconnect();
        }
    }
}
