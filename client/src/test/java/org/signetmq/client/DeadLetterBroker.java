/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.signetmq.testkit.EmbeddedBroker;

/** A broker with three delivery attempts and then the queue DLQ. Expired messages go to another queue. */
public class DeadLetterBroker implements Broker {
    private final EmbeddedBroker broker = new EmbeddedBroker("&anycastPrefix=to-queue.&multicastPrefix=to-topic.");

    /** Starts it; called by reflection. */
    public DeadLetterBroker() throws Exception {
        this(broker -> {});
    }

    DeadLetterBroker(Consumer<EmbeddedBroker> more) throws Exception {
        broker.configuration().setMessageExpiryScanPeriod(100);
        broker.settings()
                .setMaxDeliveryAttempts(TestBroker.ATTEMPTS)
                .setAutoCreateDeadLetterResources(false)
                .setDeadLetterAddress(SimpleString.of(TestBroker.DEAD_LETTERS))
                .setExpiryAddress(SimpleString.of(TestBroker.EXPIRED));
        more.accept(broker);
        broker.start();
        broker.createQueue(TestBroker.DEAD_LETTERS);
        broker.createQueue(TestBroker.EXPIRED);
    }

    @Override
    public final int port() {
        return broker.port();
    }

    @Override
    public final long messages(String queue) {
        Queue found = broker.server().locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    @Override
    public final long delivering(String queue) {
        Queue found = broker.server().locateQueue(queue);
        return found == null ? 0 : found.getDeliveringCount();
    }

    @Override
    public final void deleteMessages(String queue) {
        try {
            broker.server().locateQueue(queue).deleteAllReferences();
        } catch (Exception e) {
            throw new AssertionError("broker: does not delete", e);
        }
    }

    @Override
    public final void putAmqp(String address, byte[] sections) {
        ActiveMQServer server = broker.server();
        AMQPStandardMessage message = new AMQPStandardMessage(0, sections, null);
        message.setMessageID(server.getStorageManager().generateID());
        message.setAddress(address);
        try {
            server.getPostOffice().route(message, true);
        } catch (Exception e) {
            throw new AssertionError("broker: does not route", e);
        }
    }

    @Override
    public final void close() {
        broker.close();
    }
}
