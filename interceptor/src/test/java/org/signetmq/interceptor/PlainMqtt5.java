/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;

/** A client of MQTT 5: publishes messages with all their properties, and tells all of those it gets. */
final class PlainMqtt5 {
    private PlainMqtt5() {}

    private static MqttMessage message(byte[] body, int quality, boolean retained) {
        MqttProperties properties = new MqttProperties();
        properties.setContentType("text/plain");
        properties.setPayloadFormat(true);
        properties.setResponseTopic("replies");
        properties.setCorrelationData(new byte[] {1, 0, -1});
        properties.setUserProperties(List.of(
                new UserProperty("colour", "blue"),
                new UserProperty("colour", "green"),
                new UserProperty("signet_signer", "written by a producer")));
        return new MqttMessage(body, quality, retained, properties);
    }

    static int send(TestBroker broker, String address, int length) throws Exception {
        byte[] body = Producers.utf8(LargeBodies.text(length));
        MqttConnectionOptions options = Mqtt5.user("alice", "secret");
        byte[] last = Arrays.copyOf(body, Math.min(body.length, PlainMqtt3.LONGEST_WILL));
        options.setWill(Mqtt3.topic(address), message(last, 1, false));
        options.getWillMessageProperties().setContentType("text/plain");
        options.getWillMessageProperties().setUserProperties(List.of(new UserProperty("last", "will")));
        MqttClient client = Mqtt5.connect(broker.uri(), "producer5", options);
        for (int quality = 0; quality <= 2; quality++) {
            client.publish(Mqtt3.topic(address), message(body, quality, false));
        }
        client.publish(Mqtt3.topic(address), new MqttMessage(body, 1, false, new MqttProperties()));
        client.publish(Mqtt3.topic(address), message(Producers.utf8("retained: " + LargeBodies.text(length)), 1, true));
        client.disconnectForcibly(0, 100, false);
        client.close(true);
        return 6;
    }

    /** Makes the broker keep messages for this subscriber. */
    static void subscribe(TestBroker broker, String address, String id) throws MqttException {
        MqttClient client = Mqtt5.connect(broker.uri(), id, keeping());
        client.subscribe(Mqtt3.topic(address), 2);
        Mqtt5.end(client);
    }

    private static MqttConnectionOptions keeping() {
        MqttConnectionOptions options = Mqtt5.user("alice", "secret");
        options.setCleanStart(false);
        options.setSessionExpiryInterval(100_000L);
        return options;
    }

    /** The messages kept for a subscriber, and then those retained for a new one. */
    static List<String> receive(TestBroker broker, String address, String id, long count) throws Exception {
        List<String> told = new ArrayList<>();
        BlockingQueue<MqttMessage> messages = new ArrayBlockingQueue<>(100);
        MqttClient kept = Mqtt5.client(broker.uri(), id);
        kept.setCallback(new Arrivals(messages));
        kept.connect(keeping());
        for (long i = 0; i < count; i++) {
            told.add(tell(messages.poll(3, TimeUnit.MINUTES)));
        }
        told.sort(null); // MQTT keeps the order of messages of one quality alone
        Mqtt5.end(kept);
        MqttClient late = Mqtt5.connect(broker.uri(), id + "late", Mqtt5.user("alice", "secret"));
        Mqtt5.subscribe(late, address, (topic, message) -> messages.add(message));
        told.add(tell(messages.poll(3, TimeUnit.MINUTES)));
        Mqtt5.end(late);
        return told;
    }

    /** Puts arrivals into a queue. */
    private record Arrivals(BlockingQueue<MqttMessage> messages) implements MqttCallback {
        @Override
        public void disconnected(MqttDisconnectResponse response) {
            // then messages are missing
        }

        @Override
        public void mqttErrorOccurred(MqttException exception) {
            // then messages are missing
        }

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            messages.add(message);
        }

        @Override
        public void deliveryComplete(IMqttToken token) {
            // nothing is sent
        }

        @Override
        public void connectComplete(boolean reconnect, String serverUri) {
            // messages follow
        }

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {
            // none comes
        }
    }

    private static String tell(MqttMessage message) {
        if (message == null) {
            return "nothing";
        }
        MqttProperties properties = message.getProperties();
        return new Told()
                .with("quality", message.getQos())
                .with("retained", message.isRetained())
                .with("duplicate", message.isDuplicate())
                .with("body", message.getPayload())
                .with("content type", properties.getContentType())
                .with("payload format", properties.getPayloadFormat())
                .with("response topic", properties.getResponseTopic())
                .with("correlation data", properties.getCorrelationData())
                .with("expiry", properties.getMessageExpiryInterval())
                .with("user properties", String.valueOf(properties.getUserProperties()))
                .toString();
    }
}
