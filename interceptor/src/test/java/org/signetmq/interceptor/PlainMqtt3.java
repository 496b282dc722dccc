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
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** A client of MQTT 3.1.1: publishes messages of each kind, and tells all of those it gets. */
final class PlainMqtt3 {
    /** As the protocol has it. */
    static final int LONGEST_WILL = 65_535;

    private PlainMqtt3() {}

    private static MqttClient client(TestBroker broker, String id, MqttConnectOptions options) throws MqttException {
        MqttClient client = new MqttClient(broker.uri(), id, new MemoryPersistence());
        client.setTimeToWait(180_000);
        options.setUserName("alice");
        options.setPassword("secret".toCharArray());
        client.connect(options);
        return client;
    }

    private static String topic(String address) {
        return address.replace('.', '/');
    }

    static int send(TestBroker broker, String address, int length) throws Exception {
        byte[] body = Producers.utf8(LargeBodies.text(length));
        MqttConnectOptions options = new MqttConnectOptions();
        options.setWill(topic(address), Arrays.copyOf(body, Math.min(body.length, LONGEST_WILL)), 1, false);
        MqttClient client = client(broker, "producer3", options);
        for (int quality = 0; quality <= 2; quality++) {
            client.publish(topic(address), body, quality, false);
        }
        client.publish(topic(address), Producers.utf8("retained: " + LargeBodies.text(length)), 1, true);
        client.disconnectForcibly(0, 100, false);
        client.close(true);
        return 5;
    }

    /** Makes the broker keep messages for this subscriber. */
    static void subscribe(TestBroker broker, String address, String id) throws MqttException {
        MqttClient client = client(broker, id, keeping());
        client.subscribe(topic(address), 2);
        client.disconnect();
        client.close(true);
    }

    private static MqttConnectOptions keeping() {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setCleanSession(false);
        return options;
    }

    /** The messages kept for a subscriber, and then those retained for a new one. */
    static List<String> receive(TestBroker broker, String address, String id, long count) throws Exception {
        List<String> told = new ArrayList<>();
        BlockingQueue<MqttMessage> messages = new ArrayBlockingQueue<>(100);
        MqttClient kept = new MqttClient(broker.uri(), id, new MemoryPersistence());
        kept.setCallback(new Arrivals(messages));
        MqttConnectOptions options = keeping();
        options.setUserName("alice");
        options.setPassword("secret".toCharArray());
        kept.connect(options);
        for (long i = 0; i < count; i++) {
            told.add(tell(messages.poll(3, TimeUnit.MINUTES)));
        }
        kept.disconnect();
        kept.close();
        MqttClient late = client(broker, id + "late", new MqttConnectOptions());
        late.subscribe(topic(address), 1, (topic, message) -> messages.add(message));
        told.add(tell(messages.poll(3, TimeUnit.MINUTES)));
        late.disconnect();
        late.close();
        return told;
    }

    /** Puts arrivals into a queue. */
    private record Arrivals(BlockingQueue<MqttMessage> messages)
            implements org.eclipse.paho.client.mqttv3.MqttCallback {
        @Override
        public void connectionLost(Throwable cause) {
            // then messages are missing
        }

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            messages.add(message);
        }

        @Override
        public void deliveryComplete(org.eclipse.paho.client.mqttv3.IMqttDeliveryToken token) {
            // nothing is sent
        }
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
