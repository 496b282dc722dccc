/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.testkit.Cases;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;

/** Features that only MQTT has. */
final class MqttIT extends WayIn {
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"3, 2", "5, 1", "3, 0", "3, 1", "5, 0", "5, 2"})
    void publish_ofEachQualityOfService_isSealedOnce(int version, int quality) throws Exception {
        String address = safeQueue();
        String text = Letter.text("MQTT " + version + ", QoS " + quality);

        publish(version, address, text, quality, false);

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        assertThat(stored.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void propertiesOfAPublish_reachTheSubscriber() throws Exception {
        String address = safeAddress();
        String text = Letter.text("MQTT 5 properties");
        BlockingQueue<MqttMessage> received = new ArrayBlockingQueue<>(10);
        MqttClient subscriber = Mqtt5.connect(broker.uri(), "reader", new MqttConnectionOptions());
        try {
            Mqtt5.subscribe(subscriber, address, (topic, message) -> received.add(message));
            MqttMessage sent = message(text, 1);
            sent.getProperties().setResponseTopic("replies");
            sent.getProperties().setCorrelationData(new byte[] {1, 0, -1});
            sent.getProperties().setMessageExpiryInterval(3600L);
            sent.getProperties().setUserProperties(List.of(new UserProperty("colour", "blue")));

            Producers.mqtt5(broker, address, sent);

            MqttMessage arrived = Objects.requireNonNull(received.poll(3, TimeUnit.MINUTES));
            assertThat(open(arrived.getPayload(), address)).isEqualTo(text);
            MqttProperties properties = arrived.getProperties();
            assertThat(properties.getResponseTopic()).isEqualTo("replies");
            assertThat(properties.getCorrelationData()).containsExactly(1, 0, -1);
            assertThat(properties.getMessageExpiryInterval()).isBetween(3500L, 3600L);
            assertThat(properties.getUserProperties()).contains(new UserProperty("colour", "blue"));
            // these would describe the envelope, and be wrong
            assertThat(properties.getContentType()).isNull();
            assertThat(properties.getPayloadFormat()).isFalse();
        } finally {
            Mqtt5.end(subscriber);
        }
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"3, false", "5, false", "3, true", "5, true"})
    void retainedMessage_isSealedOnceForLateSubscribers_andCleared(int version, boolean large) throws Exception {
        String address = safeAddress();
        String about = "retained by MQTT " + version;
        String text = large ? Letter.largeText(about) : Letter.text(about);
        publish(version, address, text, 1, true);
        awaitWaiting("$sys.mqtt.retain." + address, 1);

        assertThat(open(retained(version, address), address)).isEqualTo(text);
        assertThat(sealed()).isEqualTo(1);

        publish(version, address, "", 1, true);

        awaitWaiting("$sys.mqtt.retain." + address, 0);
        assertThat(sealed()).isEqualTo(1);
    }

    /** A user with the right to write there directly would otherwise put it in clear beside the sealed messages. */
    @Test
    void sendToWhereTheBrokerKeepsRetainedMessages_isSealedAsForTheirTopic() throws Exception {
        String address = safeAddress();
        String text = Letter.text("a queue of retained messages");
        publish(3, address, "the first", 1, true);
        awaitWaiting("$sys.mqtt.retain." + address, 1);

        try (JMSContext context = Producers.core(broker).createContext()) {
            context.createProducer()
                    .send(context.createTopic("$sys.mqtt.retain." + address), context.createTextMessage(text));
        }

        List<String> opened = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            opened.add(open(broker.nextBody("$sys.mqtt.retain." + address), address));
        }
        assertThat(opened).containsExactlyInAnyOrder("the first", text);
        assertThat(sealed()).isEqualTo(2);
    }

    /** It does not touch the retained message, so it is a message as any other. */
    @Test
    void emptyMessage_thatIsNotRetained_isSealed() throws Exception {
        String address = safeQueue();

        Producers.mqtt5(broker, address, new MqttMessage(new byte[0]));

        assertThat(open(take(address), address)).isEmpty();
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void retainedMessage_isReplacedByTheNext() throws Exception {
        String address = safeAddress();
        for (int i = 0; i < 2; i++) {
            publish(5, address, Letter.text("edition " + i), 1, true);
        }

        assertThat(open(retained(5, address), address)).isEqualTo(Letter.text("edition 1"));
    }

    @Test
    void will_isSealed() throws Exception {
        String address = safeQueue();
        MqttConnectOptions options = Mqtt3.user("alice", "secret");
        options.setWill(Mqtt3.topic(address), Producers.utf8(Letter.text("a last will")), 1, false);
        var dying = Mqtt3.connect(broker.uri(), "dying", options);

        dying.disconnectForcibly(0, 100, false);
        dying.close(true);

        assertThat(open(take(address), address)).isEqualTo(Letter.text("a last will"));
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void will_ofVersion5_isSealed(boolean retained) throws Exception {
        String address = safeQueue();
        String text = Letter.text("a last will, retained " + retained);
        MqttMessage will = message(text, 1);
        will.setRetained(retained);
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setWill(Mqtt3.topic(address), will);
        options.getWillMessageProperties().setContentType("text/plain");
        options.setAutomaticReconnect(false);
        MqttClient dying = Mqtt5.connect(broker.uri(), "dying" + retained, options);

        dying.disconnectForcibly(0, 100, false);
        dying.close(true);

        assertSealedOnce(address, text);
    }

    private static MqttMessage message(String text, int quality) {
        MqttMessage message = new MqttMessage(Producers.utf8(text), quality, false, new MqttProperties());
        message.getProperties().setContentType("text/plain");
        message.getProperties().setPayloadFormat(true);
        return message;
    }

    private void publish(int version, String address, String text, int quality, boolean retained) throws Exception {
        if (version == 3) {
            var message = new org.eclipse.paho.client.mqttv3.MqttMessage(Producers.utf8(text));
            message.setQos(quality);
            message.setRetained(retained);
            Producers.mqtt3(broker, address, message);
        } else {
            MqttMessage message = message(text, quality);
            message.setRetained(retained);
            Producers.mqtt5(broker, address, message);
        }
    }

    /** Returns the retained message as a late subscriber gets it. */
    private byte[] retained(int version, String address) throws Exception {
        if (version == 3) {
            BlockingQueue<byte[]> received = new ArrayBlockingQueue<>(10);
            var late = Mqtt3.connect(broker.uri(), "late", Mqtt3.user("alice", "secret"));
            late.subscribe(Mqtt3.topic(address), 1, (topic, message) -> received.add(message.getPayload()));
            byte[] payload = received.poll(3, TimeUnit.MINUTES);
            Mqtt3.end(late);
            return payload;
        }
        BlockingQueue<MqttMessage> received = new ArrayBlockingQueue<>(10);
        MqttClient late = Mqtt5.connect(broker.uri(), "late", new MqttConnectionOptions());
        Mqtt5.subscribe(late, address, (topic, message) -> received.add(message));
        byte[] payload =
                Objects.requireNonNull(received.poll(3, TimeUnit.MINUTES)).getPayload();
        Mqtt5.end(late);
        return payload;
    }
}
