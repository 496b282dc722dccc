/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import org.jspecify.annotations.Nullable;

/** A way of consuming that the API has. */
@SuppressWarnings("ImmutableEnumChecker") // the openings have no state
public enum Way {
    RECEIVE(queue(Session.AUTO_ACKNOWLEDGE, MessageConsumer::receive)),
    RECEIVE_TIMEOUT(queue(Session.AUTO_ACKNOWLEDGE, patiently())),
    RECEIVE_NO_WAIT(queue(Session.AUTO_ACKNOWLEDGE, consumer -> Taking.poll(consumer::receiveNoWait))),
    DUPS_OK(queue(Session.DUPS_OK_ACKNOWLEDGE, patiently())),
    CLIENT_ACKNOWLEDGE(queue(Session.CLIENT_ACKNOWLEDGE, patiently())),
    TRANSACTED(queue(Session.SESSION_TRANSACTED, patiently())),
    LISTENER(queue(Session.AUTO_ACKNOWLEDGE, null)),
    CLIENT_ACKNOWLEDGE_LISTENER(queue(Session.CLIENT_ACKNOWLEDGE, null)),
    TRANSACTED_LISTENER(queue(Session.SESSION_TRANSACTED, null)),
    QUEUE_RECEIVER((factory, address) -> new Taking.InSession(
            factory.createQueueConnection(),
            address,
            Session.AUTO_ACKNOWLEDGE,
            (session, queue) -> ((QueueSession) session).createReceiver(session.createQueue(queue)),
            patiently())),
    CONTEXT(context(Session.AUTO_ACKNOWLEDGE, false)),
    CONTEXT_CLIENT_ACKNOWLEDGE(context(Session.CLIENT_ACKNOWLEDGE, false)),
    CONTEXT_TRANSACTED(context(Session.SESSION_TRANSACTED, false)),
    CONTEXT_LISTENER(context(Session.AUTO_ACKNOWLEDGE, true)),
    TOPIC(topic((session, topic) -> session.createConsumer(session.createTopic(topic)))),
    DURABLE(topic((session, topic) -> session.createDurableConsumer(session.createTopic(topic), "durable"))),
    SHARED(topic((session, topic) -> session.createSharedConsumer(session.createTopic(topic), "shared"))),
    SHARED_DURABLE(topic(
            (session, topic) -> session.createSharedDurableConsumer(session.createTopic(topic), "shared-durable"))),
    DURABLE_SUBSCRIBER(
            topic((session, topic) -> session.createDurableSubscriber(session.createTopic(topic), "subscriber"))),
    TOPIC_SUBSCRIBER((factory, address) -> new Taking.InSession(
            factory.createTopicConnection(),
            address,
            Session.AUTO_ACKNOWLEDGE,
            (session, topic) -> ((TopicSession) session).createSubscriber(session.createTopic(topic)),
            patiently())),
    CONTEXT_TOPIC(contextTopic((context, topic) -> context.createConsumer(context.createTopic(topic)))),
    CONTEXT_DURABLE(
            contextTopic((context, topic) -> context.createDurableConsumer(context.createTopic(topic), "durable"))),
    CONTEXT_SHARED(
            contextTopic((context, topic) -> context.createSharedConsumer(context.createTopic(topic), "shared"))),
    CONTEXT_SHARED_DURABLE(contextTopic(
            (context, topic) -> context.createSharedDurableConsumer(context.createTopic(topic), "shared-durable")));

    private final Opening opening;

    Way(Opening opening) {
        this.opening = opening;
    }

    /** Opens a consumer. */
    private interface Opening {
        Taking open(SignetConnectionFactory factory, String address) throws Exception;
    }

    public Taking open(SignetConnectionFactory factory, String address) throws Exception {
        return opening.open(factory, address);
    }

    /** Whether it consumes from a topic. */
    boolean topic() {
        return compareTo(TOPIC) >= 0;
    }

    /** Whether a client has this way: the one of ActiveMQ shares no subscriptions. */
    boolean isOf(TestBroker.Client client) {
        return client != TestBroker.Client.OPENWIRE || !name().contains("SHARED");
    }

    private static Taking.Receiving patiently() {
        return consumer -> consumer.receive(Taking.PATIENCE);
    }

    private static Opening queue(int mode, Taking.@Nullable Receiving receiving) {
        return (factory, address) -> onQueue(factory, address, mode, receiving);
    }

    /** Asks a consumer of a queue, or listens if {@code receiving} is null. */
    private static Taking.InSession onQueue(
            SignetConnectionFactory factory, String address, int mode, Taking.@Nullable Receiving receiving)
            throws Exception {
        return new Taking.InSession(
                factory.createConnection(),
                address,
                mode,
                (session, queue) -> session.createConsumer(session.createQueue(queue)),
                receiving);
    }

    /** Asks a consumer of a queue in a session of this mode. */
    static Taking.InSession inSession(SignetConnectionFactory factory, String address, int mode) throws Exception {
        return onQueue(factory, address, mode, patiently());
    }

    private static Opening topic(Taking.Consuming consuming) {
        return (factory, address) -> new Taking.InSession(
                factory.createConnection(), address, Session.AUTO_ACKNOWLEDGE, consuming, patiently());
    }

    private static Opening context(int mode, boolean listens) {
        return (factory, address) -> new Taking.InContext(
                factory.createContext(mode),
                address,
                listens,
                (context, queue) -> context.createConsumer(context.createQueue(queue)));
    }

    private static Opening contextTopic(Taking.ContextConsuming consuming) {
        return (factory, address) -> new Taking.InContext(factory.createContext(), address, false, consuming);
    }
}
