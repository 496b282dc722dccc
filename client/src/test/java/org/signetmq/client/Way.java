/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way of consuming that the API has.
 *
 * @param name for reports
 * @param topic whether it consumes from a topic
 */
public record Way(String name, boolean topic, Way.Opening opening) {
    static final Way RECEIVE = onQueue("RECEIVE", Session.AUTO_ACKNOWLEDGE, MessageConsumer::receive);
    public static final Way RECEIVE_TIMEOUT = onQueue("RECEIVE_TIMEOUT", Session.AUTO_ACKNOWLEDGE, Way::patiently);
    static final Way RECEIVE_NO_WAIT =
            onQueue("RECEIVE_NO_WAIT", Session.AUTO_ACKNOWLEDGE, consumer -> Taking.poll(consumer::receiveNoWait));
    static final Way DUPS_OK = onQueue("DUPS_OK", Session.DUPS_OK_ACKNOWLEDGE, Way::patiently);
    static final Way CLIENT_ACKNOWLEDGE = onQueue("CLIENT_ACKNOWLEDGE", Session.CLIENT_ACKNOWLEDGE, Way::patiently);
    static final Way TRANSACTED = onQueue("TRANSACTED", Session.SESSION_TRANSACTED, Way::patiently);
    static final Way LISTENER = listening("LISTENER", Session.AUTO_ACKNOWLEDGE);
    static final Way CLIENT_ACKNOWLEDGE_LISTENER = listening("CLIENT_ACKNOWLEDGE_LISTENER", Session.CLIENT_ACKNOWLEDGE);
    static final Way TRANSACTED_LISTENER = listening("TRANSACTED_LISTENER", Session.SESSION_TRANSACTED);

    static final Way QUEUE_RECEIVER = new Way(
            "QUEUE_RECEIVER",
            false,
            (factory, address) -> new Taking.Asking(
                    factory.createQueueConnection(),
                    address,
                    Session.AUTO_ACKNOWLEDGE,
                    (session, queue) -> ((QueueSession) session).createReceiver(session.createQueue(queue)),
                    Way::patiently));

    public static final Way CONTEXT = inContext("CONTEXT", JMSContext.AUTO_ACKNOWLEDGE);
    static final Way CONTEXT_CLIENT_ACKNOWLEDGE =
            inContext("CONTEXT_CLIENT_ACKNOWLEDGE", JMSContext.CLIENT_ACKNOWLEDGE);
    static final Way CONTEXT_TRANSACTED = inContext("CONTEXT_TRANSACTED", JMSContext.SESSION_TRANSACTED);
    static final Way CONTEXT_LISTENER = new Way("CONTEXT_LISTENER", false, Taking.ContextListening::new);
    static final Way TOPIC = onTopic("TOPIC", (s, topic) -> s.createConsumer(s.createTopic(topic)));
    static final Way DURABLE =
            onTopic("DURABLE", (s, topic) -> s.createDurableConsumer(s.createTopic(topic), "durable"));
    static final Way SHARED = onTopic("SHARED", (s, topic) -> s.createSharedConsumer(s.createTopic(topic), "shared"));
    static final Way SHARED_DURABLE = onTopic(
            "SHARED_DURABLE", (s, topic) -> s.createSharedDurableConsumer(s.createTopic(topic), "shared-durable"));
    static final Way DURABLE_SUBSCRIBER =
            onTopic("DURABLE_SUBSCRIBER", (s, topic) -> s.createDurableSubscriber(s.createTopic(topic), "subscriber"));

    static final Way TOPIC_SUBSCRIBER = new Way(
            "TOPIC_SUBSCRIBER",
            true,
            (factory, address) -> new Taking.Asking(
                    factory.createTopicConnection(),
                    address,
                    Session.AUTO_ACKNOWLEDGE,
                    (session, topic) -> ((TopicSession) session).createSubscriber(session.createTopic(topic)),
                    Way::patiently));

    static final Way CONTEXT_TOPIC =
            onTopicInContext("CONTEXT_TOPIC", (c, topic) -> c.createConsumer(c.createTopic(topic)));
    static final Way CONTEXT_DURABLE =
            onTopicInContext("CONTEXT_DURABLE", (c, topic) -> c.createDurableConsumer(c.createTopic(topic), "durable"));
    static final Way CONTEXT_SHARED =
            onTopicInContext("CONTEXT_SHARED", (c, topic) -> c.createSharedConsumer(c.createTopic(topic), "shared"));
    static final Way CONTEXT_SHARED_DURABLE = onTopicInContext(
            "CONTEXT_SHARED_DURABLE",
            (c, topic) -> c.createSharedDurableConsumer(c.createTopic(topic), "shared-durable"));

    static final List<Way> ALL = List.of(
            RECEIVE,
            RECEIVE_TIMEOUT,
            RECEIVE_NO_WAIT,
            DUPS_OK,
            CLIENT_ACKNOWLEDGE,
            TRANSACTED,
            LISTENER,
            CLIENT_ACKNOWLEDGE_LISTENER,
            TRANSACTED_LISTENER,
            QUEUE_RECEIVER,
            CONTEXT,
            CONTEXT_CLIENT_ACKNOWLEDGE,
            CONTEXT_TRANSACTED,
            CONTEXT_LISTENER,
            TOPIC,
            DURABLE,
            SHARED,
            SHARED_DURABLE,
            DURABLE_SUBSCRIBER,
            TOPIC_SUBSCRIBER,
            CONTEXT_TOPIC,
            CONTEXT_DURABLE,
            CONTEXT_SHARED,
            CONTEXT_SHARED_DURABLE);

    /** Opens a consumer. */
    interface Opening {
        Taking open(SignetConnectionFactory factory, String address) throws Exception;
    }

    public Taking open(SignetConnectionFactory factory, String address) throws Exception {
        return opening.open(factory, address);
    }

    /** Whether a client has this way: the one of ActiveMQ shares no subscriptions. */
    boolean isOf(TestBroker.Client client) {
        return client != TestBroker.Client.OPENWIRE || !name.contains("SHARED");
    }

    @Override
    public String toString() {
        return name;
    }

    private static Way onQueue(String name, int mode, Taking.Receiving receiving) {
        return new Way(
                name,
                false,
                (factory, address) -> new Taking.Asking(factory, address, mode, Way::queueConsumer, receiving));
    }

    private static Way listening(String name, int mode) {
        return new Way(
                name, false, (factory, address) -> new Taking.Listening(factory, address, mode, Way::queueConsumer));
    }

    private static MessageConsumer queueConsumer(Session session, String address) throws JMSException {
        return session.createConsumer(session.createQueue(address));
    }

    private static Way onTopic(String name, Taking.Consuming consuming) {
        return new Way(
                name,
                true,
                (factory, address) ->
                        new Taking.Asking(factory, address, Session.AUTO_ACKNOWLEDGE, consuming, Way::patiently));
    }

    private static Way inContext(String name, int mode) {
        return new Way(
                name,
                false,
                (factory, address) -> new Taking.InContext(
                        factory, address, mode, (c, queue) -> c.createConsumer(c.createQueue(queue))));
    }

    private static Way onTopicInContext(String name, Taking.ContextConsuming consuming) {
        return new Way(
                name,
                true,
                (factory, address) -> new Taking.InContext(factory, address, JMSContext.AUTO_ACKNOWLEDGE, consuming));
    }

    private static @Nullable Message patiently(MessageConsumer consumer) throws JMSException {
        return consumer.receive(Taking.PATIENCE);
    }
}
