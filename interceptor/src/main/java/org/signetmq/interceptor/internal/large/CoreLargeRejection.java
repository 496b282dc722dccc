/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.MessagePacketI;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.SessionSendLargeMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Rejects large messages of Core clients before the broker writes any of them, where they cannot be sealed on their
 * way. Only the end of its connection can tell the client, because all that follows belongs to the message.
 */
public final class CoreLargeRejection implements Interceptor {

    private final ActiveMQServer server;
    private final Judge judge;
    private final Set<RemotingConnection> ended = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>())); // drops the rest of the message

    /** The gate's judgement of large messages. */
    public interface Judge {
        /** Whether a session will make a large message of this one. */
        boolean makesLarge(Message message);

        /** Whether the message must not be in a file as it is. */
        boolean isProtected(ServerSession session, Message message) throws Exception;

        /** Counts a message that is rejected. */
        void rejected();
    }

    CoreLargeRejection(ActiveMQServer server, Judge judge) {
        this.server = server;
        this.judge = judge;
    }

    @Override
    public boolean intercept(Packet packet, RemotingConnection connection) {
        if (ended.contains(connection)) {
            return false;
        }
        try {
            Message large = large(packet);
            if (large == null || !isProtected(large, connection)) {
                return true;
            }
        } catch (Throwable unknown) {
            // the broker takes the packet if this throws: so the connection ends, as if the address had a policy
        }
        try {
            end(connection);
        } catch (Throwable e) {
            // nothing more can be done than to drop the packet
        }
        return false;
    }

    private @Nullable Message large(Packet packet) {
        if (!(packet instanceof MessagePacketI sent)) {
            return null;
        }
        boolean becomesLarge = packet instanceof SessionSendLargeMessage || judge.makesLarge(sent.getMessage());
        return becomesLarge ? sent.getMessage() : null;
    }

    private boolean isProtected(Message message, RemotingConnection connection) throws Exception {
        for (ServerSession session : server.getSessions()) {
            if (session.getRemotingConnection() == connection && judge.isProtected(session, message)) {
                return true;
            }
        }
        return false;
    }

    private void end(RemotingConnection connection) {
        ended.add(connection);
        judge.rejected();
        PluginLog.LOG.warn(
                "a client's connection ends: it sent a large message to a protected address, which this version of"
                        + " Artemis would write in clear");
        connection.fail(
                new ActiveMQSecurityException("large messages to protected addresses cannot be protected here"));
    }
}
