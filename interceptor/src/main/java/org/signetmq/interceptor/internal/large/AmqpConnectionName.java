/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.reader.MessageUtil;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Keeps the name of the connection by which an AMQP message arrived. The broker loses the name when it converts a long
 * message in memory to Core. Address federation needs it, because it takes only messages of other connections.
 */
final class AmqpConnectionName {
    private static final String AMQP = "AMQP";

    private AmqpConnectionName() {}

    /** Sets the name on a Core message that the broker converted from a message of this session. */
    static void keep(ServerSession session, CoreMessage message) {
        RemotingConnection connection = session.getRemotingConnection();
        String name = AMQP.equals(connection.getProtocolName()) ? connection.getClientID() : null;
        if (name != null && !message.containsProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME)) {
            message.putStringProperty(MessageUtil.CONNECTION_ID_PROPERTY_NAME_STRING, name);
        }
    }
}
