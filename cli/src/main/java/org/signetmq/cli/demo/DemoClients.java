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
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;

/**
 * Ordinary producers without Signet or producers that seal, and a consumer that reads stored bodies without Signet and
 * messages with it.
 */
record DemoClients(DemoBroker broker, DemoHome producer, DemoHome consumer, SealingPlace where) {
    private static final int AT_LEAST_ONCE = 1;
    private static final int MOST_IN_FLIGHT = 1000;
    private static final int PATIENCE_MILLIS = 5_000;

    /** Sends every payload by the lane's protocol. The broker acknowledges each before the next. */
    void send(Lane lane, List<String> payloads) throws Exception {
        send(lane, payloads, seal(lane));
    }

    /** Whether producers seal for a lane. */
    boolean seal(Lane lane) {
        return where == SealingPlace.CLIENT && lane.quality() != QualityOfProtection.NONE;
    }

    /** Returns whether the broker refuses a payload in clear. */
    boolean isRefusedInClear(Lane lane, String payload) {
        try {
            send(lane, List.of(payload), false);
            return false;
        } catch (Exception refused) {
            return true;
        }
    }

    /** Seals, if it is to, by the connection factory for JMS, and by a sealer for the other protocols. */
    private void send(Lane lane, List<String> payloads, boolean seals) throws Exception {
        switch (lane.protocol()) {
            case CORE -> {
                try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url("tcp"))) {
                    sendByJms(factory, lane.address(), payloads, seals);
                }
            }
            case AMQP -> sendByJms(new JmsConnectionFactory(broker.url("amqp")), lane.address(), payloads, seals);
            case MQTT -> sendByMqtt(lane.address(), seals ? sealed(lane, payloads) : utf8(payloads));
            case STOMP -> {
                try (StompSocket socket = StompSocket.connect(broker.port(), DemoBroker.PRODUCER, broker.password())) {
                    for (byte[] payload : seals ? sealed(lane, payloads) : utf8(payloads)) {
                        socket.send(lane.address(), seals ? "content-length:" + payload.length + "\n" : "", payload);
                    }
                }
            }
        }
    }

    private void sendByJms(ConnectionFactory factory, String address, List<String> payloads, boolean seals) {
        if (seals) {
            try (Password password = passwordOf(producer);
                    SignetConnectionFactory sealing = SignetConnectionFactory.open(
                            factory, producer.home().root(), producer.identity().name(), password)) {
                sendByJms(sealing, address, payloads, false);
            }
            return;
        }
        try (JMSContext jms = factory.createContext(DemoBroker.PRODUCER, broker.password())) {
            payloads.forEach(payload -> jms.createProducer().send(jms.createQueue(address), payload));
        }
    }

    private List<byte[]> sealed(Lane lane, List<String> payloads) {
        EffectivePolicy policy = DemoHome.policies(where).find(lane.address()).orElseThrow();
        try (Sealer sealer = producer.sealer()) {
            return utf8(payloads).stream()
                    .map(payload -> ClearMessage.of(lane.address(), ClearMessage.Body.TEXT, payload))
                    .map(message -> sealer.seal(message, policy, producer.identity()))
                    .toList();
        }
    }

    private static List<byte[]> utf8(List<String> payloads) {
        return payloads.stream()
                .map(payload -> payload.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private void sendByMqtt(String address, List<byte[]> payloads) throws MqttException {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setUserName(DemoBroker.PRODUCER);
        options.setPassword(broker.password().toCharArray());
        options.setMaxInflight(MOST_IN_FLIGHT); // the client frees a place only some time after it said so
        String client = MqttClient.generateClientId();
        try (MqttClient mqtt = new MqttClient(broker.url("tcp"), client, new MemoryPersistence())) {
            mqtt.connect(options);
            for (byte[] payload : payloads) {
                mqtt.publish(address.replace('.', '/'), payload, AT_LEAST_ONCE, false);
            }
            mqtt.disconnect();
        }
    }

    /** How many payloads were sent and opened, and by how many bytes a stored body is longer, on average. */
    record Received(int sent, int opened, double bytesAdded) {}

    Received receive(Lane lane, List<String> payloads) throws JMSException {
        try (Password password = passwordOf(consumer);
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

    private static Password passwordOf(DemoHome owner) {
        return Password.fromFile(owner.home().root().resolve("password"));
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
    private int opened(JMSConsumer consumer, Lane lane, List<String> payloads) throws JMSException {
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

    /**
     * Whether the message was protected as it should be, and names its signer or the authenticated user where proved.
     */
    private boolean isFrom(Lane lane, Message message) throws JMSException {
        if (lane.quality() == QualityOfProtection.NONE) {
            return true;
        }
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        boolean bySigner = where == SealingPlace.CLIENT;
        String sender = message.getStringProperty(
                bySigner ? SignetConnectionFactory.SIGNER_PROPERTY : SignetConnectionFactory.SENDER_PROPERTY);
        String expected = bySigner ? DemoHome.distinguishedName(DemoHome.PRODUCER) : DemoBroker.PRODUCER;
        return lane.quality().label().equals(quality)
                && Objects.equals(lane.quality().provesSender() ? expected : null, sender);
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
                stomp.request(connect.formatted(DemoBroker.HOST, user, password), new byte[0], "CONNECTED");
                return stomp;
            } catch (IOException e) {
                stomp.close();
                throw e;
            }
        }

        /** Sends text, durably, and waits until the broker has it. */
        void send(String address, String text) throws IOException {
            send(address, "", text.getBytes(StandardCharsets.UTF_8));
        }

        /** Sends a body, durably, and waits until the broker has it. With its length as header it may be any bytes. */
        void send(String address, String header, byte[] body) throws IOException {
            receipts++;
            String send = "SEND\ndestination:%s\ndestination-type:ANYCAST\npersistent:true\n%sreceipt:%d\n\n";
            request(send.formatted(address, header, receipts), body, "RECEIPT");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        private void request(String head, byte[] body, String expected) throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.writeBytes(head.getBytes(StandardCharsets.UTF_8));
            frame.writeBytes(body);
            frame.write(0);
            socket.getOutputStream().write(frame.toByteArray());
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
