/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;
import org.signetmq.testkit.Stomp;

/** Ordinary clients that know nothing of Signet, each with the kinds of bodies that it has. */
public enum Sender {
    CORE,
    AMQP,
    OPENWIRE,
    MQTT_3,
    MQTT_5,
    STOMP;

    /** The kinds of bodies that it has. */
    final Set<Kind> kinds() {
        return switch (this) {
            case CORE, AMQP, OPENWIRE -> EnumSet.allOf(Kind.class);
            case MQTT_3, MQTT_5 -> EnumSet.of(Kind.BYTES);
            case STOMP -> EnumSet.of(Kind.TEXT, Kind.BYTES);
        };
    }

    public void send(TestBroker broker, String address, Kind kind, int size) throws Exception {
        switch (this) {
            case MQTT_3 ->
                Mqtt3.publish(
                        uri(broker), new MqttConnectOptions(), new MqttMessage(Kind.bytes(size)), List.of(address));
            case MQTT_5 ->
                Mqtt5.publish(
                        uri(broker),
                        new MqttConnectionOptions(),
                        new org.eclipse.paho.mqttv5.common.MqttMessage(Kind.bytes(size)),
                        List.of(address));
            case STOMP -> stomp(broker, address, kind, size);
            default -> jms(Client.valueOf(name()), broker, address, kind, size);
        }
    }

    private static void stomp(TestBroker broker, String address, Kind kind, int size) throws Exception {
        try (Stomp stomp = new Stomp(broker.port())) {
            if (kind == Kind.TEXT) {
                stomp.sendText(address, Kind.text(size));
            } else {
                stomp.sendBytes(address, Kind.bytes(size));
            }
        }
    }

    private static void jms(Client client, TestBroker broker, String address, Kind kind, int size) throws Exception {
        try (JMSContext context = broker.factory(client).createContext()) {
            context.createProducer().send(context.createTopic(address), kind.message(context, size));
        }
    }

    static String uri(TestBroker broker) {
        return "tcp://127.0.0.1:" + broker.port();
    }
}
