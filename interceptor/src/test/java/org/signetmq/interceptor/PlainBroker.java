/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.openmbean.CompositeData;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.QueueControl;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.DeliveryAnnotations;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.engine.Receiver;
import org.awaitility.Awaitility;
import org.signetmq.testkit.RawAmqp;

/** The content of a broker's queues, as plain consumers and the management show it. */
final class PlainBroker {
    /** A value that the broker chose, and a text of values that other lines show, cut somewhere. */
    private static final Set<String> OF_NO_INTEREST = Set.of("messageID", "PropertiesText");

    private PlainBroker() {}

    /** A client that takes all messages of a queue and tells of them. */
    enum Consumer {
        CORE,
        AMQP,
        OPENWIRE,
        STOMP,
        MQTT_3,
        MQTT_5;

        /** Makes the broker keep a copy of each message for this consumer. */
        void prepare(TestBroker broker, String address) throws Exception {
            switch (this) {
                case MQTT_3 -> PlainMqtt3.subscribe(broker, address, "three" + address);
                case MQTT_5 -> PlainMqtt5.subscribe(broker, address, "five" + address);
                default -> createQueue(broker, address, queue(address));
            }
        }

        String queue(String address) {
            return address + "." + this;
        }

        List<String> receive(TestBroker broker, String address, long count) throws Exception {
            return switch (this) {
                case CORE -> core(broker, queue(address), count);
                case AMQP -> amqp(broker, address + "::" + queue(address), count);
                case OPENWIRE -> PlainOpenWire.receive(broker, address, queue(address), count);
                case STOMP -> PlainStomp.receive(broker, address, queue(address), count);
                case MQTT_3 -> PlainMqtt3.receive(broker, address, "three" + address, count);
                case MQTT_5 -> PlainMqtt5.receive(broker, address, "five" + address, count);
            };
        }
    }

    /** The queue with the counted messages. */
    private static String counted(String address) {
        return address + ".counted";
    }

    /** Makes queues on a multicast address, one for each consumer. */
    static void prepare(TestBroker broker, String address, List<Consumer> consumers) throws Exception {
        createQueue(broker, address, counted(address));
        for (Consumer consumer : consumers) {
            consumer.prepare(broker, address);
        }
    }

    private static void createQueue(TestBroker broker, String address, String queue) throws Exception {
        broker.server()
                .createQueue(QueueConfiguration.of(queue)
                        .setAddress(address)
                        .setRoutingType(RoutingType.MULTICAST)
                        .setDurable(true));
    }

    static long waiting(TestBroker broker, String address) {
        return broker.waiting(counted(address));
    }

    static void await(TestBroker broker, String address, long messages) {
        Awaitility.await()
                .dontCatchUncaughtExceptions() // clients that are closed by force throw some in threads of their own
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .pollDelay(0, TimeUnit.MILLISECONDS)
                .ignoreExceptions() // a mirror has the queue a moment later
                .until(() -> waiting(broker, address) == messages);
    }

    /** The management's view of the messages. */
    static List<String> managed(TestBroker broker, String address) throws Exception {
        QueueControl control = broker.control(counted(address));
        List<String> told = new ArrayList<>();
        told.add("persistent size " + control.getPersistentSize());
        told.add("durable " + control.getDurableMessageCount() + ", " + control.getDurablePersistentSize());
        for (Map<String, Object> message : control.listMessages("")) {
            Told one = new Told();
            message.forEach(one::with);
            told.add(one.with("messageID", null).toString());
        }
        for (CompositeData message : control.browse()) {
            told.add(managed(message));
        }
        return told;
    }

    private static String managed(CompositeData message) {
        Told told = new Told();
        for (String key : message.getCompositeType().keySet()) {
            Object value = message.get(key);
            boolean hasAnAddressInMemory =
                    key.equals("text") && String.valueOf(value).contains("@");
            if (!OF_NO_INTEREST.contains(key) && !hasAnAddressInMemory) {
                told.with(key, value);
            }
        }
        return told.toString();
    }

