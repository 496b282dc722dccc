/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.Optional;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.protocol.amqp.broker.AmqpInterceptor;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SizeLimit;
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
    private final PolicyResolver resolver;
    private final MessageSealer sealer;
    private final SealingStorage storage;

    AmqpLargeSealing(ActiveMQServer server, PolicyResolver resolver, MessageSealer sealer, SealingStorage storage) {
        this.server = server;
        this.resolver = resolver;
        this.sealer = sealer;
        this.storage = storage;
    }

    @Override
    public boolean intercept(AMQPMessage message, RemotingConnection connection) {
        try {
            if (message instanceof AMQPStandardMessage && storage.makesLarge(message)) {
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
                seal(message, resolver.ofSend(session, message.getAddressSimpleString()));
                return;
            }
        }
    }

    private void seal(AMQPMessage message, Optional<ProtectionRequest> request) throws Exception {
        if (request.isEmpty()) {
            storage.letPass();
            return;
        }
        try {
            SizeLimit.inMemory(request.get().home().maxMessageSize()).requireNotFarBeyond(message);
        } catch (MessageRejectedException tooLong) {
            // else the broker converts the message to Core before it asks the plugin, in several times the memory of
            // the body
            AmqpBody.drop(message);
            LargeBody.markRejected(message, tooLong);
            return;
        }
        sealer.sealSections(message, request.get());
    }
}
