/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.api.jms.management.JMSManagementHelper;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.signetmq.testkit.BrokerInstance;

/** A client without Signet: it sends in clear, and asks the broker's management. For one thread. */
final class PlainClient implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 10_000;

    private final ActiveMQConnectionFactory factory;
    private final JMSContext context;
    private final Queue management;

    PlainClient(BrokerInstance broker) {
        factory = new ActiveMQConnectionFactory(broker.url());
        context = factory.createContext(BrokerInstance.USER, BrokerInstance.PASSWORD);
        management = context.createQueue("activemq.management");
    }

    void send(String queue, String text) {
        context.createProducer().send(context.createQueue(queue), text);
    }

    /** Puts a message with a note of these texts into quarantine, and with a reason. */
    void quarantine(String text, String address, String signer) {
        context.createProducer()
                .setProperty("signet_quarantine_reason", "malformed")
                .setProperty("signet_quarantine_address", address)
                .setProperty("signet_quarantine_queue", address)
                .setProperty("signet_quarantine_signer", signer)
                .send(context.createQueue("SIGNET.QUARANTINE"), text);
    }

    /** How many messages lie on a queue; none on one that is not there. */
    long count(String queue) throws Exception {
        Message request = context.createMessage();
        JMSManagementHelper.putAttribute(request, ResourceNames.QUEUE + queue, "messageCount");
        Message reply = ask(request);
        return JMSManagementHelper.hasOperationSucceeded(reply)
                ? ((Number) JMSManagementHelper.getResult(reply)).longValue()
                : 0;
    }

    /** Has the broker move all messages of a queue to another one; tells how many. */
    int move(String from, String to) throws Exception {
        Message request = context.createMessage();
        JMSManagementHelper.putOperationInvocation(request, ResourceNames.QUEUE + from, "moveMessages", "", to);
        Message reply = ask(request);
        Object result = JMSManagementHelper.getResult(reply);
        if (!JMSManagementHelper.hasOperationSucceeded(reply)) {
            throw new AssertionError(from + ": not moved to " + to + ": " + result);
        }
        return ((Number) result).intValue();
    }

    /** Has the broker remove all messages of a queue. */
    void purge(String queue) throws Exception {
        Message request = context.createMessage();
        JMSManagementHelper.putOperationInvocation(request, ResourceNames.QUEUE + queue, "removeMessages", "");
        if (!JMSManagementHelper.hasOperationSucceeded(ask(request))) {
            throw new AssertionError(queue + ": not purged");
        }
    }

    private Message ask(Message request) throws JMSException {
        var answers = context.createTemporaryQueue();
        try (JMSConsumer consumer = context.createConsumer(answers)) {
            request.setJMSReplyTo(answers);
            context.createProducer().send(management, request);
            Message reply = consumer.receive(PATIENCE_MILLIS);
            if (reply == null) {
                throw new AssertionError("the management does not answer");
            }
            return reply;
        } finally {
            answers.delete();
        }
    }

    @Override
    public void close() {
        context.close();
        factory.close();
    }
}
