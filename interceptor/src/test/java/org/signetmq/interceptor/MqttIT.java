/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.testkit.Cases;

/** Features that only MQTT has. */
final class MqttIT extends WayIn {
    @ParameterizedTest
    @Cases(
            inShortTier = 2,
            value = {"3, 2", "5, 1", "3, 0", "3, 1", "5, 0", "5, 2"})
    void publish_ofEachQualityOfService_isSealedOnce(int version, int quality) throws Exception {
        String address = safeQueue();
        String text = Letter.text("MQTT " + version + ", QoS " + quality);

        if (version == 3) {
            var message = new org.eclipse.paho.client.mqttv3.MqttMessage(Producers.utf8(text));
            message.setQos(quality);
            Producers.mqtt3(broker, address, message);
        } else {
            Producers.mqtt5(broker, address, message(text, quality));
        }

        Message stored = take(address);
        assertThat(open(stored, address)).isEqualTo(text);
        assertThat(stored.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(sealed()).isEqualTo(1);
    }

    @Test
    void propertiesOfAPublish_reachTheSubscriber() throws Exception {
        String address = safeAddress();
        String text = Letter.text("MQTT 5 properties");
        Received received = new Received();
        MqttClient subscriber = connect("reader", new MqttConnectionOptions());
        try {
            subscribe(subscriber, address, received);
            MqttMessage sent = message(text, 1);
            sent.getProperties().setResponseTopic("replies");
            sent.getProperties().setCorrelationData(new byte[] {1, 0, -1});
            sent.getProperties().setMessageExpiryInterval(3600L);
            sent.getProperties().setUserProperties(List.of(new UserProperty("colour", "blue")));

            Producers.mqtt5(broker, address, sent);

            MqttMessage arrived = received.next();
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
            end(subscriber);
        }
    }

    @Test
    void retainedMessage_ofVersion5_isSealedOnce_andCleared() throws Exception {
        String address = safeAddress();
        String text = Letter.text("MQTT 5 retained");
        MqttMessage retained = message(text, 1);
        retained.setRetained(true);
        Producers.mqtt5(broker, address, retained);
        awaitWaiting("$sys.mqtt.retain." + address, 1);

        Received received = new Received();
        MqttClient late = connect("late", new MqttConnectionOptions());
        try {
            subscribe(late, address, received);
            assertThat(open(received.next().getPayload(), address)).isEqualTo(text);
            assertThat(sealed()).isEqualTo(1);

            MqttMessage clear = new MqttMessage(new byte[0]);
            clear.setRetained(true);
            Producers.mqtt5(broker, address, clear);

            awaitWaiting("$sys.mqtt.retain." + address, 0);
            assertThat(sealed()).isEqualTo(1);
        } finally {
            end(late);
        }
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
            MqttMessage retained = message(Letter.text("edition " + i), 1);
            retained.setRetained(true);
            Producers.mqtt5(broker, address, retained);
        }

        Received received = new Received();
        MqttClient late = connect("late", new MqttConnectionOptions());
        try {
            subscribe(late, address, received);

            assertThat(open(received.next().getPayload(), address)).isEqualTo(Letter.text("edition 1"));
        } finally {
            end(late);
        }
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void will_ofVersion5_isSealed(boolean retained) throws Exception {
        String address = safeQueue();
        String text = Letter.text("a last will, retained " + retained);
        MqttMessage will = message(text, 1);
        will.setRetained(retained);
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setWill(address.replace('.', '/'), will);
        options.getWillMessageProperties().setContentType("text/plain");
        options.setAutomaticReconnect(false);
        MqttClient dying = connect("dying" + retained, options);

        dying.disconnectForcibly(0, 100, false);
        dying.close(true);

        assertThat(open(take(address), address)).isEqualTo(text);
        assertThat(sealed()).isEqualTo(1);
    }

    private static MqttMessage message(String text, int quality) {
        MqttMessage message = new MqttMessage(Producers.utf8(text), quality, false, new MqttProperties());
        message.getProperties().setContentType("text/plain");
        message.getProperties().setPayloadFormat(true);
        return message;
    }

    private MqttClient connect(String id, MqttConnectionOptions options) throws Exception {
        MqttClient client = new MqttClient(broker.uri(), id, new MemoryPersistence());
        client.setTimeToWait(180_000);
        client.connect(options);
        return client;
    }

    private static void subscribe(MqttClient client, String address, Received received) throws Exception {
        // the shorter form of the client ends in a NullPointerException
        client.subscribe(
                new MqttSubscription[] {new MqttSubscription(address.replace('.', '/'), 1)},
                new IMqttMessageListener[] {received});
    }

    private static void end(MqttClient client) throws Exception {
        client.disconnect();
        client.close();
    }

    /** The messages of a subscriber. */
    private static final class Received implements IMqttMessageListener {
        private final BlockingQueue<MqttMessage> messages = new ArrayBlockingQueue<>(10);

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            messages.add(message);
        }

        MqttMessage next() throws InterruptedException {
            MqttMessage message = messages.poll(3, TimeUnit.MINUTES);
            if (message == null) {
                throw new AssertionError("nothing published");
            }
            return message;
        }
    }
}
