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
 * Rejects large messages of Core clients before the broker writes them, where the plugin cannot seal them. It closes
 * the connection, because the broker reads all further packets as parts of the message.
 */
public final class CoreLargeRejection implements Interceptor {

    private final ActiveMQServer server;
    private final Judge judge;
    private final Set<RemotingConnection> ended = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>())); // their further packets are dropped

    /** Judges messages as the gate requires. */
    public interface Judge {
        /** Returns whether the broker will make this message large. */
        boolean makesLarge(Message message);

        /** Returns whether the broker must not write this message to a file in clear. */
        boolean isProtected(ServerSession session, Message message) throws Exception;

        /** Records a message that is rejected. */
        void rejected(RemotingConnection connection);
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
            // the broker accepts the packet after an exception: so the connection ends, as for a protected address
        }
        try {
            end(connection);
        } catch (Throwable e) {
            // the packet is dropped nevertheless
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
        judge.rejected(connection);
        PluginLog.LOG.warn(
                "Signet closes a client's connection: it sent a large message to a protected address, which this"
                        + " version of Artemis would write in clear");
        connection.fail(
                new ActiveMQSecurityException("this broker cannot protect large messages to protected addresses"));
    }
}