    private static List<String> core(TestBroker broker, String queue, long count) throws Exception {
        List<String> told = new ArrayList<>();
        try (ServerLocator locator = ActiveMQClient.createServerLocator(broker.uri());
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession();
                ClientConsumer consumer = session.createConsumer(queue)) {
            session.start();
            for (long i = 0; i < count; i++) {
                ClientMessage message = consumer.receive(180_000);
                told.add(message == null ? "nothing" : core(message));
                if (message != null) {
                    message.individualAcknowledge();
                }
            }
        }
        return told;
    }

    private static String core(ClientMessage message) throws Exception {
        Told told = new Told()
                .with("type", message.getType())
                .with("durable", message.isDurable())
                .with("priority", message.getPriority())
                .with("expiration", message.getExpiration())
                .with("timestamp", message.getTimestamp())
                .with("user", String.valueOf(message.getUserID()))
                .with("address", message.getAddress())
                .with("routing", String.valueOf(message.getRoutingType()))
                .with("large", message.isLargeMessage())
                .with("deliveries", message.getDeliveryCount())
                .with("size", message.getBodySize());
        for (SimpleString name : message.getPropertyNames()) {
            told.with("property " + name, message.getObjectProperty(name));
        }
        return told.with("body", QueueReader.body(message)).toString();
    }

    private static List<String> amqp(TestBroker broker, String queue, long count) throws Exception {
        List<String> told = new ArrayList<>();
        try (RawAmqp client = new RawAmqp(broker.port)) {
            Receiver receiver = client.queueReceiver(queue);
            for (long i = 0; i < count; i++) {
                told.add(sections(client.receive(receiver)));
            }
        }
        return told;
    }

    private static String sections(byte[] message) {
        List<Object> sections = AmqpSamples.sections(message);
        Told told = new Told();
        for (int i = 0; i < sections.size(); i++) {
            Object section = sections.get(i);
            String name = i + " " + section.getClass().getSimpleName();
            if (section instanceof Properties properties) {
                told.with(name, properties(properties));
            } else {
                told.with(name, value(section));
            }
        }
        return told.toString();
    }

    private static Object value(Object section) {
        if (section instanceof DeliveryAnnotations annotations) {
            return annotations.getValue();
        }
        if (section instanceof MessageAnnotations annotations) {
            return annotations.getValue();
        }
        if (section instanceof ApplicationProperties properties) {
            return properties.getValue();
        }
        if (section instanceof AmqpValue body) {
            return body.getValue();
        }
        if (section instanceof AmqpSequence body) {
            return body.getValue();
        }
        if (section instanceof Data body) {
            ByteBuffer bytes = body.getValue().asByteBuffer();
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        }
        if (section instanceof Footer footer) {
            return footer.getValue();
        }
        if (section instanceof Header header) {
            return new Told()
                    .with("durable", header.getDurable())
                    .with("priority", header.getPriority())
                    .with(
                            "hours to live",
                            header.getTtl() == null ? null : header.getTtl().longValue() / 3_600_000)
                    .with("first acquirer", header.getFirstAcquirer())
                    .with("delivery count", header.getDeliveryCount())
                    .toString();
        }
        return section;
    }

    private static String properties(Properties properties) {
        return new Told()
                .with("message-id", properties.getMessageId())
                .with("user-id", properties.getUserId())
                .with("to", properties.getTo())
                .with("subject", properties.getSubject())
                .with("reply-to", properties.getReplyTo())
                .with("correlation-id", properties.getCorrelationId())
                .with("content-type", properties.getContentType())
                .with("content-encoding", properties.getContentEncoding())
                .with("absolute-expiry-time", properties.getAbsoluteExpiryTime())
                .with("creation-time", properties.getCreationTime())
                .with("group-id", properties.getGroupId())
                .with("group-sequence", properties.getGroupSequence())
                .with("reply-to-group-id", properties.getReplyToGroupId())
                .toString();
    }
}
