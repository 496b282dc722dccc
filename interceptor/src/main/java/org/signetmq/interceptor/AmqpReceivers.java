/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import org.apache.activemq.artemis.protocol.amqp.broker.ActiveMQProtonRemotingConnection;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/** What receives AMQP messages for the broker over one connection. */
final class AmqpReceivers {
    private static final String AMQP = "AMQP";
    private static final int NEVER = -1;

    private AmqpReceivers() {}

    /**
     * Makes large messages come whole, in memory, whatever the acceptor's parameters are by now: the broker takes those
     * from its file again and again, when the plugin is not asked. To be done before there is a receiver.
     */
    static void takeWhole(RemotingConnection connection) {
        if (AMQP.equals(connection.getProtocolName())) {
            Types.takeWhole(connection);
        }
    }

    /** Loaded where there is AMQP alone. */
    private static final class Types {
        static void takeWhole(RemotingConnection connection) {
            if (connection instanceof ActiveMQProtonRemotingConnection amqp
                    && amqp.getManager().getAmqpMinLargeMessageSize() != NEVER) {
                amqp.getManager().setAmqpMinLargeMessageSize(NEVER);
            }
        }
    }
}
