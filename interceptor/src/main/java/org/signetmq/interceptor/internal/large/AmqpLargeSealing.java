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
 * example streams with bytes, but it can convert any envelope. Rejects no message: the gate judges unsealed ones like
 * all large messages. Loaded only where the broker has the AMQP protocol.
 */
public final class AmqpLargeSealing implements AmqpInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(AmqpLargeSealing.class);

    private final ActiveMQServer server;
    private final Sealing sealing;

    /** The gate's judgement of large messages. */
    public interface Sealing {
        /** Whether a session will make a large message of this one. Asked for each message. */
        boolean isFor(Message message);

        /** Seals it in place, if it is to be sealed. */
        void apply(ServerSession session, Message message) throws Exception;
    }

    private AmqpLargeSealing(ActiveMQServer server, Sealing sealing) {
        this.server = server;
        this.sealing = sealing;
    }

    /**
     * Begins; the result ends it.
     *
     * @throws LinkageError if the broker has no AMQP
     */
    static AutoCloseable install(ActiveMQServer server, Sealing sealing) {
        AmqpLargeSealing installed = new AmqpLargeSealing(server, sealing);
        server.getRemotingService().addIncomingInterceptor(installed);
        return () -> server.getRemotingService().removeIncomingInterceptor(installed);
    }

    @Override
    public boolean intercept(AMQPMessage message, RemotingConnection connection) {
        try {
            if (message instanceof AMQPStandardMessage && sealing.isFor(message)) {
                seal(message, connection);
            }
        } catch (Throwable e) { // the send itself fails for the same reason, and tells the client
            LOG.debug("large AMQP message not sealed early", e);
        }
        return true;
    }

    /** For any of the connection's sessions: they have one user. */
    private void seal(AMQPMessage message, RemotingConnection connection) throws Exception {
        for (ServerSession session : server.getSessions()) {
            if (session.getRemotingConnection() == connection) {
                sealing.apply(session, message);
                return;
            }
        }
    }
}
