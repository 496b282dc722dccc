/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.client.internal.body.Body;
import org.signetmq.client.internal.body.BodyDecoder;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;
import org.signetmq.testkit.Stomp;

/** Subscribers that open their messages. */
enum Receiver {
    CORE,
    AMQP,
    OPENWIRE,
    MQTT_3,
    MQTT_5,
    STOMP;

    private static final long PATIENCE = 30_000;

    /** Waits for the next message. */
    private interface Next {
        @Nullable
        Object take() throws Exception;
    }

    /** Ends a client. */
    private interface Ending {
        void end() throws Exception;
    }

    /** A subscription. */
    record Receiving(Next arriving, Ending ending) {
        /** The content of the next message. */
        String next() throws Exception {
            return Seen.text(arriving.take());
        }

        void close() throws Exception {
            ending.end();
        }
    }

    Receiving start(TestBroker broker, String address, Opener opener) throws Exception {
        BlockingQueue<byte[]> payloads = new LinkedBlockingQueue<>(); // of MQTT, opened by the application
        Next published = () -> {
            byte[] payload = payloads.poll(PATIENCE, TimeUnit.MILLISECONDS);
            return content(opener.open(present(payload), address));
        };
        return switch (this) {
            case MQTT_3 -> {
                MqttClient client = Mqtt3.connect(Sender.uri(broker), "receiver3", new MqttConnectOptions());
                client.subscribe(Mqtt3.topic(address), 1, (topic, message) -> payloads.add(message.getPayload()));
                yield new Receiving(published, () -> {
                    client.disconnectForcibly(0, 100);
                    client.close();
                });
            }
            case MQTT_5 -> {
                var client = Mqtt5.connect(Sender.uri(broker), "receiver5", new MqttConnectionOptions());
                Mqtt5.subscribe(client, address, (topic, message) -> payloads.add(message.getPayload()));
                yield new Receiving(published, () -> {
                    client.disconnectForcibly(0, 100);
                    client.close();
                });
            }
            case STOMP -> {
                Stomp stomp = new Stomp(broker.port());
                stomp.subscribe(address + "\nsubscription-type:MULTICAST");
                yield new Receiving(() -> content(opener.open(stomp.next().body(), address)), stomp::close);
            }
            case CORE, AMQP, OPENWIRE -> { // by a library that the factory wraps
                JMSContext context = SignetConnectionFactory.wrap(broker.factory(Client.valueOf(name())), opener)
                        .createContext();
                JMSConsumer consumer = context.createConsumer(context.createTopic(address));
                yield new Receiving(() -> Seen.content(present(consumer.receive(PATIENCE))), context::close);
            }
        };
    }

    private static <T> T present(@Nullable T received) {
        if (received == null) {
            throw new AssertionError("nothing received");
        }
        return received;
    }

    /** The content that an application finds when it opens bytes itself. */
    private static @Nullable Object content(OpenedMessage opened) throws Exception {
        Body body = BodyDecoder.decode(opened.entityIfProtected().orElseThrow(), opened.payload(), ClientProtocol.AMQP)
                .body();
        if (body instanceof Body.Text text) {
            return text.text();
        } else if (body instanceof Body.Bytes bytes) {
            return bytes.bytes();
        } else if (body instanceof Body.Named named) {
            return named.values();
        } else if (body instanceof Body.Items items) {
            return items.items();
        } else if (body instanceof Body.Serialized object) {
            try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(present(object.bytes())))) {
                return stream.readObject();
            }
        }
        return null;
    }
}
