/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.PolicySet;

final class RetainedIT {
    private static final String TEXT = "retained for whoever comes later ".repeat(10);

    @TempDir
    private Path folder;

    @Test
    void retainedMessage_isSealedOnceForLateSubscribers_andCleared() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
        try (TestBroker broker = setup.start()) {
            Producers.mqtt3(broker, "orders", retained(TEXT));

            byte[] late = subscribe(broker).poll(3, TimeUnit.MINUTES);
            assertThat(broker.homes.text(late, "orders", policies)).isEqualTo(TEXT);
            assertThat(broker.disk().filesWith(TEXT.substring(0, 30))).isEmpty();
            assertThat(broker.sealed()).isEqualTo(1);

            Producers.mqtt3(broker, "orders", retained(""));

            assertThat(broker.sealed()).isEqualTo(1);
            assertThat(broker.waiting("$sys.mqtt.retain.orders")).isZero();
        }
    }

    /** A user with the right to write there directly would otherwise put it in clear beside the sealed messages. */
    @Test
    void sendToWhereTheBrokerKeepsRetainedMessages_isSealedAsForTheirTopic() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker)) {
            Producers.mqtt3(broker, "orders", retained("the first"));

            try (JMSContext context = Producers.core(broker).createContext()) {
                context.createProducer()
                        .send(context.createTopic("$sys.mqtt.retain.orders"), context.createTextMessage(TEXT));
            }

            List<String> opened = new ArrayList<>();
            while (opened.size() < 2) {
                byte[] stored = reader.nextBody("$sys.mqtt.retain.orders");
                opened.add(broker.homes.text(stored, "orders", policies));
            }
            assertThat(opened).containsExactlyInAnyOrder("the first", TEXT);
            assertThat(broker.disk().filesWith(TEXT.substring(0, 30))).isEmpty();
            assertThat(broker.sealed()).isEqualTo(2);
        }
    }

    @Test
    void will_isSealed() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        PolicySet policies = setup.homes().policies(1, TestHomes.privacy("orders"));
        try (TestBroker broker = setup.start();
                QueueReader reader = new QueueReader(broker).queue("orders")) {
            MqttConnectOptions options = new MqttConnectOptions();
            options.setWill("orders", Producers.utf8(TEXT), 1, false);
            MqttClient client = client(broker, "dying");
            client.connect(options);

            client.disconnectForcibly(0, 100, false);
            client.close(true);

            byte[] stored = reader.nextBody("orders");
            assertThat(broker.homes.text(stored, "orders", policies)).isEqualTo(TEXT);
        }
    }

    private static MqttMessage retained(String text) {
        MqttMessage message = new MqttMessage(Producers.utf8(text));
        message.setRetained(true);
        return message;
    }

    private static BlockingQueue<byte[]> subscribe(TestBroker broker) throws Exception {
        BlockingQueue<byte[]> received = new ArrayBlockingQueue<>(10);
        MqttClient client = client(broker, "subscriber");
        client.connect();
        client.subscribe("orders", (topic, message) -> received.add(message.getPayload()));
        return received;
    }

    private static MqttClient client(TestBroker broker, String id) throws Exception {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + broker.port, id, new MemoryPersistence());
        client.setTimeToWait(180_000);
        return client;
    }
}
