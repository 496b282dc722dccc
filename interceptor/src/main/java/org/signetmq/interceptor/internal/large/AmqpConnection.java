/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.reader.MessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * The name of the connection that an AMQP message came by. The name is no part of the message. The broker loses it when
 * it converts a message that is large in memory to Core. Address federation takes messages of other connections only,
 * and would then miss this one.
 */
final class AmqpConnection {
    private static final String AMQP = "AMQP";

    private AmqpConnection() {}

    /** Sets the name on a message that was made from a message of this session. */
    static void keep(ServerSession session, CoreMessage message) {
        RemotingConnection connection = session.getRemotingConnection();
        String name = AMQP.equals(connection.getProtocolName()) ? connection.getClientID() : null;
        if (name != null && !message.containsProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME)) {
            message.putStringProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME_STRING, name);
        }
    }
}
