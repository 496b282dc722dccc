/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.nio.charset.StandardCharsets;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;

/** Clients of MQTT 5 that keep nothing on a disk. */
public final class Mqtt5 {
    private Mqtt5() {}

    /** Returns a client that is not connected. It waits 3 minutes for each answer. */
    public static MqttClient client(String url, String id) throws MqttException {
        MqttClient client = new MqttClient(url, id, new MemoryPersistence());
        client.setTimeToWait(180_000);
        return client;
    }

    /** Returns a connected client. */
    public static MqttClient connect(String url, String id, MqttConnectionOptions options) throws MqttException {
        MqttClient client = client(url, id);
        try {
            client.connect(options);
            return client;
        } catch (MqttException e) {
            client.close(true);
            throw e;
        }
    }

    /** Returns the options of a user. */
    public static MqttConnectionOptions user(String name, String password) {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName(name);
        options.setPassword(password.getBytes(StandardCharsets.UTF_8));
        return options;
    }

    /** Publishes a message to addresses by a client of its own. */
    public static void publish(
            String url, MqttConnectionOptions options, MqttMessage message, Iterable<String> addresses)
            throws MqttException {
        MqttClient client = connect(url, "producer5", options);
        try {
            for (String address : addresses) {
                client.publish(Mqtt3.topic(address), message);
            }
            client.disconnect();
        } finally {
            client.close(true);
        }
    }

    /** Subscribes to an address, at least once. The shorter form of the client ends in a NullPointerException. */
    public static void subscribe(MqttClient client, String address, IMqttMessageListener arrival) throws MqttException {
        client.subscribe(
                new MqttSubscription[] {new MqttSubscription(Mqtt3.topic(address), 1)},
                new IMqttMessageListener[] {arrival});
    }

    /** Disconnects and closes a client. */
    public static void end(MqttClient client) throws MqttException {
        client.disconnect();
        client.close();
    }
}
