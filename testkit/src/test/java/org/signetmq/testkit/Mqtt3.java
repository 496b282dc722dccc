/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.util.function.Consumer;
import org.eclipse.paho.client.mqttv3.IMqttDeliveryToken;
import org.eclipse.paho.client.mqttv3.IMqttMessageListener;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** Clients of MQTT 3.1.1 that keep nothing on a disk. */
public final class Mqtt3 {
    private Mqtt3() {}

    /** Returns a client that is not connected. It waits 3 minutes for each answer. */
    public static MqttClient client(String url, String id) throws MqttException {
        MqttClient client = new MqttClient(url, id, new MemoryPersistence());
        client.setTimeToWait(180_000);
        return client;
    }

    /** Returns a connected client. */
    public static MqttClient connect(String url, String id, MqttConnectOptions options) throws MqttException {
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
    public static MqttConnectOptions user(String name, String password) {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setUserName(name);
        options.setPassword(password.toCharArray());
        return options;
    }

    /** Returns the topic of an address. */
    public static String topic(String address) {
        return address.replace('.', '/');
    }

    /** Publishes a message to addresses by a client of its own. */
    public static void publish(String url, MqttConnectOptions options, MqttMessage message, Iterable<String> addresses)
            throws MqttException {
        MqttClient client = connect(url, "producer3", options);
        try {
            for (String address : addresses) {
                client.publish(topic(address), message);
            }
            client.disconnect();
        } finally {
            client.close(true);
        }
    }

    /** Disconnects and closes a client. */
    public static void end(MqttClient client) throws MqttException {
        client.disconnect();
        client.close();
    }

    /** Returns a callback of a client that is set before it connects. */
    public static MqttCallback callback(IMqttMessageListener arrival, Consumer<Throwable> lost) {
        return new MqttCallback() {
            @Override
            public void connectionLost(Throwable cause) {
                lost.accept(cause);
            }

            @Override
            public void messageArrived(String topic, MqttMessage message) throws Exception {
                arrival.messageArrived(topic, message);
            }

            @Override
            public void deliveryComplete(IMqttDeliveryToken token) {
                // publish waits for it
            }
        };
    }
}
