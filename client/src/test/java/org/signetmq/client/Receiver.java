/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.TestBroker.Client;
import org.signetmq.envelope.Opener;
import org.signetmq.testkit.Mqtt3;
import org.signetmq.testkit.Mqtt5;
import org.signetmq.testkit.Stomp;

/** Subscribers that open their messages. */
enum Receiver {
    CORE {
        @Override
        Receiving start(TestBroker broker, String address, Opener opener) {
            return new OfJms(Client.CORE, broker, address, opener);
        }
    },
    AMQP {
        @Override
        Receiving start(TestBroker broker, String address, Opener opener) {
            return new OfJms(Client.AMQP, broker, address, opener);
        }
    },
    OPENWIRE {
        @Override
        Receiving start(TestBroker broker, String address, Opener opener) {
            return new OfJms(Client.OPENWIRE, broker, address, opener);
        }
    },
    MQTT_3 {
        @Override
        Receiving start(TestBroker broker, String address, Opener opener) throws Exception {
            Published published = new Published(address, opener);
            MqttClient client = Mqtt3.connect(Sender.uri(broker), "receiver3", new MqttConnectOptions());
            client.subscribe(Mqtt3.topic(address), 1, (topic, message) -> published.payloads.add(message.getPayload()));
            return published.endingWith(() -> {
                client.disconnectForcibly(0, 100);
                client.close();
            });
        }
    },
    MQTT_5 {
        @Override
        Receiving start(TestBroker broker, String address, Opener opener) throws Exception {
            Published published = new Published(address, opener);
            var client = Mqtt5.connect(Sender.uri(broker), "receiver5", new MqttConnectionOptions());
            Mqtt5.subscribe(client, address, (topic, message) -> published.payloads.add(message.getPayload()));
            return published.endingWith(() -> {
                client.disconnectForcibly(0, 100);
                client.close();
            });
        }
    },
    STOMP {
        @Override
        Receiving start(TestBroker broker, String address, Opener opener) throws Exception {
            Stomp stomp = new Stomp(broker.port());
            stomp.subscribe(address + "\nsubscription-type:MULTICAST");
            return new Receiving() {
                @Override
                public Content next() throws Exception {
                    return Content.of(opener.open(stomp.next().body(), address));
                }

                @Override
                public void close() throws Exception {
                    stomp.close();
                }
            };
        }
    };

    private static final long PATIENCE = 30_000;

    /** A subscription. */
    interface Receiving {
        Content next() throws Exception;

        void close() throws Exception;
    }

    /** Ends a client. */
    private interface Ending {
        void end() throws Exception;
    }

    abstract Receiving start(TestBroker broker, String address, Opener opener) throws Exception;

    /** By a library that the factory wraps. */
    private static final class OfJms implements Receiving {
        private final JMSContext context;
        private final JMSConsumer consumer;

        OfJms(Client client, TestBroker broker, String address, Opener opener) {
            context =
                    SignetConnectionFactory.wrap(broker.factory(client), opener).createContext();
            consumer = context.createConsumer(context.createTopic(address));
        }

        @Override
        public Content next() throws Exception {
            return Content.of(present(consumer.receive(PATIENCE)));
        }

        private static Message present(@Nullable Message message) {
            if (message == null) {
                throw new AssertionError("nothing received");
            }
            return message;
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /** Payloads of MQTT, opened by the application. */
    private static final class Published {
        private final BlockingQueue<byte[]> payloads = new LinkedBlockingQueue<>();
        private final String address;
        private final Opener opener;

        Published(String address, Opener opener) {
            this.address = address;
            this.opener = opener;
        }

        Receiving endingWith(Ending ending) {
            Published published = this;
            return new Receiving() {
                @Override
                public Content next() throws Exception {
                    return published.next();
                }

                @Override
                public void close() throws Exception {
                    ending.end();
                }
            };
        }

        Content next() throws Exception {
            byte[] payload = payloads.poll(PATIENCE, TimeUnit.MILLISECONDS);
            if (payload == null) {
                throw new AssertionError("nothing published");
            }
            return Content.of(opener.open(payload, address));
        }
    }
}
