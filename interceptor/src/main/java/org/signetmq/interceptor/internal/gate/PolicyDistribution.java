/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.filter.impl.FilterImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.impl.journal.LargeServerMessageImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.impl.AddressInfo;
import org.apache.activemq.artemis.core.server.impl.RoutingContextImpl;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.policy.BrokerAddresses;

/**
 * Hands the policies in force to clients: one message in a queue that keeps it for each consumer. A new one replaces
 * it. The body is the text of the policies in UTF-8, with its signature if it has one. Thread-safe.
 */
public final class PolicyDistribution implements AutoCloseable {
    private static final SimpleString ADDRESS = SimpleString.of(BrokerAddresses.POLICIES);

    /** The value of the last-value property, so that each message replaces the one before. */
    private static final SimpleString KEY = SimpleString.of("policies");

    private static final String OTHERS =
            Message.HDR_LAST_VALUE_NAME + " IS NULL OR " + Message.HDR_LAST_VALUE_NAME + " <> '" + KEY + "'";

    private final ActiveMQServer server;
    private @Nullable String posted;
    private @Nullable String problem;
    private boolean closed;

    public PolicyDistribution(ActiveMQServer server) {
        this.server = server;
    }

    /**
     * Puts this text into the queue, unless it lies there. A failure is logged, and the next call tries again.
     *
     * @param text the policies in force
     */
    public synchronized void post(String text) {
        if (closed) {
            return;
        }
        try {
            Queue queue = queue();
            // a last-value queue does not count messages that consumers have
            if (!text.equals(posted) || queue.getMessageCount() + queue.getDeliveringCount() < 1) {
                send(text.getBytes(StandardCharsets.UTF_8));
                posted = text;
            }
            problem = null;
        } catch (Exception e) {
            String reason = e.getClass().getSimpleName() + ": " + e.getMessage();
            if (!reason.equals(problem)) {
                PluginLog.LOG.warn("the policies could not be handed to clients at {}: {}", ADDRESS, reason);
            }
            problem = reason;
        }
    }

    /** Returns the queue. One with other settings, which a client or broker.xml made, is replaced. */
    private Queue queue() throws Exception {
        Queue queue = server.locateQueue(ADDRESS);
        if (queue != null && isRight(queue)) {
            return queue;
        }
        posted = null;
        if (queue != null) {
            server.destroyQueue(ADDRESS, null, false, true);
        }
        Set<RoutingType> types = EnumSet.of(RoutingType.ANYCAST);
        AddressInfo address = server.getAddressInfo(ADDRESS);
        if (address != null) {
            types.addAll(address.getRoutingTypes());
        }
        var unused = server.addOrUpdateAddressInfo(new AddressInfo(ADDRESS, EnumSet.copyOf(types)).setInternal(true));
        // an internal queue is neither mirrored nor redistributed: each broker has its own policies
        return server.createQueue(QueueConfiguration.of(ADDRESS)
                .setAddress(ADDRESS)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(true)
                .setLastValue(true)
                .setNonDestructive(true)
                .setMaxConsumers(Queue.MAX_CONSUMERS_UNLIMITED)
                .setExclusive(false)
                .setPurgeOnNoConsumers(false)
                .setAutoDelete(false)
                .setInternal(true));
    }

    private static boolean isRight(Queue queue) {
        return ADDRESS.equals(queue.getAddress())
                && queue.getRoutingType() == RoutingType.ANYCAST
                && queue.isDurable()
                && queue.isLastValue()
                && queue.isNonDestructive()
                && queue.getFilter() == null;
    }

    private void send(byte[] body) throws Exception {
        if (posted == null) {
            int unused = server.locateQueue(ADDRESS).deleteMatchingReferences(FilterImpl.createFilter(OTHERS));
        }
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), body.length + 512);
        message.setType(Message.BYTES_TYPE);
        message.setAddress(ADDRESS);
        message.setRoutingType(RoutingType.ANYCAST);
        message.setDurable(true);
        message.setTimestamp(System.currentTimeMillis());
        message.putStringProperty(Message.HDR_LAST_VALUE_NAME, KEY);
        message.getBodyBuffer().writeBytes(body);
        Message stored = LargeServerMessageImpl.checkLargeMessage(message, server.getStorageManager());
        MessageSealer.markExempt(stored, BrokerAddresses.POLICIES);
        // to this queue alone, and to no queue of the same name on another broker of the cluster
        var unused = server.getPostOffice()
                .route(
                        stored,
                        new RoutingContextImpl(null),
                        false,
                        false,
                        server.getPostOffice().getBinding(ADDRESS));
    }

    /** Ends the distribution, after a message that is on its way. The last message stays for clients. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
