/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.jms.BytesMessage;
import javax.jms.Connection;
import javax.jms.DeliveryMode;
import javax.jms.JMSException;
import javax.jms.MapMessage;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.ObjectMessage;
import javax.jms.Session;
import javax.jms.StreamMessage;
import javax.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.ActiveMQMessage;

/** The client of ActiveMQ 5: sends messages of each kind, and tells all of those it gets. */
final class PlainOpenWire {
    private PlainOpenWire() {}

    static int send(TestBroker broker, String address, int length, boolean compressing) throws JMSException {
        ActiveMQConnectionFactory factory = factory(broker);
        factory.setUseCompression(compressing);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createTopic(address))) {
            producer.setTimeToLive(TimeUnit.DAYS.toMillis(1));
            producer.setPriority(3);
            int number = 0;
            for (Message message : messages(session, length)) {
                dress(session, message);
                producer.setDeliveryMode(number++ % 3 == 2 ? DeliveryMode.NON_PERSISTENT : DeliveryMode.PERSISTENT);
                producer.send(message);
            }
            session.commit();
            return number;
        }
    }

    private static ActiveMQConnectionFactory factory(TestBroker broker) {
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("alice", "secret", OpenWire.uri(broker));
        factory.setTrustAllPackages(true);
        return factory;
    }

    private static List<Message> messages(Session session, int length) throws JMSException {
        String text = LargeBodies.text(length);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        BytesMessage binary = session.createBytesMessage();
        binary.writeBytes(bytes);
        List<Message> all = new ArrayList<>(List.of(session.createTextMessage(text), binary));
        if (length > PlainProducers.LONG) {
            return all;
        }
        MapMessage map = session.createMapMessage();
        map.setString("text", text);
        map.setBytes("bytes", new byte[] {1, 2});
        map.setObject("null", null);
        StreamMessage stream = session.createStreamMessage();
        stream.writeString(LargeBodies.text(length / 4));
        stream.writeLong(7);
        all.addAll(List.of(map, stream, session.createObjectMessage(text), session.createMessage()));
        return all;
    }

    private static void dress(Session session, Message message) throws JMSException {
        message.setJMSCorrelationID("a correlation");
        message.setJMSType("a type");
        message.setJMSReplyTo(session.createQueue("replies"));
        message.setStringProperty("JMSXGroupID", "a group");
        message.setIntProperty("JMSXGroupSeq", 3);
        for (Map.Entry<String, Object> property : PlainProducers.PROPERTIES.entrySet()) {
            message.setObjectProperty(property.getKey(), property.getValue());
        }
    }

    static List<String> receive(TestBroker broker, String address, String queue, long count) throws JMSException {
        List<String> told = new ArrayList<>();
        ActiveMQConnectionFactory factory = factory(broker);
        factory.getPrefetchPolicy().setAll(1);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(session.createQueue(address + "::" + queue))) {
            connection.start();
            for (long i = 0; i < count; i++) {
                Message message = consumer.receive(180_000);
                told.add(message == null ? "nothing" : tell(message));
            }
        }
        return told;
    }

    private static String tell(Message message) throws JMSException {
        Told told = new Told()
                .with("class", message.getClass().getSimpleName())
                .with("id", message.getJMSMessageID())
                .with("timestamp", message.getJMSTimestamp())
                .with("correlation", message.getJMSCorrelationID())
                .with("reply", String.valueOf(message.getJMSReplyTo()))
                .with("destination", String.valueOf(message.getJMSDestination()))
                .with("mode", message.getJMSDeliveryMode())
                .with("redelivered", message.getJMSRedelivered())
                .with("type", message.getJMSType())
                .with("expiration", message.getJMSExpiration())
                .with("priority", message.getJMSPriority())
                .with("content", ((ActiveMQMessage) message).isCompressed());
        for (Object name : Collections.list((java.util.Enumeration<?>) message.getPropertyNames())) {
            told.with("property " + name, message.getObjectProperty((String) name));
        }
        return told.with("body", body(message)).toString();
    }

    private static Object body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return text.getText();
        }
        if (message instanceof BytesMessage bytes) {
            byte[] body = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(body);
            return body;
        }
        if (message instanceof ObjectMessage object) {
            return object.getObject();
        }
        if (message instanceof MapMessage map) {
            Told told = new Told();
            for (Object name : Collections.list((java.util.Enumeration<?>) map.getMapNames())) {
                told.with((String) name, map.getObject((String) name));
            }
            return told.toString();
        }
        List<String> values = new ArrayList<>();
        if (message instanceof StreamMessage stream) {
            try {
                while (true) {
                    values.add(Told.text(stream.readObject()));
                }
            } catch (javax.jms.MessageEOFException end) {
                return values;
            }
        }
        return values;
    }
}
