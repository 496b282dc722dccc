/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import java.util.List;

/**
 * A way of consuming that the API has.
 *
 * @param name for reports
 * @param topic whether it consumes from a topic
 */
public record Way(String name, boolean topic, Way.Opening opening) {
    static final Way RECEIVE = new Way(
            "RECEIVE",
            false,
            (factory, address) -> new Taking.Asking(
                    factory, address, Session.AUTO_ACKNOWLEDGE, Way::onQueue, MessageConsumer::receive));

    public static final Way RECEIVE_TIMEOUT = new Way(
            "RECEIVE_TIMEOUT",
            false,
            (factory, address) ->
                    new Taking.Asking(factory, address, Session.AUTO_ACKNOWLEDGE, Way::onQueue, Way::patiently));

    static final Way RECEIVE_NO_WAIT = new Way(
            "RECEIVE_NO_WAIT",
            false,
            (factory, address) -> new Taking.Asking(
                    factory,
                    address,
                    Session.AUTO_ACKNOWLEDGE,
                    Way::onQueue,
                    consumer -> Taking.poll(consumer::receiveNoWait)));

    static final Way DUPS_OK = new Way(
            "DUPS_OK",
            false,
            (factory, address) ->
                    new Taking.Asking(factory, address, Session.DUPS_OK_ACKNOWLEDGE, Way::onQueue, Way::patiently));

    static final Way CLIENT_ACKNOWLEDGE = new Way(
            "CLIENT_ACKNOWLEDGE",
            false,
            (factory, address) ->
                    new Taking.Asking(factory, address, Session.CLIENT_ACKNOWLEDGE, Way::onQueue, Way::patiently));

    static final Way TRANSACTED = new Way(
            "TRANSACTED",
            false,
            (factory, address) ->
                    new Taking.Asking(factory, address, Session.SESSION_TRANSACTED, Way::onQueue, Way::patiently));

    static final Way LISTENER = new Way(
            "LISTENER",
            false,
            (factory, address) -> new Taking.Listening(factory, address, Session.AUTO_ACKNOWLEDGE, Way::onQueue));

    static final Way CLIENT_ACKNOWLEDGE_LISTENER = new Way(
            "CLIENT_ACKNOWLEDGE_LISTENER",
            false,
            (factory, address) -> new Taking.Listening(factory, address, Session.CLIENT_ACKNOWLEDGE, Way::onQueue));

    static final Way TRANSACTED_LISTENER = new Way(
            "TRANSACTED_LISTENER",
            false,
            (factory, address) -> new Taking.Listening(factory, address, Session.SESSION_TRANSACTED, Way::onQueue));

    static final Way QUEUE_RECEIVER = new Way(
            "QUEUE_RECEIVER",
            false,
            (factory, address) -> new Taking.Asking(
                    factory.createQueueConnection(),
                    address,
                    Session.AUTO_ACKNOWLEDGE,
                    (session, queue) -> ((QueueSession) session).createReceiver(session.createQueue(queue)),
                    Way::patiently));

    public static final Way CONTEXT = new Way(
            "CONTEXT",
            false,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.AUTO_ACKNOWLEDGE,
                    (c, queue) -> c.createConsumer(c.createQueue(queue))));

    static final Way CONTEXT_CLIENT_ACKNOWLEDGE = new Way(
            "CONTEXT_CLIENT_ACKNOWLEDGE",
            false,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.CLIENT_ACKNOWLEDGE,
                    (c, queue) -> c.createConsumer(c.createQueue(queue))));

    static final Way CONTEXT_TRANSACTED = new Way(
            "CONTEXT_TRANSACTED",
            false,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.SESSION_TRANSACTED,
                    (c, queue) -> c.createConsumer(c.createQueue(queue))));

    static final Way CONTEXT_LISTENER = new Way("CONTEXT_LISTENER", false, Taking.ContextListening::new);

    static final Way TOPIC = new Way(
            "TOPIC",
            true,
            (factory, address) -> onTopic(factory, address, (s, topic) -> s.createConsumer(s.createTopic(topic))));

    static final Way DURABLE = new Way(
            "DURABLE",
            true,
            (factory, address) ->
                    onTopic(factory, address, (s, topic) -> s.createDurableConsumer(s.createTopic(topic), "durable")));

    static final Way SHARED = new Way(
            "SHARED",
            true,
            (factory, address) ->
                    onTopic(factory, address, (s, topic) -> s.createSharedConsumer(s.createTopic(topic), "shared")));

    static final Way SHARED_DURABLE = new Way(
            "SHARED_DURABLE",
            true,
            (factory, address) -> onTopic(
                    factory,
                    address,
                    (s, topic) -> s.createSharedDurableConsumer(s.createTopic(topic), "shared-durable")));

    static final Way DURABLE_SUBSCRIBER = new Way(
            "DURABLE_SUBSCRIBER",
            true,
            (factory, address) -> onTopic(
                    factory, address, (s, topic) -> s.createDurableSubscriber(s.createTopic(topic), "subscriber")));

    static final Way TOPIC_SUBSCRIBER = new Way(
            "TOPIC_SUBSCRIBER",
            true,
            (factory, address) -> new Taking.Asking(
                    factory.createTopicConnection(),
                    address,
                    Session.AUTO_ACKNOWLEDGE,
                    (session, topic) -> ((TopicSession) session).createSubscriber(session.createTopic(topic)),
                    Way::patiently));

    static final Way CONTEXT_TOPIC = new Way(
            "CONTEXT_TOPIC",
            true,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.AUTO_ACKNOWLEDGE,
                    (c, topic) -> c.createConsumer(c.createTopic(topic))));

    static final Way CONTEXT_DURABLE = new Way(
            "CONTEXT_DURABLE",
            true,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.AUTO_ACKNOWLEDGE,
                    (c, topic) -> c.createDurableConsumer(c.createTopic(topic), "durable")));

    static final Way CONTEXT_SHARED = new Way(
            "CONTEXT_SHARED",
            true,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.AUTO_ACKNOWLEDGE,
                    (c, topic) -> c.createSharedConsumer(c.createTopic(topic), "shared")));

    static final Way CONTEXT_SHARED_DURABLE = new Way(
            "CONTEXT_SHARED_DURABLE",
            true,
            (factory, address) -> new Taking.InContext(
                    factory,
                    address,
                    JMSContext.AUTO_ACKNOWLEDGE,
                    (c, topic) -> c.createSharedDurableConsumer(c.createTopic(topic), "shared-durable")));

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

    private static MessageConsumer onQueue(Session session, String address) throws jakarta.jms.JMSException {
        return session.createConsumer(session.createQueue(address));
    }

    private static Taking onTopic(SignetConnectionFactory factory, String address, Taking.Consuming consuming)
            throws Exception {
        return new Taking.Asking(factory, address, Session.AUTO_ACKNOWLEDGE, consuming, Way::patiently);
    }

    private static jakarta.jms.@org.jspecify.annotations.Nullable Message patiently(MessageConsumer consumer)
            throws jakarta.jms.JMSException {
        return consumer.receive(Taking.PATIENCE);
    }
}
