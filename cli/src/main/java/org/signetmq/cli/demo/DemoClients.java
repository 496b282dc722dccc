/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.signetmq.cli.demo.Demo.DemoBroker;
import org.signetmq.cli.demo.Demo.DemoHome;
import org.signetmq.cli.demo.Demo.Lane;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.QualityOfProtection;

/** Ordinary producers without Signet, and a consumer that reads stored bodies without Signet and messages with it. */
record DemoClients(DemoBroker broker, DemoHome consumer) {
    private static final int AT_LEAST_ONCE = 1;
    private static final int MOST_IN_FLIGHT = 1000;
    private static final int PATIENCE_MILLIS = 5_000;

    /** Sends every payload as text by the lane's protocol. The broker acknowledges each before the next. */
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

    /** How many payloads were sent and opened, and by how many bytes a stored body is longer, on average. */
    record Received(int sent, int opened, double bytesAdded) {}

    Received receive(Lane lane, List<String> payloads) throws JMSException {
        try (Password password = Password.fromFile(consumer.home().root().resolve("password"));
                ActiveMQConnectionFactory artemis = new ActiveMQConnectionFactory(broker.url("tcp"));
                SignetConnectionFactory signet = SignetConnectionFactory.open(
                        artemis, consumer.home().root(), consumer.identity().name(), password);
                JMSContext plain = artemis.createContext(DemoBroker.CONSUMER, broker.password());
                JMSContext opening =
                        signet.withOpenFailuresThrown().createContext(DemoBroker.CONSUMER, broker.password())) {
            // the queue itself, also where the address distributes to many
            Queue queue = plain.createQueue(lane.address() + "::" + lane.address());
            double bytesAdded = bytesAdded(plain.createBrowser(queue), payloads);
            return new Received(payloads.size(), opened(opening.createConsumer(queue), lane, payloads), bytesAdded);
        }
    }

    private static double bytesAdded(QueueBrowser browser, List<String> payloads) throws JMSException {
        long stored = 0;
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            stored += body((Message) messages.nextElement()).length;
        }
        return (double) (stored - String.join("", payloads).getBytes(StandardCharsets.UTF_8).length) / payloads.size();
    }

    /** Returns how many payloads arrived, each once, under the lane's quality; 0 if there were more messages. */
    private static int opened(JMSConsumer consumer, Lane lane, List<String> payloads) throws JMSException {
        Set<String> missing = new HashSet<>(payloads);
        for (int i = 0; i < payloads.size(); i++) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            if (message == null) {
                break;
            }
            if (isFrom(lane, message)) {
                missing.remove(new String(body(message), StandardCharsets.UTF_8));
            }
        }
        return consumer.receiveNoWait() == null ? payloads.size() - missing.size() : 0;
    }

    /** Whether the message was protected as it should be, and names the authenticated user where that is proved. */
    private static boolean isFrom(Lane lane, Message message) throws JMSException {
        if (lane.quality() == QualityOfProtection.NONE) {
            return true;
        }
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        String sender = message.getStringProperty(SignetConnectionFactory.SENDER_PROPERTY);
        String expected = lane.quality().signs() ? DemoBroker.PRODUCER : null;
        return lane.quality().label().equals(quality) && Objects.equals(expected, sender);
    }

    private static byte[] body(Message message) throws JMSException {
        return message instanceof BytesMessage
                ? message.getBody(byte[].class)
                : message.getBody(String.class).getBytes(StandardCharsets.UTF_8);
    }

    /** The part of a STOMP 1.2 client that sends text. */
    static final class StompSocket implements AutoCloseable {
        private static final byte[] LOOPBACK = {127, 0, 0, 1};
        private static final int TIMEOUT_MILLIS = 10_000;

        private final Socket socket;
        private int receipts;

        private StompSocket(Socket socket) {
            this.socket = socket;
        }

        static StompSocket connect(int port, String user, String password) throws IOException {
            StompSocket stomp = new StompSocket(new Socket(InetAddress.getByAddress(LOOPBACK), port));
            try {
                stomp.socket.setTcpNoDelay(true);
                stomp.socket.setSoTimeout(TIMEOUT_MILLIS);
                String connect = "CONNECT\naccept-version:1.2\nhost:%s\nlogin:%s\npasscode:%s\n\n";
                stomp.request(connect.formatted(DemoBroker.HOST, user, password), "CONNECTED");
                return stomp;
            } catch (IOException e) {
                stomp.close();
                throw e;
            }
        }

        /** Sends text, durably, and waits until the broker has it. */
        void send(String address, String text) throws IOException {
            receipts++;
            String send = "SEND\ndestination:%s\ndestination-type:ANYCAST\npersistent:true\nreceipt:%d\n\n%s";
            request(send.formatted(address, receipts, text), "RECEIPT");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        private void request(String frame, String expected) throws IOException {
            socket.getOutputStream().write((frame + '\0').getBytes(StandardCharsets.UTF_8));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            InputStream in = socket.getInputStream();
            for (int octet = in.read(); octet != 0; octet = in.read()) {
                if (octet < 0) {
                    throw new EOFException("stomp: the broker closed the connection");
                }
                answer.write(octet);
            }
            // line ends may stand before a frame
            String text = answer.toString(StandardCharsets.UTF_8).stripLeading();
            String found = text.lines().findFirst().orElse("nothing");
            if (!found.equals(expected)) {
                throw new IOException("stomp: expected " + expected + ", found " + found);
            }
        }
    }
}
