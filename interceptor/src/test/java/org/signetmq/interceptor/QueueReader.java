/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.ByteArrayOutputStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.jspecify.annotations.Nullable;

/** Reads the messages on queues without changing them. */
public final class QueueReader implements AutoCloseable {
    private final ServerLocator locator;
    private final ClientSessionFactory factory;
    private final ClientSession session;

    public QueueReader(TestBroker broker) throws Exception {
        locator = ActiveMQClient.createServerLocator(broker.uri());
        factory = locator.createSessionFactory();
        session = factory.createSession("alice", "secret", false, true, true, false, 0);
        session.start();
    }

    /** The session, in which the user alice may also send. */
    ClientSession session() {
        return session;
    }

    /** Makes a queue of both an anycast and a multicast address, so that every protocol's messages land in it. */
    public QueueReader queue(String name) throws Exception {
        session.createQueue(QueueConfiguration.of(name).setAddress(name).setRoutingType(RoutingType.ANYCAST));
        return this;
    }

    QueueReader subscription(String name, String address) throws Exception {
        session.createQueue(QueueConfiguration.of(name).setAddress(address).setRoutingType(RoutingType.MULTICAST));
        return this;
    }

    /** The next message that is there now, or null. */
    @Nullable
    public ClientMessage poll(String queue) throws Exception {
        try (ClientConsumer consumer = session.createConsumer(SimpleString.of(queue))) {
            ClientMessage message = consumer.receiveImmediate();
            if (message != null) {
                message.individualAcknowledge();
            }
            return message;
        }
    }

    /** The next message, waited for. */
    ClientMessage next(String queue) throws Exception {
        try (ClientConsumer consumer = session.createConsumer(SimpleString.of(queue))) {
            ClientMessage message = waitedFor(queue, consumer);
            message.individualAcknowledge();
            return message;
        }
    }

    /** The body of the next message, read while its consumer is open: a large one comes only as it is read. */
    public byte[] nextBody(String queue) throws Exception {
        try (ClientConsumer consumer = session.createConsumer(SimpleString.of(queue))) {
            ClientMessage message = waitedFor(queue, consumer);
            byte[] body = body(message);
            message.individualAcknowledge();
            return body;
        }
    }

    private static ClientMessage waitedFor(String queue, ClientConsumer consumer) throws ActiveMQException {
        ClientMessage message = consumer.receive(180_000);
        if (message == null) {
            throw new AssertionError("nothing on " + queue);
        }
        return message;
    }

    static byte[] body(ClientMessage message) throws ActiveMQException {
        if (message.isLargeMessage()) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            message.saveToOutputStream(body);
            return body.toByteArray();
        }
        byte[] body = new byte[message.getBodySize()];
        message.getBodyBuffer().readBytes(body);
        return body;
    }

    @Override
    public void close() throws ActiveMQException {
        session.close();
        factory.close();
        locator.close();
    }
}
