/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** Ordinary producers without Signet. The broker acknowledges each message before the next. */
record Producers(DemoBroker broker) {
    private static final int AT_LEAST_ONCE = 1;
    private static final int MOST_IN_FLIGHT = 1000;

    /** Sends every payload as text to the lane's address, by the lane's protocol. */
    void send(Lane lane, List<String> payloads) throws Exception {
        switch (lane.protocol()) {
            case CORE -> {
                try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url("tcp"))) {
                    sendByJms(factory, lane.address(), payloads);
                }
            }
            case AMQP -> sendByJms(new JmsConnectionFactory(broker.url("amqp")), lane.address(), payloads);
            case MQTT -> sendByMqtt(lane.address().replace('.', '/'), payloads);
            case STOMP -> {
                try (StompSocket socket = StompSocket.connect(broker.port(), DemoBroker.PRODUCER, broker.password())) {
                    for (String payload : payloads) {
                        socket.send(lane.address(), payload);
                    }
                }
            }
        }
    }

    private void sendByJms(ConnectionFactory factory, String address, List<String> payloads) {
        try (JMSContext jms = factory.createContext(DemoBroker.PRODUCER, broker.password())) {
            payloads.forEach(payload -> jms.createProducer().send(jms.createQueue(address), payload));
        }
    }

    private void sendByMqtt(String topic, List<String> payloads) throws MqttException {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setUserName(DemoBroker.PRODUCER);
        options.setPassword(broker.password().toCharArray());
        options.setMaxInflight(MOST_IN_FLIGHT); // the client frees a place only some time after it said so
        String client = MqttClient.generateClientId();
        try (MqttClient mqtt = new MqttClient(broker.url("tcp"), client, new MemoryPersistence())) {
            mqtt.connect(options);
            for (String payload : payloads) {
                mqtt.publish(topic, payload.getBytes(StandardCharsets.UTF_8), AT_LEAST_ONCE, false);
            }
            mqtt.disconnect();
        }
    }
}
