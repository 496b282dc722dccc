/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.reader.MessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * The name of the connection that an AMQP message came by. It is no part of the message, and is lost where the broker
 * makes a Core message of one that is large in memory: then address federation, which takes what came by another
 * connection than its own, would not see the message at all.
 */
final class AmqpConnection {
    private static final String AMQP = "AMQP";

    private AmqpConnection() {}

    /** Gives the name to what became of a message of this session. */
    static void keep(ServerSession session, CoreMessage message) {
        RemotingConnection connection = session.getRemotingConnection();
        String name = AMQP.equals(connection.getProtocolName()) ? connection.getClientID() : null;
        if (name != null && !message.containsProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME)) {
            message.putStringProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME_STRING, name);
        }
    }
}
