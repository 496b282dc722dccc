/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.signetmq.testkit.BrokerInstance;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Stomp;

/** Ordinary clients. None of them sends a message twice by itself. */
enum Client {
    CORE {
        @Override
        Line connect(List<BrokerInstance> brokers, String address) throws JMSException {
            String urls = brokers.stream().map(BrokerInstance::url).collect(Collectors.joining(","));
            String turning = brokers.size() > 1 ? "?ha=true&reconnectAttempts=60&retryInterval=500" : "";
            return jms(new ActiveMQConnectionFactory("(" + urls + ")" + turning), address);
        }
    },
    AMQP {
        @Override
        Line connect(List<BrokerInstance> brokers, String address) throws Exception {
            return jms(
                    new JmsConnectionFactory(BrokerInstance.answering(brokers).url("amqp")
                            + "?jms.connectTimeout=20000&jms.requestTimeout=20000&jms.sendTimeout=20000"),
                    address);
        }
    },
    MQTT {
        @Override
        Line connect(List<BrokerInstance> brokers, String address) throws Exception {
            return mqtt(BrokerInstance.answering(brokers).url(), Mqtt3.topic(queue(address)));
        }

        /** Messages by MQTT are for subscribers. They do not go to a queue that gives each message to one reader. */
        @Override
        String queue(String address) {
            return address + ".mqtt";
        }
    },
    OPENWIRE {
        @Override
        Line connect(List<BrokerInstance> brokers, String address) throws Exception {
            return openWire(BrokerInstance.answering(brokers).url(), address);
        }
    },
    STOMP {
        @Override
        Line connect(List<BrokerInstance> brokers, String address) throws Exception {
            return stomp(BrokerInstance.answering(brokers).port(), address);
        }
    };

    private static final long PATIENCE_MILLIS = 20_000;

    /** A way to a broker. */
    interface Line extends AutoCloseable {
        /** Sends, and returns when the broker has confirmed it. */
        void send(String text) throws Exception;

        /** Lets go of it, whether or not there still is a broker at its end. */
        @Override
        void close();
    }

    /** Opens a way to one of the brokers. */
    abstract Line connect(List<BrokerInstance> brokers, String address) throws Exception;

    /** The queue, of an address of its name, in which messages are to be found that were sent to the address. */
    String queue(String address) {
        return address;
    }

    private static Line jms(ConnectionFactory factory, String address) throws JMSException {
        Connection connection = factory.createConnection(BrokerInstance.USER, BrokerInstance.PASSWORD);
        try {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue(address));
            return new Line() {
                @Override
                public void send(String text) throws JMSException {
                    producer.send(session.createTextMessage(text));
                }

                @Override
                public void close() {
                    try {
                        connection.close();
                    } catch (JMSException gone) {
                        // with its broker
                    }
                }
            };
        } catch (JMSException e) {
            connection.close();
            throw e;
        }
    }

    private static Line openWire(String url, String address) throws javax.jms.JMSException {
        var factory = new org.apache.activemq.ActiveMQConnectionFactory(
                url + "?jms.watchTopicAdvisories=false&jms.alwaysSyncSend=true&jms.closeTimeout=1000&jms.sendTimeout="
                        + PATIENCE_MILLIS);
        var connection = factory.createConnection(BrokerInstance.USER, BrokerInstance.PASSWORD);
        try {
            var session = connection.createSession(false, javax.jms.Session.AUTO_ACKNOWLEDGE);
            var producer = session.createProducer(session.createQueue(address));
            return new Line() {
                @Override
                public void send(String text) throws javax.jms.JMSException {
                    producer.send(session.createTextMessage(text));
                }

                @Override
                public void close() {
                    try {
                        connection.close();
                    } catch (javax.jms.JMSException gone) {
                        // with its broker
                    }
                }
            };
        } catch (javax.jms.JMSException e) {
            connection.close();
            throw e;
        }
    }

    private static Line mqtt(String url, String topic) throws MqttException {
        MqttClient client = Mqtt3.connect(
                url, "producer-" + UUID.randomUUID(), Mqtt3.user(BrokerInstance.USER, BrokerInstance.PASSWORD));
        client.setTimeToWait(PATIENCE_MILLIS);
        return new Line() {
            @Override
            public void send(String text) throws MqttException {
                client.publish(topic, text.getBytes(StandardCharsets.UTF_8), 1, false);
            }

            @Override
            public void close() {
                try {
                    client.disconnectForcibly(0, 1_000, false);
                    client.close(true);
                } catch (MqttException gone) {
                    // with its broker
                }
            }
        };
    }

    private static Line stomp(int port, String address) throws IOException {
        Stomp client = new Stomp(port, BrokerInstance.USER, BrokerInstance.PASSWORD).patience((int) PATIENCE_MILLIS);
        return new Line() {
            @Override
            public void send(String text) throws IOException {
                client.sendText(address, text);
            }

            @Override
            public void close() {
                try {
                    client.close();
                } catch (IOException gone) {
                    // with its broker
                }
            }
        };
    }
}
