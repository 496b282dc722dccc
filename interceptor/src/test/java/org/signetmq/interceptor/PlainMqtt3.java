/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.signetmq.testkit.Mqtt3;

/** A client of MQTT 3.1.1: publishes messages of each kind, and tells all of those it gets. */
final class PlainMqtt3 {
    /** As the protocol has it. */
    static final int LONGEST_WILL = 65_535;

    private PlainMqtt3() {}

    static int send(TestBroker broker, String address, int length) throws Exception {
        byte[] body = Producers.utf8(LargeBodies.text(length));
        MqttConnectOptions options = Mqtt3.user("alice", "secret");
        options.setWill(Mqtt3.topic(address), Arrays.copyOf(body, Math.min(body.length, LONGEST_WILL)), 1, false);
        MqttClient client = Mqtt3.connect(broker.uri(), "producer3", options);
        for (int quality = 0; quality <= 2; quality++) {
            client.publish(Mqtt3.topic(address), body, quality, false);
        }
        client.publish(Mqtt3.topic(address), Producers.utf8("retained: " + LargeBodies.text(length)), 1, true);
        client.disconnectForcibly(0, 100, false);
        client.close(true);
        return 5;
    }

    /** Makes the broker keep messages for this subscriber. */
    static void subscribe(TestBroker broker, String address, String id) throws MqttException {
        MqttClient client = Mqtt3.connect(broker.uri(), id, keeping());
        client.subscribe(Mqtt3.topic(address), 2);
        Mqtt3.end(client);
    }

    private static MqttConnectOptions keeping() {
        MqttConnectOptions options = Mqtt3.user("alice", "secret");
        options.setCleanSession(false);
        return options;
    }

    /** The messages kept for a subscriber, and then those retained for a new one. */
    static List<String> receive(TestBroker broker, String address, String id, long count) throws Exception {
        List<String> told = new ArrayList<>();
        BlockingQueue<MqttMessage> messages = new ArrayBlockingQueue<>(100);
        MqttClient kept = Mqtt3.client(broker.uri(), id);
        kept.setCallback(
                Mqtt3.callback((topic, message) -> messages.add(message), lost -> {})); // then some are missing
        kept.connect(keeping());
        for (long i = 0; i < count; i++) {
            told.add(tell(messages.poll(3, TimeUnit.MINUTES)));
        }
        told.sort(null); // MQTT keeps the order of messages of one quality alone
        Mqtt3.end(kept);
        MqttClient late = Mqtt3.connect(broker.uri(), id + "late", Mqtt3.user("alice", "secret"));
        late.subscribe(Mqtt3.topic(address), 1, (topic, message) -> messages.add(message));
        told.add(tell(messages.poll(3, TimeUnit.MINUTES)));
        Mqtt3.end(late);
        return told;
    }

    private static String tell(MqttMessage message) {
        return message == null
                ? "nothing"
                : new Told()
                        .with("quality", message.getQos())
                        .with("retained", message.isRetained())
                        .with("duplicate", message.isDuplicate())
                        .with("body", message.getPayload())
                        .toString();
    }
}
