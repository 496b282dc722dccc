/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.Message;

/** The protocol by which a consumer receives. It decides what becomes of a message of another protocol. */
public enum ClientProtocol {
    /** Artemis's own: the broker converts what an AMQP producer sent. */
    CORE,
    /** That of the ActiveMQ client: the broker converts what an AMQP producer sent, as for Core. */
    OPENWIRE,
    /** AMQP 1.0, and that of any client library that is not known: messages come as their producers sent them. */
    AMQP;

    private static final String ARTEMIS_MESSAGE = "org.apache.activemq.artemis.jms.client.ActiveMQMessage";
    private static final String ACTIVEMQ_MESSAGE = "org.apache.activemq.command.ActiveMQMessage";

    /** The protocol that this message came by. */
    public static ClientProtocol of(Message received) {
        if (TypeNames.isA(received, ARTEMIS_MESSAGE)) {
            return CORE;
        }
        return TypeNames.isA(received, ACTIVEMQ_MESSAGE) ? OPENWIRE : AMQP;
    }
}
