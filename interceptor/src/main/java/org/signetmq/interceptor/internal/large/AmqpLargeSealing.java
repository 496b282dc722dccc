/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AmqpInterceptor;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals AMQP messages before the broker converts them to large Core messages. The broker cannot convert every body, for
 * example streams with bytes, but it can convert any envelope. This class rejects no message, because the gate judges
 * all large messages later. It is loaded only where the broker has the AMQP protocol.
 */
public final class AmqpLargeSealing implements AmqpInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpLargeSealing.class);

    private final ActiveMQServer server;
    private final EarlySealer sealer;

    /** Seals messages as the gate requires. */
    public interface EarlySealer {
        /** Returns whether the broker will convert this message to a large one. */
        boolean makesLarge(Message message);

        /** Seals the message in place, if a policy requires it. */
        void apply(ServerSession session, Message message) throws Exception;
    }

    private AmqpLargeSealing(ActiveMQServer server, EarlySealer sealer) {
        this.server = server;
        this.sealer = sealer;
    }

    /**
     * Installs the interceptor. The result removes it.
     *
     * @throws LinkageError if the broker has no AMQP protocol
     */
    static AutoCloseable install(ActiveMQServer server, EarlySealer sealer) {
        AmqpLargeSealing installed = new AmqpLargeSealing(server, sealer);
        server.getRemotingService().addIncomingInterceptor(installed);
        return () -> server.getRemotingService().removeIncomingInterceptor(installed);
    }

    @Override
    public boolean intercept(AMQPMessage message, RemotingConnection connection) {
        try {
            if (message instanceof AMQPStandardMessage && sealer.makesLarge(message)) {
                seal(message, connection);
            }
        } catch (Throwable e) { // the send fails for the same reason later, and the client receives that failure
            LOG.debug("large AMQP message not sealed early", e);
        }
        return true;
    }

    /** Seals for the first session of the connection, because all its sessions have one user. */
    private void seal(AMQPMessage message, RemotingConnection connection) throws Exception {
        for (ServerSession session : server.getSessions()) {
            if (session.getRemotingConnection() == connection) {
                sealer.apply(session, message);
                return;
            }
        }
    }
}
